import { keccak_256 } from "@noble/hashes/sha3.js";
import { concatBytes } from "./bytes.ts";
import { RecordError } from "./errors.ts";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** Keccak-256, the chain's own hash. */
export const keccak256 = (...pieces: readonly Uint8Array[]): Uint8Array => keccak_256(concatBytes(...pieces));

/** Leaves and inner nodes hash under different prefixes, so that no inner node can pass for a leaf. */
export const hashMerkleLeaf = (domain: Uint8Array, leaf: Uint8Array): Uint8Array => keccak256(LEAF, domain, leaf);
const hashNode = (left: Uint8Array, right: Uint8Array): Uint8Array => keccak256(NODE, left, right);

const parentLevel = (level: readonly Uint8Array[]): Uint8Array[] => {
  const parents: Uint8Array[] = [];
  for (let i = 0; i < level.length; i += 2) {
    const left = level[i] as Uint8Array;
    const right = level[i + 1];
    // A node without a sibling moves up unchanged: the path's length is fixed by (index, count), so nothing can be forged by it.
    parents.push(right === undefined ? left : hashNode(left, right));
  }
  return parents;
};

/** Root of a Merkle tree over hashed leaves. @throws RecordError `BAD_TRACE` when there are none */
export function merkleRoot(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) throw new RecordError("BAD_TRACE", "A Merkle tree needs at least one leaf.");
  let level = [...hashes];
  while (level.length > 1) level = parentLevel(level);
  return level[0] as Uint8Array;
}

/** Siblings from leaf to root for the leaf at `index`. */
export function merkleProof(hashes: readonly Uint8Array[], index: number): Uint8Array[] {
  if (!Number.isInteger(index) || index < 0 || index >= hashes.length)
    throw new RecordError("BAD_TRACE", `There is no leaf ${index} among ${hashes.length}.`);
  const siblings: Uint8Array[] = [];
  let level = [...hashes];
  for (let i = index; level.length > 1; i >>= 1) {
    const sibling = level[i ^ 1];
    if (sibling !== undefined) siblings.push(sibling);
    level = parentLevel(level);
  }
  return siblings;
}

/** Recomputes the root from one leaf; `count` is the number of leaves, which fixes the path's shape. */
export function merkleRootFromProof(
  hash: Uint8Array,
  index: number,
  count: number,
  siblings: readonly Uint8Array[],
): Uint8Array | undefined {
  if (!Number.isInteger(index) || index < 0 || index >= count) return undefined;
  let node = hash;
  let used = 0;
  for (let i = index, width = count; width > 1; i >>= 1, width = (width + 1) >> 1) {
    if ((i ^ 1) >= width) continue;
    const sibling = siblings[used++];
    if (sibling === undefined) return undefined;
    node = i & 1 ? hashNode(sibling, node) : hashNode(node, sibling);
  }
  return used === siblings.length ? node : undefined;
}
