import { expect, test } from "vitest";
import { lossTicks, lossToPixel } from "./lossExtent.ts";

test("losses are ruled at three to seven round numbers inside their range", () => {
  for (const extent of [
    { low: 0, high: 0.78 },
    { low: 0, high: 11.2 },
    { low: 2.31, high: 2.36 },
    { low: -0.4, high: 0.9 },
  ]) {
    const ticks = lossTicks(extent);
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(ticks.every((tick) => tick >= extent.low && tick <= extent.high)).toBe(true);
    expect(ticks.every((tick) => String(tick).replace(/^[-0.]*/, "").length <= 4)).toBe(true);
    const y = ticks.map(lossToPixel(extent, 216));
    expect(y.every((pixel, i) => i === 0 || pixel < (y[i - 1] as number))).toBe(true);
  }
});
