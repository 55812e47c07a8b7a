import { afterEach, describe, expect, it } from "vitest";
import { createLoopMonitor, type LoopMonitor } from "./loopMonitor.ts";

/** Holds this process up, as a stop or a starved machine would. */
const stall = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe("loop monitor", () => {
  let monitor: LoopMonitor;
  afterEach(() => monitor.close());

  it("knows of a stall of this process at once, before its own timer has run", async () => {
    monitor = createLoopMonitor();
    const before = performance.now();
    stall(400);
    const { lastStallEnd } = monitor;
    expect(lastStallEnd).toBeGreaterThan(before + 350);
    expect(monitor.takeMaxDelay()).toBeGreaterThan(200);
    expect(monitor.takeMaxDelay()).toBeLessThan(200);
  });
});
