import { expect, test } from "vitest";
import { createLagWatch } from "./lagWatch.ts";

test("a ledger that lacks blocks for long stands still; one that is late for a moment does not", () => {
  const standsStill = createLagWatch();
  expect(standsStill(100, 0)).toBe(false);
  expect(standsStill(110, 29_999)).toBe(false);
  expect(standsStill(5, 30_000)).toBe(false);
  expect(standsStill(6, 31_000)).toBe(false);
  expect(standsStill(6, 60_999)).toBe(false);
  expect(standsStill(6, 61_000)).toBe(true);
});
