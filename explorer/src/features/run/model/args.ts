import type { EventArg } from "@gpuchain/sdk/records";
import type { EndCause, Outcome } from "./types.ts";

/** Event arguments as a recording or a decoded log carries them: numbers may be strings, addresses any case. */
export type Args = Readonly<Record<string, EventArg>>;

/** No more digits than a uint256 has. */
const WHOLE = /^(?:-?\d{1,78}|0x[0-9a-f]{1,64})$/i;

/** A whole number; none where a ledger or a file says something else, so that no page breaks on a stranger's word. */
export const big = (args: Args, name: string): bigint => {
  const value = args[name];
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : 0n;
  return typeof value === "string" && WHOLE.test(value) ? BigInt(value) : 0n;
};
export const num = (args: Args, name: string): number => Number(big(args, name));
export const text = (args: Args, name: string): string => String(args[name] ?? "");
export const address = (args: Args, name: string): string => text(args, name).toLowerCase();
export const flag = (args: Args, name: string): boolean => args[name] === true || args[name] === "true";
export const list = (args: Args, name: string): string[] => {
  const value = args[name];
  return Array.isArray(value) ? value.map((v) => String(v).toLowerCase()) : [];
};
export const struct = (args: Args, name: string): Args => {
  const value = args[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
};

const CAUSES: readonly (EndCause | undefined)[] = [
  undefined,
  "released",
  "expired",
  "stalled",
  "evicted",
  "refused",
  "unavailable",
  "jobClosed",
];
export const endCause = (code: number): EndCause => CAUSES[code] ?? "released";

const OUTCOMES: readonly (Outcome | undefined)[] = [undefined, "accept", "refuse", "unavailable"];
export const outcome = (code: number): Outcome => OUTCOMES[code] ?? "unavailable";

export const CREDIT_KINDS = ["providerPay", "verifierFee", "cancelFee", "protocolFee", "refund"] as const;
