import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../records/index.ts";
import { drawDistinct } from "./draw.ts";

const hash = (i: number) => sha256Hex(Uint8Array.of(i));

describe("drawDistinct", () => {
  it("draws different numbers in order, the same for everybody", () => {
    const drawn = drawDistinct(hash(1), "held-out", 1500, 256);
    expect(drawDistinct(hash(1), "held-out", 1500, 256)).toEqual(drawn);
    expect(new Set(drawn).size).toBe(256);
    expect(drawn).toEqual(drawn.toSorted((a, b) => a - b));
    expect(drawDistinct(hash(1), "intervals", 1500, 256)).not.toEqual(drawn);
    expect(drawDistinct(hash(2), "held-out", 1500, 256)).not.toEqual(drawn);
  });

  it("draws all when asked for more", () => {
    expect(drawDistinct(hash(1), "intervals", 3, 10)).toEqual([0, 1, 2]);
  });

  it("draws each number about equally often", () => {
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 1000; i++) {
      const [drawn] = drawDistinct(sha256Hex(Uint8Array.of(i & 255, i >> 8)), "intervals", 10, 1) as [number];
      counts[drawn] = (counts[drawn] as number) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 100)).toBeLessThan(45);
  });
});
