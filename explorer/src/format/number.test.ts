import { expect, test } from "vitest";
import { count } from "./number.ts";

test("counts are exact as long as they can be, and say when they are not", () => {
  expect(count(18_442)).toBe("18,442");
  expect(count(10 ** 15)).toBe("1,000,000,000,000,000");
  expect(count(1e77)).toBe("≈1.000 × 10⁷⁷");
  expect(count(2n ** 256n - 1n)).toBe("≈1.158 × 10⁷⁷");
});
