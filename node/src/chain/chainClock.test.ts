import { describe, expect, it } from "vitest";
import { createChainClock } from "./chainClock.ts";

function fixture() {
  let ms = 5000;
  const clock = createChainClock(() => ms);
  return { clock, advance: (by: number) => (ms += by) };
}

describe("chain clock", () => {
  it("foresees the next block of a regular chain from its heads", () => {
    const { clock, advance } = fixture();
    for (let i = 0; i < 4; i++) {
      clock.observe({ number: BigInt(i), timestamp: 1000 + 2 * i });
      advance(2000);
    }
    expect(clock.blockSeconds).toBe(2);
    clock.observe({ number: 4n, timestamp: 1008 });
    expect(clock.nextTimestamp()).toBe(1010);
  });

  it("does not run ahead of blocks under a second", () => {
    const { clock, advance } = fixture();
    for (let i = 0; i < 8; i++) {
      clock.observe({ number: BigInt(i), timestamp: 1000 + Math.floor(i / 4) });
      advance(250);
    }
    expect(clock.nextTimestamp()).toBe(1001);
    expect(clock.now()).toBeCloseTo(1001.25);
  });

  it("runs on while no head arrives, and counts only what passed since the last one", () => {
    const { clock, advance } = fixture();
    clock.observe({ number: 1n, timestamp: 1000 });
    advance(7500);
    expect(clock.now()).toBe(1007.5);
    expect(clock.nextTimestamp()).toBe(1007);
    expect(clock.reachedAt(1030) - 5000).toBe(30_000);
  });

  it("forgets abandoned blocks after a reorganisation", () => {
    const { clock } = fixture();
    clock.observe({ number: 9n, timestamp: 2000 });
    clock.observe({ number: 10n, timestamp: 2002 });
    clock.observe({ number: 9n, timestamp: 1990 });
    expect(clock.last?.timestamp).toBe(1990);
    expect(clock.blockSeconds).toBeUndefined();
  });
});
