import { describe, expect, it } from "vitest";
import { maxLiability } from "./maxLiability.ts";

const demo = { totalSteps: 400n, maxPricePerStep: 3000n, checkpointInterval: 50n, verifierFee: 10_000n };

describe("maxLiability", () => {
  it("is work, fee and judging of the demo: 1.2 + 0.096 + 0.24 USDC", () => {
    expect(maxLiability(demo)).toBe(1_536_000n);
  });

  it("rounds the fee down and the rounds up", () => {
    expect(maxLiability({ totalSteps: 51n, maxPricePerStep: 1n, checkpointInterval: 50n, verifierFee: 1n })).toBe(
      51n + 4n + 6n,
    );
  });

  it("refuses terms without work", () => {
    expect(() => maxLiability({ ...demo, totalSteps: 0n })).toThrow(expect.objectContaining({ code: "BAD_TERMS" }));
  });
});
