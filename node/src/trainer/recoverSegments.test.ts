import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "@gpuchain/sdk/daemon";
import { sha256Hex } from "@gpuchain/sdk/records";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeJournal, type NodeJournal } from "../journal/nodeJournal.ts";
import { recoverSegments } from "./recoverSegments.ts";
import { openStateFiles, type StateFiles } from "./stateFiles.ts";

const state = (step: number) => new TextEncoder().encode(`state after step ${step}`);
const hashAt = (step: number) => sha256Hex(state(step));
const base = { hash: hashAt(0), step: 0 };
const schedule = { traceInterval: 5, checkpointInterval: 10, totalSteps: 400 };

let folder: string;
let journal: NodeJournal;
let files: StateFiles;
let close: () => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpuchain-recover-"));
  const file = openJournal(join(folder, "journal.db"));
  close = file.close;
  journal = createNodeJournal(file);
  files = await openStateFiles(join(folder, "states"));
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs steps with a trace point every 5 and a checkpoint every 10, as the training process would. */
async function trained(from: number, to: number) {
  for (let step = from + 5; step <= to; step += 5) {
    const parent = hashAt(Math.floor((step - 1) / 10) * 10);
    const leaf = { step, stateHash: hashAt(step), batchDigest: hashAt(1000 + step), meanLoss: 1 };
    await files.write(hashAt(step), state(step));
    journal.appendLeaves(1n, parent, [{ ...leaf, checkpoint: step % 10 === 0 }]);
  }
}

describe("recoverSegments", () => {
  it("starts at the base where nothing was left", async () => {
    expect(await recoverSegments(journal, files, 1n, base, schedule)).toEqual({
      finished: [],
      current: { parent: base.hash, parentStep: 0, leaves: [] },
      resume: { state: base.hash, step: 0 },
    });
  });

  it("runs again what came after a stop between trace points: another lease's trace must not have that point", async () => {
    await trained(0, 20);
    for (const [step, checkpoint] of [
      [23, true],
      [25, false],
    ] as const) {
      const leaf = { step, stateHash: hashAt(step), batchDigest: hashAt(1000 + step), meanLoss: 1 };
      await files.write(hashAt(step), state(step));
      journal.appendLeaves(1n, hashAt(20), [{ ...leaf, checkpoint }]);
    }
    const found = await recoverSegments(journal, files, 1n, base, schedule);
    expect(found.finished).toHaveLength(2);
    expect(found.current).toEqual({ parent: hashAt(20), parentStep: 20, leaves: [] });
    expect(found.resume.step).toBe(20);
    expect(journal.leaves(1n, hashAt(20))).toEqual([]);
  });

  it("finds finished segments on top of one another and goes on at the last trace point", async () => {
    await trained(0, 25);
    const found = await recoverSegments(journal, files, 1n, base, schedule);
    expect(found.finished.map(({ parentStep, leaves }) => [parentStep, leaves.map(({ step }) => step)])).toEqual([
      [0, [5, 10]],
      [10, [15, 20]],
    ]);
    expect(found.current.leaves.map(({ step }) => step)).toEqual([25]);
    expect(found.resume).toEqual({ state: hashAt(25), step: 25 });
  });

  it("goes on from the base that the chain names, not from older work", async () => {
    await trained(0, 25);
    const found = await recoverSegments(journal, files, 1n, { hash: hashAt(20), step: 20 }, schedule);
    expect(found.finished).toEqual([]);
    expect(found.resume.step).toBe(25);
  });

  it("runs steps again whose states are gone or damaged, and forgets their leaves", async () => {
    await trained(0, 25);
    rmSync(files.path(hashAt(25)));
    writeFileSync(files.path(hashAt(20)), "half of it");
    const found = await recoverSegments(journal, files, 1n, base, schedule);
    expect(found.finished).toHaveLength(1);
    expect(found.resume).toEqual({ state: hashAt(15), step: 15 });
    expect(journal.leaves(1n, hashAt(10)).map(({ step }) => step)).toEqual([15]);
  });
});
