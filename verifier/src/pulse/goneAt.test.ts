import { describe, expect, it } from "vitest";
import { type GoneAtParameters, goneAt } from "./goneAt.ts";

const base: GoneAtParameters = {
  pulse: { open: 1, openedAt: 0, lastBeatAt: 10_000, closedAt: undefined, status: undefined },
  pulseTimeoutMs: 500,
  watchedSince: 1_000,
  stallEnd: 0,
  renewedAt: 0,
  renewalGraceMs: 6_000,
  inFlightMs: 4_000,
};
const closed = { open: 0, openedAt: 0, lastBeatAt: 9_900, closedAt: 10_000, status: undefined };

describe("goneAt", () => {
  it("waits pulseTimeoutMs for a closed connection and four times that for a silent one", () => {
    expect(goneAt({ ...base, pulse: closed })).toEqual({ at: 10_500, since: 10_000, cause: "closed" });
    expect(goneAt(base)).toEqual({ at: 12_000, since: 10_000, cause: "silent" });
  });

  it("gives a node never seen under this lease time to connect", () => {
    expect(goneAt({ ...base, pulse: undefined })).toMatchObject({ at: 6_000, cause: "never connected" });
    expect(goneAt({ ...base, pulse: { ...closed, closedAt: 900 } })).toMatchObject({
      at: 6_000,
      cause: "never connected",
    });
    expect(goneAt({ ...base, pulse: undefined, pulseTimeoutMs: 4_000 }).at).toBe(41_000);
  });

  it("counts nobody's silence over a stall of its own", () => {
    expect(goneAt({ ...base, pulse: closed, stallEnd: 10_400 }).at).toBe(10_900);
    expect(goneAt({ ...base, stallEnd: 30_000 }).at).toBe(32_000);
  });

  it("takes a renewal on chain for a sign of life, unless it may have been sent before the silence began", () => {
    expect(goneAt({ ...base, pulse: closed, renewedAt: 14_200 }).at).toBe(20_200);
    for (const renewedAt of [9_999, 10_001, 14_000]) {
      expect(goneAt({ ...base, pulse: closed, renewedAt }).at).toBe(10_500);
    }
  });
});
