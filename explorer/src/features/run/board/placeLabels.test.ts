import fc from "fast-check";
import { expect, test } from "vitest";
import { placeLabels } from "./placeLabels.ts";

test("a label turns to the left at the right edge, and is left out rather than laid over another", () => {
  const placed = placeLabels(
    [
      { x: 100, width: 80, rank: 1 },
      { x: 120, width: 80, rank: 2 },
      { x: 980, width: 90, rank: 0 },
    ],
    50,
    1000,
  );
  expect(placed).toEqual([{ x: 106, end: false }, undefined, { x: 974, end: true }]);
});

test("what changed the run's course is labelled before routine", () => {
  const placed = placeLabels(
    [
      { x: 100, width: 80, rank: 2 },
      { x: 120, width: 80, rank: 0 },
    ],
    95,
    1000,
  );
  expect(placed).toEqual([undefined, { x: 126, end: false }]);
});

test("no two labels ever overlap", () => {
  const label = fc.record({
    x: fc.integer({ min: 0, max: 1000 }),
    width: fc.integer({ min: 10, max: 200 }),
    rank: fc.integer({ min: 0, max: 2 }),
  });
  fc.assert(
    fc.property(fc.array(label, { maxLength: 40 }), (labels) => {
      const spans = placeLabels(labels, 0, 1000).flatMap((placed, i) => {
        if (!placed) return [];
        const { x, width } = labels[i] as { x: number; width: number };
        return [placed.end ? [x - width, x] : [x, x + width]] as [number, number][];
      });
      for (const [i, [a, b]] of spans.entries()) {
        for (const [c, d] of spans.slice(i + 1)) expect(b <= c || d <= a).toBe(true);
      }
    }),
  );
});
