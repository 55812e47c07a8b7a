import { expect, test } from "vitest";
import { parseRecording, RECORDING_VERSION, type RecordingInput } from "./recording.ts";

const address = `0x${"1".repeat(40)}`;
const hash = `0x${"2".repeat(64)}`;
const recording: RecordingInput = {
  version: RECORDING_VERSION,
  protocolVersion: "1",
  startedAt: "2026-11-04T14:00:00.000Z",
  network: { chainId: 31337, name: "Local chain", blockTimeMs: 2000 },
  job: {
    id: "1",
    title: "Spam or ham",
    template: "text-classification",
    class: "native",
    client: address,
    specHash: hash,
    steps: 400,
    checkpointInterval: 50,
    traceInterval: 5,
    budget: "5000000",
    terms: { totalSteps: "400" },
  },
  parties: [{ role: "provider", name: "A", address, price: "1000" }],
  badges: [],
  timeline: [
    { kind: "block", t: 0, number: 1, timestamp: 1_700_000_000 },
    { kind: "step", t: 5, provider: address, fence: 1, step: 1, loss: 0.69 },
    { kind: "log", t: 5, source: "A", text: "training" },
  ],
};

test("a well-formed recording parses, with defaults filled in", () => {
  const parsed = parseRecording(structuredClone(recording));
  expect(parsed.timeline[2]).toMatchObject({ kind: "log", level: "info" });
});

test("a wrong field is named", () => {
  expect(() => parseRecording({ ...recording, job: { ...recording.job, budget: "5.0" } })).toThrow(/job\.budget/);
});

test("an entry that goes back in time is refused", () => {
  const timeline = [...recording.timeline, { kind: "block", t: 1, number: 2, timestamp: 1 }];
  expect(() => parseRecording({ ...recording, timeline })).toThrow(/timeline\.3\.t/);
});
