import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eligibleAt } from "./eligibleAt.ts";

const demo = { openSince: 100, auctionRamp: 6, maxPricePerStep: 3000n };

describe("eligibleAt", () => {
  it("lets the demo's three providers in one block of two seconds after another", () => {
    expect([1000n, 2000n, 3000n].map((price) => eligibleAt(demo, price))).toEqual([102, 104, 106]);
  });

  it("is open at once without a ramp, and never for a price over the maximum", () => {
    expect(eligibleAt({ ...demo, auctionRamp: 0 }, 3000n)).toBe(100);
    expect(eligibleAt(demo, 3001n)).toBeUndefined();
    expect(eligibleAt(demo, 0n)).toBeUndefined();
  });

  it("is the first second at which the contract's ceiling reaches the price", () => {
    const ceiling = (elapsed: bigint, ramp: bigint, max: bigint) =>
      ramp === 0n || elapsed >= ramp ? max : (max * elapsed) / ramp;
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 9n),
        fc.integer({ min: 0, max: 3600 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (max, ramp, share) => {
          const price = (max * BigInt(Math.floor(share * 1e6))) / 1_000_000n || 1n;
          const at = eligibleAt({ openSince: 0, auctionRamp: ramp, maxPricePerStep: max }, price);
          expect(at).toBeDefined();
          expect(ceiling(BigInt(at ?? 0), BigInt(ramp), max) >= price).toBe(true);
          if ((at ?? 0) > 0) expect(ceiling(BigInt((at ?? 0) - 1), BigInt(ramp), max) < price).toBe(true);
        },
      ),
    );
  });
});
