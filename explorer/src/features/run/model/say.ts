import { shortHash } from "../../../format/hash.ts";
import type { RunMeta, RunState, Tone } from "./types.ts";

/** The label of a party, or its address shortened. */
export function name(meta: RunMeta, address: string): string {
  return meta.parties.get(address.toLowerCase())?.name ?? shortHash(address);
}

export function say(state: RunState, t: number, source: string, text: string, tone: Tone = "plain"): void {
  state.log.push({ n: state.log.length, t, source, text, tone });
}
