import { expect, test } from "vitest";
import { makeRecording } from "../../../testing/makeRecording.ts";
import { recordedRun } from "../model/recordedRun.ts";
import { clampView, fullView, makeFrame, stepAt, ticks, timeOfStep } from "./axis.ts";

const run = recordedRun(makeRecording());

test("pixels and values map back and forth", () => {
  const frame = makeFrame(run, "time", 800, [0, 10_000], false);
  expect(frame.x(0)).toBe(frame.left);
  expect(frame.x(10_000)).toBe(800 - frame.right);
  expect(frame.value(frame.x(1234))).toBeCloseTo(1234);
});

test("ticks are round, inside the view, and neither crowded nor absent", () => {
  for (const view of [
    [0, 290_000],
    [1_000, 3_500],
    [0, 400],
  ] as const) {
    const frame = makeFrame(run, view[1] === 400 ? "step" : "time", 800, view, false);
    const at = ticks(frame);
    expect(at.length).toBeGreaterThanOrEqual(2);
    expect(at.length).toBeLessThanOrEqual(10);
    expect(at.every((v) => v >= view[0] && v <= view[1])).toBe(true);
  }
});

test("a view stays inside the run and never narrower than allowed", () => {
  expect(clampView([-50, 50], [0, 100], 10)).toEqual([0, 100]);
  expect(clampView([95, 99], [0, 100], 10)).toEqual([90, 100]);
  expect(clampView([-500, 900], [0, 100], 10)).toEqual([0, 100]);
});

test("a step leads to the moment it was trained, the nearest one when it was trained twice", () => {
  // Step 155 was trained by A and lost, then again by P and by B.
  const first = timeOfStep(run, 155, 0);
  const last = timeOfStep(run, 155, run.duration);
  expect(first).toBeLessThan(last);
  expect(stepAt(run, first)).toBe(155);
  expect(stepAt(run, last)).toBe(155);
  expect(fullView(run, "step")).toEqual([0, 400]);
});
