import { createSha256, type Hex, sha256, toHex, uintToBytes } from "../../records/index.ts";
import type { Program } from "../program/createProgram.ts";
import { batchIndices } from "./batchIndices.ts";

const DOMAIN = new TextEncoder().encode("gpuchain/batch/1");

/** Digest of the batch of one step (counted from 0): the training set's hash, the step, the examples in order. */
export function batchDigest({ spec }: Program, step: number, indices: Uint32Array): Uint8Array {
  const examples = new Uint8Array(indices.length * 4);
  const view = new DataView(examples.buffer);
  indices.forEach((example, i) => {
    view.setUint32(4 * i, example);
  });
  return sha256(DOMAIN, new TextEncoder().encode(spec.data.train.sha256), uintToBytes(step, 8), examples);
}

/** What a trace leaf says of its batches: SHA-256 over the digests of steps `from` … `to − 1`, counted from 0. */
export function intervalDigest(program: Program, from: number, to: number, examples: number): Hex {
  const { seed, batch } = program.spec.training;
  const hash = createSha256();
  for (let step = from; step < to; step++)
    hash.update(batchDigest(program, step, batchIndices(seed, step, examples, batch)));
  return toHex(hash.digest());
}
