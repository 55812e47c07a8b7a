import { expect, test } from "vitest";
import { OFFLINE } from "../../../config/config.ts";
import { makeRecording } from "../../../testing/makeRecording.ts";
import { splitEscrow } from "../model/money.ts";
import { createPlayer } from "../model/player.ts";
import { liveRun } from "./liveRun.ts";
import { NO_TELEMETRY } from "./telemetry.ts";

const events = makeRecording()
  .timeline.filter((e) => e.kind === "event")
  .map((e) => ({ ...e, timestamp: e.timestamp }));
const config = { ...OFFLINE, chainId: 31337 };
const start = 1_762_264_800_000;

test("a job that was never posted is no run", () => {
  expect(liveRun("7", events, NO_TELEMETRY, config, start)).toBeUndefined();
});

test("events alone give the whole run: who held it, what was refused, where every unit went", () => {
  const run = liveRun("1", events, NO_TELEMETRY, config, start + 1e9);
  if (!run) throw new Error("no run");
  const end = createPlayer(run.meta).at(run.facts, run.duration);
  expect(end.status).toBe("settled");
  expect(end.leases.map((l) => run.meta.parties.get(l.provider)?.name)).toEqual(["A", "B", "C"]);
  expect(end.checkpoints.filter((c) => c.status === "refused")).toHaveLength(1);
  const m = splitEscrow(end, run.meta);
  expect(m.paid + m.refunded).toBe(5_000_000n);
  expect(run.badges.map((b) => b.kind)).toEqual(["live", "localChain"]);
});

test("while it runs the clock goes on; once settled it stops", () => {
  const half = events.slice(0, Math.floor(events.length / 2));
  expect(liveRun("1", half, NO_TELEMETRY, config, start + 1_000_000)?.duration).toBe(1_000_000);
  expect(liveRun("1", events, NO_TELEMETRY, config, start + 1_000_000)?.duration).toBeLessThan(200_000);
});

test("a clock of a far future makes no run of ages: what it tells stands at the end", () => {
  const far = 8e15;
  const telemetry = {
    ...NO_TELEMETRY,
    steps: [{ fence: 1, step: 1, loss: 1, ms: 1, at: far }],
    logs: [{ id: 1, fence: 1, at: far, level: "info", message: "hello" }],
  };
  const half = events.slice(0, Math.floor(events.length / 2));
  const run = liveRun("1", half, telemetry, config, start + 1_000_000, {}, start + 900_000);
  expect(run?.duration).toBe(1_060_000);
  expect(run?.facts.find(({ kind }) => kind === "log")?.t).toBe(1_060_000);
});
