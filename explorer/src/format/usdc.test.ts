import fc from "fast-check";
import { expect, test } from "vitest";
import { formatUsdc, parseUsdc } from "./usdc.ts";

test("amounts are exact, with at least the places asked for", () => {
  expect(formatUsdc(50_000n, 3)).toBe("0.050");
  expect(formatUsdc(50_001n, 3)).toBe("0.050001");
  expect(formatUsdc(4_182_566_500n)).toBe("4,182.566500");
  expect(formatUsdc(-15_000n)).toBe("−0.015000");
  expect(formatUsdc(3_000_000n, 0)).toBe("3");
});

test("amounts that nobody has stay legible, and say that they are rounded", () => {
  expect(formatUsdc(10n ** 18n - 1n)).toBe("999,999,999,999.999999");
  expect(formatUsdc(10n ** 18n)).toBe("≈1.000 × 10¹²");
  expect(formatUsdc(2n ** 256n - 1n)).toBe("≈1.158 × 10⁷¹");
  expect(formatUsdc(1n - 2n ** 256n, 3)).toBe("−≈1.158 × 10⁷¹");
});

test("what is written can be read back, and what is finer than a unit is refused", () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), (n) => parseUsdc(formatUsdc(n)) === n));
  expect(parseUsdc("0.0000001")).toBeUndefined();
  expect(parseUsdc("-1")).toBeUndefined();
  expect(parseUsdc("1e6")).toBeUndefined();
});
