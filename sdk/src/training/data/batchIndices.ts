import { permutation } from "../random/permutation.ts";
import { STREAM } from "../random/philox.ts";

/**
 * Which examples the given step trains on: a pure function, so that a resumed run, another device and a judge all see the same
 * batch. Every epoch is its own permutation; a batch may reach over the end of one.
 *
 * @param seed the job's seed
 * @param step the step about to be taken, counted from 0
 * @param examples size of the training set
 * @param batch examples per step
 */
export function batchIndices(seed: number, step: number, examples: number, batch: number): Uint32Array {
  const indices = new Uint32Array(batch);
  for (let i = 0; i < batch; i++) {
    const cursor = step * batch + i;
    indices[i] = epochOrder(seed, Math.floor(cursor / examples), examples)[cursor % examples] as number;
  }
  return indices;
}

/** The last permutation is kept: consecutive steps share it, and recomputing it gives the same one. */
let kept: { seed: number; epoch: number; examples: number; order: Uint32Array } | undefined;

function epochOrder(seed: number, epoch: number, examples: number): Uint32Array {
  if (kept?.seed !== seed || kept.epoch !== epoch || kept.examples !== examples)
    kept = { seed, epoch, examples, order: permutation(examples, seed, STREAM.order, epoch) };
  return kept.order;
}
