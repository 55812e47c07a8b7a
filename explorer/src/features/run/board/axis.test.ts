import { expect, test } from "vitest";
import { makeRecording } from "../../../testing/makeRecording.ts";
import { recordedRun } from "../model/recordedRun.ts";
import { clampView, fullView, makeFrame, stepAt, stillFrame, ticks, timeOfStep } from "./axis.ts";

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

test("a still drawing reaches over the whole view wherever that is, and lanes draw themselves anew at different moments", () => {
  const whole = fullView(run, "time");
  const span = 10_000;
  const redrawn = [0, 0.25, 0.5, 0.75].map((phase) => {
    const at: number[] = [];
    let before = Number.NaN;
    for (let from = 0; from + span <= whole[1]; from += 100) {
      const frame = makeFrame(run, "time", 800, [from, from + span], false);
      const { anchor, make } = stillFrame(run, frame, whole, false, phase);
      const still = make();
      expect(still.x(from)).toBeGreaterThanOrEqual(still.left - still.beyond);
      expect(still.x(from + span)).toBeLessThanOrEqual(still.width - still.right + still.beyond);
      if (from > 0 && anchor[0] !== before) at.push(from);
      before = anchor[0];
    }
    return at;
  });
  expect(redrawn.every((at) => at.length >= 2)).toBe(true);
  expect(new Set(redrawn.flat()).size).toBe(redrawn.flat().length);
});

test("the whole run is drawn once, and reaches no further", () => {
  const whole = fullView(run, "time");
  const frame = makeFrame(run, "time", 800, whole, false);
  const { anchor, make } = stillFrame(run, frame, whole, false, 0.5);
  expect(anchor[0]).toBe(0);
  expect(make().beyond).toBe(0);
});
