import { expect, test } from "vitest";
import type { LossData } from "./lossData.ts";
import { lossView } from "./lossView.ts";

/** One line of `n` steps, a unit apart, with a gap in the middle. */
function line(n: number): LossData {
  const x = Float64Array.from({ length: n }, (_, i) => i);
  const raw = Float64Array.from({ length: n }, (_, i) =>
    i === n / 2 ? Number.NaN : Math.sin(i) * (i === 700 ? 50 : 1),
  );
  return { x, series: [{ index: 1, name: "A", look: "kept", raw, smooth: raw }] };
}

test("where steps are wide apart each is drawn as it is, and a gap breaks the line", () => {
  const [x, raw] = lossView(line(100), 40, 60, 800);
  expect(x[0]).toBeLessThan(40);
  expect(x[x.length - 1]).toBeGreaterThan(60);
  expect(raw?.[Array.from(x).indexOf(50)]).toBeNull();
  expect(raw?.[Array.from(x).indexOf(41)]).toBe(Math.sin(41));
});

test("where many share a pixel there are two points a pixel at most, and no extreme is lost", () => {
  const [x, raw, smooth] = lossView(line(100_000), 0, 100_000, 500);
  expect(x.length).toBeLessThanOrEqual(2 * 502);
  expect(raw?.length).toBe(x.length);
  expect(smooth?.length).toBe(x.length);
  expect(Math.min(...(raw as number[]).filter((v) => typeof v === "number"))).toBeCloseTo(
    Math.sin(700) < 0 ? 50 * Math.sin(700) : -1,
  );
  expect(Math.max(...(raw as number[]).filter((v) => typeof v === "number"))).toBeCloseTo(
    Math.sin(700) > 0 ? 50 * Math.sin(700) : 1,
  );
  expect(Array.from(x)).toEqual([...Array.from(x)].sort((a, b) => a - b));
});

test("panning moves the same points: the grid does not depend on where the view starts", () => {
  const data = line(100_000);
  const at = (from: number) => {
    const [x, raw] = lossView(data, from, from + 20_000, 500);
    return new Map(Array.from(x).map((value, i) => [value.toFixed(6), raw?.[i]]));
  };
  const [one, other] = [at(1_000), at(1_007)];
  const shared = [...one.keys()].filter((key) => other.has(key));
  expect(shared.length).toBeGreaterThan(900);
  // Only buckets cut by an edge may differ.
  expect(shared.filter((key) => one.get(key) !== other.get(key)).length).toBeLessThanOrEqual(4);
});
