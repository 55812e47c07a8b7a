import { describe, expect, it } from "vitest";
import { createVectorMemory } from "../optimizer/vectorMemory.ts";
import { noise } from "../testing/checkGradients.ts";
import { TreeSum } from "./treeSum.ts";

const memory = createVectorMemory(500, 64);
const vectors = Array.from({ length: 16 }, (_, i) => noise(500, i).map((x) => x * 10 ** (i % 5)));

function copy(vector: Float32Array): Float32Array {
  const taken = memory.take();
  taken.set(vector);
  return taken;
}

/** Sums groups of 2ᵏ apart, as if on other devices, then their sums. */
function grouped(level: number): Float32Array {
  const tree = new TreeSum(memory);
  for (let from = 0; from < vectors.length; from += 2 ** level) {
    const part = new TreeSum(memory);
    for (const vector of vectors.slice(from, from + 2 ** level)) part.add(copy(vector));
    tree.add(part.finish(), level);
  }
  return tree.finish();
}

describe("TreeSum", () => {
  it("gives the same bits for every aligned grouping, where a left fold does not", () => {
    const whole = grouped(0).slice();
    for (const level of [1, 2, 3, 4]) expect(grouped(level)).toEqual(whole);
    const fold = vectors.reduce((sum, vector) => sum.map((x, i) => x + (vector[i] as number)), new Float32Array(500));
    expect(fold).not.toEqual(whole);
  });

  it.each([1, 2, 3, 5, 7])("sums %i vectors", (count) => {
    const small = createVectorMemory(3, 10);
    const tree = new TreeSum(small);
    for (let i = 1; i <= count; i++) {
      const vector = small.take();
      vector.set([i, 2 * i, -i]);
      tree.add(vector);
    }
    const sum = (count * (count + 1)) / 2;
    expect([...tree.finish()]).toEqual([sum, 2 * sum, -sum]);
  });

  it("hands back its vectors when it is cleared", () => {
    const small = createVectorMemory(1, 2);
    const tree = new TreeSum(small);
    const first = small.take();
    tree.add(first);
    tree.clear();
    expect(small.take()).toBe(first);
    first.set([2]);
    tree.add(first);
    expect([...tree.finish()]).toEqual([2]);
  });
});
