import { describe, expect, it } from "vitest";
import { permutation } from "./permutation.ts";
import { multiplyHigh, philox, randomWords } from "./philox.ts";

const MAX = 0xffffffff;

describe("philox", () => {
  // The known answers published with Random123.
  it.each([
    [
      [0, 0, 0, 0],
      [0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [MAX, MAX, MAX, MAX],
      [MAX, MAX],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      [0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ] as const)("gives Random123's known answer for %j", (counter, key, words) => {
    expect(philox(counter, key)).toEqual(words);
  });

  it("reads a stream anywhere, in any order", () => {
    const forwards = randomWords(1, 2, 3);
    const words = Array.from({ length: 20 }, (_, i) => forwards(i));
    const backwards = randomWords(1, 2, 3);
    expect(words.map((_, i) => backwards(19 - i)).reverse()).toEqual(words);
    expect(new Set([words[0], randomWords(2, 2, 3)(0), randomWords(1, 3, 3)(0), randomWords(1, 2, 4)(0)]).size).toBe(4);
  });

  it("multiplies as 64-bit integers do", () => {
    for (const [a, b] of [
      [MAX, MAX],
      [0x12345678, 0x9abcdef0],
      [1, MAX],
      [0x10000, 0x10000],
    ] as const)
      expect(multiplyHigh(a, b)).toBe(Number((BigInt(a) * BigInt(b)) >> 32n));
  });
});

describe("permutation", () => {
  it("holds each number once and moves nearly all", () => {
    const order = permutation(1000, 7, 1, 0);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    expect(order.filter((value, i) => value === i).length).toBeLessThan(10);
  });

  it("puts every number everywhere about equally often", () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 6000; i++) {
      const key = permutation(3, i, 1, 0).join();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
