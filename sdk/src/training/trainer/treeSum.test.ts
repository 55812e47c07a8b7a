import { describe, expect, it } from "vitest";
import { noise } from "../testing/checkGradients.ts";
import { TreeSum } from "./treeSum.ts";

const vectors = Array.from({ length: 16 }, (_, i) => noise(500, i).map((x) => x * 10 ** (i % 5)));

/** Sums groups of 2ᵏ apart, as if on other devices, then their sums. */
function grouped(level: number): Float32Array {
  const tree = new TreeSum(500);
  for (let from = 0; from < vectors.length; from += 2 ** level) {
    const part = new TreeSum(500);
    for (const vector of vectors.slice(from, from + 2 ** level)) part.add(vector.slice());
    tree.add(part.finish(), level);
  }
  return tree.finish();
}

describe("TreeSum", () => {
  it("gives the same bits for every aligned grouping, where a left fold does not", () => {
    const whole = grouped(0);
    for (const level of [1, 2, 3, 4]) expect(grouped(level)).toEqual(whole);
    const fold = vectors.reduce((sum, vector) => sum.map((x, i) => x + (vector[i] as number)), new Float32Array(500));
    expect(fold).not.toEqual(whole);
  });

  it.each([1, 2, 3, 5, 7])("sums %i vectors", (count) => {
    const tree = new TreeSum(3);
    for (let i = 1; i <= count; i++) tree.add(Float32Array.of(i, 2 * i, -i));
    const sum = (count * (count + 1)) / 2;
    expect([...tree.finish()]).toEqual([sum, 2 * sum, -sum]);
  });

  it("starts afresh after it was cleared or finished, and reuses its vectors", () => {
    const tree = new TreeSum(1);
    const first = Float32Array.of(5);
    tree.add(first);
    tree.clear();
    expect(tree.take()).toBe(first);
    tree.add(Float32Array.of(2));
    expect([...tree.finish()]).toEqual([2]);
  });
});
