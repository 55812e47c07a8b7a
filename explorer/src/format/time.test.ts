import { expect, test } from "vitest";
import { clock, span } from "./time.ts";

test("a clock never shows more time than has passed", () => {
  expect(clock(156_099, true)).toBe("2:36.0");
  expect(clock(59_999)).toBe("0:59");
  expect(clock(3_756_000)).toBe("1:02:36");
  expect(clock(-5)).toBe("0:00");
});

test("spans use the unit a person would", () => {
  expect([700, 24_000, 180_000, 8 * 3_600_000, 14 * 86_400_000].map(span)).toEqual([
    "0.7 s",
    "24 s",
    "3 min",
    "8 h",
    "14 d",
  ]);
});
