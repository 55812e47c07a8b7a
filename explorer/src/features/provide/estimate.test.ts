import { expect, test } from "vitest";
import { makeRecording } from "../../testing/makeRecording.ts";
import { demandAt } from "./estimate.ts";
import { nodeCommand } from "./nodeCommand.ts";

const events = makeRecording()
  .timeline.filter((e) => e.kind === "event")
  .map((e) => ({ ...e, timestamp: e.timestamp }));

test("demand is what open jobs still need at a price; a finished job needs nothing", () => {
  const firstAccepted = events.findIndex((e) => e.name === "CheckpointAccepted");
  expect(demandAt(events.slice(0, firstAccepted + 1), 3_000n)).toMatchObject({
    openJobs: 1,
    stepsLeft: 350,
    stepsAtPrice: 350,
  });
  expect(demandAt(events.slice(0, firstAccepted + 1), 3_001n)).toMatchObject({ stepsAtPrice: 0 });
  expect(demandAt(events, 1n).openJobs).toBe(0);
});

test("what a person types into a name stays one argument of the command", () => {
  const command = nodeCommand({ name: `it's "mine"; rm -rf ~`, price: "0.002", rpc: "http://127.0.0.1:8545" });
  expect(command).toContain(`--name 'it'\\''s "mine"; rm -rf ~'`);
});
