import { concatBytes, fromHex, type Hex, toHex, uintToBytes } from "./bytes.ts";
import { hashMerkleLeaf, keccak256, merkleRoot } from "./merkle.ts";

/** Verdict outcomes by their numbers in the contract's enum, where 0 stands for none. */
export const OUTCOME = { Accept: 1, Refuse: 2, Unavailable: 3 } as const;
export type OutcomeName = keyof typeof OUTCOME;
export type Outcome = (typeof OUTCOME)[OutcomeName];

/** Scores on chain are integers in millionths. */
export const SCORE_SCALE = 1_000_000;

/** A metric in [0, 1] as the chain's integer score; anything outside is clamped. */
export const toScore = (metric: number): number => Math.round(Math.min(1, Math.max(0, metric)) * SCORE_SCALE);

/** What a verifier predicted for one held-out example. */
export interface Prediction {
  /** index into the held-out set */
  readonly index: number;
  /** predicted class (for language models: number of tokens scored) */
  readonly predicted: number;
  /** negative log-likelihood of the true label, float32 */
  readonly nll: number;
}

const DOMAIN = new TextEncoder().encode("gpuchain/predictions/1");

/** Keccak-256 Merkle root over predictions in the order of the drawn subset. */
export function predictionsRoot(predictions: readonly Prediction[]): Hex {
  const hashes = predictions.map(({ index, predicted, nll }) => {
    const leaf = new Uint8Array(12);
    const view = new DataView(leaf.buffer);
    view.setUint32(0, index);
    view.setUint32(4, predicted);
    view.setFloat32(8, nll);
    return hashMerkleLeaf(DOMAIN, leaf);
  });
  return toHex(merkleRoot(hashes));
}

/**
 * Commits a verifier to its own predictions: `keccak256(abi.encode(predictionsRoot, verifier, checkpointId))`, so that nobody can
 * copy another's evidence.
 */
export function evidenceHash(root: Hex, verifier: Hex, checkpointId: bigint): Hex {
  const address = concatBytes(new Uint8Array(12), fromHex(verifier, 20));
  return toHex(keccak256(fromHex(root, 32), address, uintToBytes(checkpointId, 32)));
}
