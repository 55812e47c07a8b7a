// The recordings that this site serves: each one is whole, and what Home says of it follows from its own events.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseRecording } from "@gpuchain/sdk/records";
import { describe, expect, test } from "vitest";
import { figures } from "../features/home/figures.ts";
import { splitEscrow } from "../features/run/model/money.ts";
import { createPlayer } from "../features/run/model/player.ts";
import { receiptsOf } from "../features/run/model/receipts.ts";
import { recordedRun } from "../features/run/model/recordedRun.ts";
import { readIndex } from "./indexPlugin.ts";

const folder = fileURLToPath(new URL("../../public/recordings", import.meta.url));
const files = readdirSync(folder).filter((file) => file.endsWith(".json"));

test("at least one real run is served", () => {
  expect(files.length).toBeGreaterThan(0);
  expect(readIndex(folder).map((r) => `${r.slug}.json`)).toEqual(expect.arrayContaining(files));
});

describe.each(files)("%s", (file) => {
  const recording = parseRecording(JSON.parse(readFileSync(path.join(folder, file), "utf8")));
  const run = recordedRun(recording);
  const end = createPlayer(run.meta).at(run.facts, run.duration);
  const report = recording.report;
  const [summary] = readIndex(folder).filter((r) => `${r.slug}.json` === file);

  test("replays to its end: one accepted chain to the last step, and all of the budget accounted for", () => {
    expect(end.status).toBe("settled");
    expect(end.headStep).toBe(run.meta.steps);
    const { paid, owed, locked, refundable, refunded } = splitEscrow(end, run.meta);
    expect(paid + owed + locked + refundable + refunded).toBe(run.meta.budget);
    expect(end.reserves?.held).toBe(end.reserves?.owed);
  });

  test("Home's figures are what the events say", () => {
    if (!report?.kill || !summary) throw new Error("the recording has no report of a kill");
    const kill = run.facts.find((fact) => fact.kind === "fault" && fact.fault === "kill");
    const evicted = end.leases.find((lease) => lease.end?.cause === "evicted");
    expect(Math.abs((evicted?.end?.t ?? 0) - (kill?.t ?? 0) - report.kill.evictedMs)).toBeLessThanOrEqual(1);
    const receipt = receiptsOf(run, end).find(({ fence }) => fence === evicted?.fence);
    expect(receipt).toMatchObject({ atStep: report.kill.atStep, stepsLost: report.kill.stepsLost });
    const back = [...end.money.byAccount].find(([account]) => account === run.meta.client)?.[1] ?? 0n;
    expect(`${back / 1_000_000n}.${String(back % 1_000_000n).padStart(6, "0")}`).toBe(report.money.refund);
    const shown = figures(summary);
    expect(shown.map((f) => f.value)).toContain(String(report.kill.stepsLost));
    expect(shown.every((f) => f.at > 0 && f.at <= summary.durationMs)).toBe(true);
  });
});
