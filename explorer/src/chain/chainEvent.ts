import type { EventArg } from "@gpuchain/sdk/records";

/** One contract event, the same whether the chain or the ledger told it. */
export interface ChainEvent {
  readonly contract: string;
  readonly name: string;
  readonly args: Readonly<Record<string, EventArg>>;
  readonly block: number;
  /** seconds; unknown where the ledger does not say */
  readonly timestamp: number | undefined;
  readonly tx: string;
  readonly logIndex: number;
}

/** A decoded argument as JSON: bigints as decimal strings, everything else as it is. */
export function toEventArg(value: unknown): EventArg {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(toEventArg);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toEventArg(inner)]));
  }
  return "";
}

export function toEventArgs(args: unknown): ChainEvent["args"] {
  const value = toEventArg(args ?? {});
  return typeof value === "object" && !Array.isArray(value) ? value : {};
}
