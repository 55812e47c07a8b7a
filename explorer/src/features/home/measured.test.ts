import { expect, test } from "vitest";
import { summarize } from "../../recordings/summary.ts";
import { makeRecording } from "../../testing/makeRecording.ts";
import { figures } from "./figures.ts";

const recording = makeRecording();
const summary = summarize("made-up", recording, 1);

test("Home shows the report's own figures, each with the moment it comes from", () => {
  const found = figures(summary);
  expect(found.map((f) => [f.value, f.unit])).toEqual([
    ["1.7", "s"],
    ["3.9", "s"],
    ["8", "of 400"],
    ["0.000", "USDC"],
    ["3.788", "USDC"],
  ]);
  const kill = summary.marks.find((m) => m.title === "A is killed");
  expect(found[2]?.at).toBe(kill?.t);
  expect(found.every((f) => f.at > 0 && f.at <= summary.durationMs)).toBe(true);
});

test("without a report there is no figure; without a kill none about one", () => {
  expect(figures({ ...summary, report: undefined })).toEqual([]);
  const { kill: _, junk: __, ...rest } = recording.report as NonNullable<typeof recording.report>;
  expect(figures({ ...summary, report: rest }).map((f) => f.value)).toEqual(["3.788"]);
});
