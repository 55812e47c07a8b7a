import { describe, expect, it } from "vitest";
import { jobView } from "../testing/jobView.ts";
import { assertServable, inUsdc, leaseCost } from "./gasNeeds.ts";

const address = "0x00000000000000000000000000000000000000aa" as const;
const gwei = 10n ** 9n;

describe("gas", () => {
  // 400 steps in checkpoints of 50: the lease itself and eight commits.
  const job = jobView({ terms: { totalSteps: 400, checkpointInterval: 50 } });

  it("of a lease is what taking it and its next commits cost", () => {
    expect(leaseCost(job, gwei)).toBe((400_000n + 8n * 110_000n) * gwei);
    const last = jobView({ terms: { totalSteps: 400, checkpointInterval: 50 }, tail: { ...job.tail, step: 380 } });
    expect(leaseCost(last, gwei)).toBe(510_000n * gwei);
  });

  it("that is not here keeps the node from a lease, and it says how much to send where", () => {
    const cost = leaseCost(job, gwei);
    expect(() => assertServable(job, 2_000n, { address, balance: cost, gasPrice: gwei })).not.toThrow();
    expect(() => assertServable(job, 2_000n, { address, balance: cost - 1n, gasPrice: gwei })).toThrow(
      expect.objectContaining({ code: "GAS_LOW", hint: `send at least 0.00512 to ${address}` }),
    );
  });

  it("that costs more than the work pays keeps it from the lease too, where the coin's price is known", () => {
    const state = { address, balance: 10n ** 18n, gasPrice: gwei };
    // 400 steps at 0.002 are 0.8 USDC; 0.00128 coins at 3000 are 3.84.
    expect(() => assertServable(job, 2_000n, { ...state, coinPrice: 3_000_000_000n })).toThrow(
      expect.objectContaining({ code: "GAS_OVER_PAY", message: expect.stringContaining("3.840000 USDC") }),
    );
    expect(() =>
      assertServable(job, 2_000n, { ...state, gasPrice: gwei / 100n, coinPrice: 3_000_000_000n }),
    ).not.toThrow();
    expect(inUsdc(1n, 3_000_000_000n)).toBe(1n);
  });
});
