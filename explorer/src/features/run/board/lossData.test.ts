import { expect, test } from "vitest";
import { makeRecording } from "../../../testing/makeRecording.ts";
import { createPlayer } from "../model/player.ts";
import { recordedRun } from "../model/recordedRun.ts";
import { packSteps } from "../model/steps.ts";
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
  const at = x.indexOf(175);
  expect(series[2]?.raw[at]).toBeGreaterThan(0);
  expect(series[3]?.raw[at]).toBeGreaterThan(0);
});

test("by step there is a gap where steps are not known, and no more rows than steps, whatever their numbers", () => {
  const told = [1, 2, 5, 4_000_000_000].map((step, i) => ({
    kind: "step" as const,
    t: i,
    provider: "",
    fence: 1,
    step,
    loss: 1,
    ms: 1,
  }));
  const { x, series } = lossData({ ...run, steps: packSteps(told) }, end, "step");
  expect([...x]).toEqual([1, 2, 3, 5, 6, 4_000_000_000]);
  expect([...(series[0]?.raw ?? [])]).toEqual([1, 1, Number.NaN, 1, Number.NaN, 1]);
});
