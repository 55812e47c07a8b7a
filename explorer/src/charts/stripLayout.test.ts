import { expect, test } from "vitest";
import { clip, discardRows, type StripDiscard } from "./stripLayout.ts";

const piece = (from: number, to: number): StripDiscard => ({ from, to, index: 1, kind: "lost" });

test("work thrown away twice at the same steps shows twice, one above the other", () => {
  expect(discardRows([piece(50, 60), piece(50, 55), piece(60, 75), piece(52, 70)])).toEqual([0, 1, 0, 2]);
});

test("a stretch is cut at the segment's edges and absent outside of them", () => {
  expect(clip(piece(40, 60), 50, 100)).toMatchObject({ from: 50, to: 60 });
  expect(clip(piece(40, 50), 50, 100)).toBeUndefined();
});
