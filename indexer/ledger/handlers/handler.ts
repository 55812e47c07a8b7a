import type { Abi, ContractEventName, DecodeEventLogReturnType } from "viem";
import type { Entry } from "../entry.ts";

/** An event's arguments as the ABI declares them. */
export type EventArgs<A extends Abi, N extends ContractEventName<A>> = DecodeEventLogReturnType<A, N>["args"];

/** One handler for every event of a contract: a missing one is a compile error. */
export type Handlers<A extends Abi> = {
  [N in ContractEventName<A>]: (entry: Entry, args: EventArgs<A, N>) => Promise<void> | void;
};

/** The handlers of some of a contract's events. */
export type SomeHandlers<A extends Abi, N extends ContractEventName<A>> = Pick<Handlers<A>, N>;

/** `jobId << 32 | index or fence`. */
export function splitId(id: bigint): { jobId: bigint; low: number } {
  return { jobId: id >> 32n, low: Number(id & 0xffff_ffffn) };
}

/** A wire enum's name; 0 is None in all of them that start with it. */
export function nameOf<T extends string>(names: readonly T[], value: number): T {
  const name = names[value];
  if (name === undefined) throw new Error(`no name for ${value} among ${names.join(", ")}`);
  return name;
}
