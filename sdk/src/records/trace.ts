import { concatBytes, fromHex, type Hex, toHex, uintToBytes } from "./bytes.ts";
import { RecordError } from "./errors.ts";
import { hashMerkleLeaf, keccak256, merkleProof, merkleRoot, merkleRootFromProof } from "./merkle.ts";

/** One trace point: the state after `step`, and what was consumed since the trace point before it. */
export interface TraceLeaf {
  /** the step just finished; the first step of a run is 1 */
  readonly step: number;
  /** SHA-256 of the checkpoint bytes of the state after this step */
  readonly stateHash: Hex;
  /** digest of all batches since the trace point before this one */
  readonly batchDigest: Hex;
  /** mean loss over those batches */
  readonly meanLoss: number;
}

/** Proof that one leaf belongs to a trace root. */
export interface TraceProof {
  readonly index: number;
  readonly count: number;
  readonly siblings: readonly Hex[];
}

const LEAF_BYTES = 80;
const MAGIC = new TextEncoder().encode("GPCTRC01");
const DOMAIN = new TextEncoder().encode("gpuchain/trace/1");

function encodeLeaf(leaf: TraceLeaf): Uint8Array {
  const loss = new Uint8Array(8);
  new DataView(loss.buffer).setFloat64(0, leaf.meanLoss);
  return concatBytes(uintToBytes(leaf.step, 8), fromHex(leaf.stateHash, 32), fromHex(leaf.batchDigest, 32), loss);
}

function decodeLeaf(bytes: Uint8Array): TraceLeaf {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    step: Number(view.getBigUint64(0)),
    stateHash: toHex(bytes.subarray(8, 40)),
    batchDigest: toHex(bytes.subarray(40, 72)),
    meanLoss: view.getFloat64(72),
  };
}

const hashLeaf = (leaf: TraceLeaf): Uint8Array => hashMerkleLeaf(DOMAIN, encodeLeaf(leaf));

/** Keccak-256 Merkle root over the leaves in order of steps. @throws RecordError `BAD_TRACE` on an empty trace */
export const traceRoot = (leaves: readonly TraceLeaf[]): Hex => toHex(merkleRoot(leaves.map(hashLeaf)));

/** Proof for the leaf at `index`. */
export function traceProof(leaves: readonly TraceLeaf[], index: number): TraceProof {
  return { index, count: leaves.length, siblings: merkleProof(leaves.map(hashLeaf), index).map(toHex) };
}

/** Whether `leaf` is the leaf that the proof names under `root`. */
export function verifyTraceProof(root: Hex, leaf: TraceLeaf, proof: TraceProof): boolean {
  const siblings = proof.siblings.map((sibling) => fromHex(sibling, 32));
  const computed = merkleRootFromProof(hashLeaf(leaf), proof.index, proof.count, siblings);
  return computed !== undefined && toHex(computed) === root;
}

/** What a verdict signs for: keccak-256 of the state hash and the trace root, as `abi.encode` lays them out. */
export const contentDigest = (stateHash: Hex, root: Hex): Hex =>
  toHex(keccak256(fromHex(stateHash, 32), fromHex(root, 32)));

/** The whole trace between two checkpoints as one blob: magic, then 80 bytes a leaf (step, state, batch, loss; big endian). */
export function encodeTrace(leaves: readonly TraceLeaf[]): Uint8Array {
  return concatBytes(MAGIC, ...leaves.map(encodeLeaf));
}

/**
 * Reads a trace blob.
 *
 * @throws RecordError `BAD_TRACE` when bytes are missing or left over, steps do not rise, or a loss is not finite
 */
export function decodeTrace(bytes: Uint8Array): TraceLeaf[] {
  const magic = bytes.subarray(0, MAGIC.length);
  if (toHex(magic) !== toHex(MAGIC) || (bytes.length - MAGIC.length) % LEAF_BYTES !== 0)
    throw new RecordError("BAD_TRACE", `These ${bytes.length} bytes are no trace file.`);
  const leaves: TraceLeaf[] = [];
  let previous = 0;
  for (let offset = MAGIC.length; offset < bytes.length; offset += LEAF_BYTES) {
    const leaf = decodeLeaf(bytes.subarray(offset, offset + LEAF_BYTES));
    if (!Number.isSafeInteger(leaf.step) || leaf.step <= previous)
      throw new RecordError("BAD_TRACE", `Trace steps must rise: ${leaf.step} follows ${previous}.`);
    if (!Number.isFinite(leaf.meanLoss))
      throw new RecordError("BAD_TRACE", `The loss at step ${leaf.step} is not finite.`);
    previous = leaf.step;
    leaves.push(leaf);
  }
  return leaves;
}
