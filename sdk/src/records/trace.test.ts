import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "./bytes.ts";
import { hashMerkleLeaf, keccak256 } from "./merkle.ts";
import { sha256Hex } from "./sha256.ts";
import {
  contentDigest,
  decodeTrace,
  encodeTrace,
  type TraceLeaf,
  traceProof,
  traceRoot,
  verifyTraceProof,
} from "./trace.ts";

const leaf = (i: number): TraceLeaf => ({
  step: 5 * (i + 1),
  stateHash: sha256Hex(Uint8Array.of(1, i)),
  batchDigest: sha256Hex(Uint8Array.of(2, i)),
  meanLoss: 0.7 / (i + 1),
});
const leaves = (count: number) => Array.from({ length: count }, (_, i) => leaf(i));

describe("trace", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 10, 13])("proves each of %i leaves, and nothing else", (count) => {
    const all = leaves(count);
    const root = traceRoot(all);
    for (let i = 0; i < count; i++) {
      const proof = traceProof(all, i);
      expect(verifyTraceProof(root, leaf(i), proof)).toBe(true);
      expect(verifyTraceProof(root, { ...leaf(i), meanLoss: 9 }, proof)).toBe(false);
      expect(verifyTraceProof(root, leaf(i), { ...proof, siblings: [...proof.siblings, root] })).toBe(false);
      if (count > 1) {
        expect(verifyTraceProof(root, leaf(i), { ...proof, index: (i + 1) % count })).toBe(false);
        expect(verifyTraceProof(root, leaf(i), { ...proof, siblings: proof.siblings.slice(1) })).toBe(false);
      }
    }
  });

  it("depends on order, on count and on every field", () => {
    const [a, b] = leaves(2) as [TraceLeaf, TraceLeaf];
    const roots = [
      traceRoot([a, b]),
      traceRoot([b, a]),
      traceRoot([a]),
      traceRoot([a, b, b]),
      traceRoot([{ ...a, step: 6 }, b]),
      traceRoot([{ ...a, stateHash: b.stateHash }, b]),
      traceRoot([{ ...a, batchDigest: b.batchDigest }, b]),
    ];
    expect(new Set(roots).size).toBe(roots.length);
  });

  it("hashes a leaf as the documented 80 bytes", () => {
    const bytes = encodeTrace([leaf(3)]).subarray(8);
    expect(bytes.length).toBe(80);
    expect(traceRoot([leaf(3)])).toBe(toHex(hashMerkleLeaf(new TextEncoder().encode("gpuchain/trace/1"), bytes)));
  });

  it("survives its file", () => {
    expect(decodeTrace(encodeTrace(leaves(10)))).toEqual(leaves(10));
    expect(decodeTrace(encodeTrace([]))).toEqual([]);
  });

  it.each([
    ["cut off", encodeTrace(leaves(2)).subarray(0, -1)],
    ["with bytes left over", new Uint8Array([...encodeTrace(leaves(2)), 0])],
    ["of another kind", new Uint8Array(88)],
    ["with steps that do not rise", encodeTrace([leaf(1), leaf(0)])],
    ["with a loss that is no number", encodeTrace([{ ...leaf(0), meanLoss: Number.NaN }])],
  ])("refuses a file %s", (_, bytes) => {
    expect(() => decodeTrace(bytes)).toThrow(expect.objectContaining({ code: "BAD_TRACE" }));
  });

  it("signs for state and trace together", () => {
    const [a, b] = [sha256Hex(Uint8Array.of(1)), sha256Hex(Uint8Array.of(2))];
    expect(contentDigest(a, b)).toBe(toHex(keccak256(fromHex(a), fromHex(b))));
    expect(contentDigest(a, b)).not.toBe(contentDigest(b, a));
  });
});
