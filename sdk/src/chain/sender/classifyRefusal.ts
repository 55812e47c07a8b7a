import { shortMessage } from "../rpcErrors.ts";

/**
 * What a node means when it does not take a signed transaction:
 * - `known`: it has it already, or it is mined;
 * - `nonceUsed`: a transaction with this nonce is mined;
 * - `nonceTaken`: its pool holds another one with this nonce, at a fee we did not beat;
 * - `feeTooLow`: under the base fee or the node's minimum;
 * - `refused`: for good, e.g. not enough ether.
 */
export type Refusal = "known" | "nonceUsed" | "nonceTaken" | "feeTooLow" | "refused";

/** Nodes say it in words only; these are the words of geth, reth, op-geth, erigon, nethermind and anvil. */
const words: readonly [RegExp, Refusal][] = [
  [/already known|already imported|known transaction|alreadyknown|already in (the )?(mem)?pool/i, "known"],
  [/nonce (is )?too low|nonce has already been used|old ?nonce/i, "nonceUsed"],
  [
    /replacement transaction underpriced|replacementnotallowed|could not replace|replacement fee too low/i,
    "nonceTaken",
  ],
  [
    /underpriced|less than block base fee|fee ?cap ?too ?low|max fee per gas less than|feetoolow|gas price too low/i,
    "feeTooLow",
  ],
];

export function classifyRefusal(error: unknown): Refusal {
  const text = shortMessage(error);
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? "refused";
}
