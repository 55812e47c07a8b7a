import { describe, expect, it } from "vitest";
import { jobView } from "../testing/jobView.ts";
import { bidAt } from "./bidAt.ts";

const me = {
  address: "0x00000000000000000000000000000000000000aa",
  payout: "0x00000000000000000000000000000000000000aa",
  price: 2000n,
} as const;

describe("bidAt", () => {
  it("waits for its price in the auction that began when the last lease ended", () => {
    expect(bidAt(jobView({ lease: { live: false, openSince: 100 } }), me, 100, 0)).toEqual({ at: 104 });
  });

  it("foresees the auction after a lease that runs out or stalls without anybody calling", () => {
    const held = jobView({ lease: { live: true, expiresAt: 130, stallsAt: 190 } });
    expect(bidAt(held, me, 129, 0)).toMatchObject({ waitingFor: expect.any(String), until: 130 });
    expect(bidAt(held, me, 130, 0)).toEqual({ at: 134 });
    expect(bidAt(jobView({ lease: { live: true, expiresAt: 130, stallsAt: 120 } }), me, 120, 0)).toEqual({ at: 124 });
  });

  it("is held back by a cool-down, for good by a bar", () => {
    const open = jobView({ lease: { live: false, openSince: 100 } });
    expect(bidAt(open, me, 100, 160)).toEqual({ at: 160 });
    expect(bidAt(open, me, 100, Number.POSITIVE_INFINITY)).toHaveProperty("waitingFor");
  });

  it("leaves jobs alone that are over, drained, late, too cheap, our own or ours to judge", () => {
    const open = { live: false, openSince: 100 };
    for (const job of [
      jobView({ lease: open, status: "Completed" }),
      jobView({ lease: open, draining: true }),
      jobView({ lease: open, terms: { deadline: 100 } }),
      jobView({ lease: open, terms: { maxPricePerStep: 1999n } }),
      jobView({ lease: open, terms: { client: me.address } }),
      jobView({ lease: open, seats: [{ verifier: me.address, endpoint: "http://localhost:1" }] }),
    ])
      expect(bidAt(job, me, 100, 0)).toHaveProperty("waitingFor");
  });
});
