import { expect, test } from "vitest";
import { makeRecording } from "../../../testing/makeRecording.ts";
import { createPlayer } from "../model/player.ts";
import { recordedRun } from "../model/recordedRun.ts";
import { lossData } from "./lossData.ts";

const run = recordedRun(makeRecording());
const end = createPlayer(run.meta).at(run.facts, run.duration);
const points = (values: Float64Array) => values.filter((v) => !Number.isNaN(v)).length;

test("by time every step is drawn once, by its provider and what became of it", () => {
  const { x, series } = lossData(run, end, "time");
  expect(series.map((s) => [s.name, s.look, points(s.raw)])).toEqual([
    ["A", "kept", 150],
    ["A", "lost", 8],
    ["P", "refused", 50],
    ["B", "kept", 250],
  ]);
  expect(x.every((v, i) => i === 0 || v >= (x[i - 1] as number))).toBe(true);
  // Two hand-overs, two gaps.
  expect(x.length).toBe(run.steps.length + 2);
});

test("by step the lines lie over the same steps, so what was thrown away can be compared with what replaced it", () => {
  const { x, series } = lossData(run, end, "step");
  expect(x.length).toBe(401);
  expect(series[2]?.raw[175]).toBeGreaterThan(0);
  expect(series[3]?.raw[175]).toBeGreaterThan(0);
});
