import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import type { Hex } from "../../records/index.ts";
import { intervalDigest } from "../data/batchDigest.ts";
import { TrainingError } from "../errors.ts";
import { updateDistance } from "../replay/updateDistance.ts";
import { createNativeRuntime } from "../runtimes/native.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import { createWasmRuntime } from "../runtimes/wasm.ts";
import { decodeCheckpoint, encodeCheckpoint, stateHash } from "../state/checkpoint.ts";
import { initialState } from "../state/initialState.ts";
import type { TrainingState } from "../state/state.ts";
import { type TinyJob, tinyJob } from "../testing/tinyJob.ts";
import { createTrainer, type Trainer } from "./createTrainer.ts";

const native = createNativeRuntime({ threads: 1 });
const wasm = createWasmRuntime({ threads: 1 });
const open: Trainer[] = [];

async function trainer(job: TinyJob, runtime: Runtime, state?: TrainingState, microBatch?: number): Promise<Trainer> {
  const { program, train } = job;
  const started = await createTrainer({
    program,
    runtime,
    data: train,
    state: state ?? initialState(program),
    ...(microBatch ? { microBatch } : {}),
  });
  open.push(started);
  return started;
}

async function hashAfter(job: TinyJob, runtime: Runtime, steps: number, state?: TrainingState): Promise<Hex> {
  const running = await trainer(job, runtime, state);
  for (let i = 0; i < steps; i++) await running.step();
  return stateHash(job.program, running.state());
}

afterEach(async () => {
  for (const running of open.splice(0)) await running.close();
});

/** Both classes' hashes from one other process. */
let elsewhere: Promise<Record<string, string>> | undefined;

async function hashesElsewhere(): Promise<Record<string, string>> {
  const script = fileURLToPath(new URL("../testing/hashInProcess.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=source", "--import=tsx", script]);
  return JSON.parse(stdout);
}

describe.each([
  ["native", native, tinyJob()],
  ["canonical", wasm, tinyJob({ class: "canonical" })],
] as const)("a %s job", (name, runtime, job) => {
  it("learns", async () => {
    const running = await trainer(job, runtime);
    const losses: number[] = [];
    for (let i = 0; i < 40; i++) losses.push((await running.step()).loss);
    const mean = (part: number[]) => part.reduce((sum, loss) => sum + loss, 0) / part.length;
    expect(mean(losses.slice(0, 5))).toBeGreaterThan(1);
    expect(mean(losses.slice(-5))).toBeLessThan(0.9);
  });

  it("killed anywhere and resumed from a checkpoint file ends in the same bits", async () => {
    const whole = await trainer(job, runtime);
    const files: Uint8Array[] = [encodeCheckpoint(job.program, whole.state())];
    for (let i = 0; i < 9; i++) {
      await whole.step();
      files.push(encodeCheckpoint(job.program, whole.state()));
    }
    const end = stateHash(job.program, whole.state());
    for (const at of [0, 1, 4, 8]) {
      const resumed = decodeCheckpoint(job.program, files[at] as Uint8Array);
      expect(await hashAfter(job, runtime, 9 - at, resumed)).toBe(end);
    }
  });

  it("gives the same bits in another process", { timeout: 180_000 }, async () => {
    elsewhere ??= hashesElsewhere();
    expect((await elsewhere)[name]).toBe(await hashAfter(job, runtime, 3));
  });

  it("reports batches and losses that its trace leaf sums up", async () => {
    const running = await trainer(job, runtime);
    const losses: number[] = [];
    for (let i = 0; i < 3; i++) losses.push((await running.step()).loss);
    const leaf = running.traceLeaf();
    expect(leaf).toEqual({
      step: 3,
      stateHash: stateHash(job.program, running.state()),
      batchDigest: intervalDigest(job.program, 0, 3, job.train.examples),
      meanLoss: ((losses[0] as number) + (losses[1] as number) + (losses[2] as number)) / 3,
    });
    expect(() => running.traceLeaf()).toThrow(expect.objectContaining({ code: "BAD_INPUT" }));
  });
});

describe("a native job", () => {
  it("gives the same bits with one thread and with two", async () => {
    const job = tinyJob({ training: { batch: 64, microBatchCap: 64 } });
    expect(await hashAfter(job, createNativeRuntime({ threads: 2 }), 4)).toBe(await hashAfter(job, native, 4));
  });

  it("moves the same update, nearly, however its batch is split", async () => {
    const job = tinyJob();
    const start = initialState(job.program);
    const run = async (microBatch: number) => {
      const running = await trainer(job, native, start, microBatch);
      expect(running.microBatch).toBe(microBatch);
      await running.step();
      return running.state();
    };
    const whole = await run(16);
    for (const microBatch of [8, 4, 2]) {
      const distance = updateDistance(start, whole, await run(microBatch));
      expect(distance.params).toBeLessThan(1e-4);
      expect(distance.moment).toBeLessThan(3e-6);
    }
  });

  it("halves the micro-batch when memory runs out, and loses no step", async () => {
    const job = tinyJob();
    let refusals = 0;
    /** The real runtime, but runs of more than four examples are told that memory ran out. */
    const small: Runtime = {
      ...native,
      async createSession(graph) {
        const session = await native.createSession(graph);
        return {
          release: () => session.release(),
          run(feeds, into) {
            if ((feeds.labels?.shape[0] ?? 0) <= 4) return session.run(feeds, into);
            refusals++;
            throw new TrainingError("OUT_OF_MEMORY", "memory ran out");
          },
        };
      },
    };
    const running = await trainer(job, small);
    const { step, microBatch } = await running.step();
    expect({ step, microBatch, refusals }).toEqual({ step: 1, microBatch: 4, refusals: 2 });
    const split = await trainer(job, native, undefined, 4);
    await split.step();
    expect(stateHash(job.program, running.state())).toBe(stateHash(job.program, split.state()));
  });

  it.each([
    ["up to the whole batch", 1e5, (unit: number) => 1000 + 100 * unit, 16],
    ["as far as the next one would still fit", 1900, (unit: number) => 1000 + 100 * unit, 8],
    ["back to the last that fitted, where a prediction was wrong", 1900, (unit: number) => (unit < 8 ? 1100 : 5000), 4],
  ])("finds by measurement how many examples fit a memory cap: %s", async (_, limitBytes, bytesOf, expected) => {
    const job = tinyJob();
    let used = 1000;
    /** The real runtime, in a process whose memory is made up. */
    const metered: Runtime = {
      ...native,
      async createSession(graph) {
        const session = await native.createSession(graph);
        return {
          release: () => session.release(),
          run(feeds, into) {
            used = bytesOf(feeds.labels?.shape[0] ?? 0);
            return session.run(feeds, into);
          },
        };
      },
    };
    const { program, train } = job;
    const parameters = { program, runtime: metered, data: train, state: initialState(program) };
    const running = await createTrainer({ ...parameters, memory: { limitBytes, used: () => used } });
    open.push(running);
    expect((await running.step()).microBatch).toBe(expected);
    const same = await trainer(job, native, undefined, expected);
    await same.step();
    expect(stateHash(program, running.state())).toBe(stateHash(program, same.state()));
    used = 1000;
    const tooSmall = createTrainer({ ...parameters, memory: { limitBytes: 1050, used: () => used } });
    await expect(tooSmall).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
  });

  it("keeps its state when a step fails", async () => {
    const job = tinyJob();
    let fail = false;
    const flaky: Runtime = {
      ...native,
      async createSession(graph) {
        const session = await native.createSession(graph);
        return {
          release: () => session.release(),
          run(feeds, into) {
            if (fail) throw new TrainingError("RUNTIME_FAILED", "the device went away");
            return session.run(feeds, into);
          },
        };
      },
    };
    const running = await trainer(job, flaky);
    await running.step();
    fail = true;
    await expect(running.step()).rejects.toMatchObject({ code: "RUNTIME_FAILED" });
    fail = false;
    await running.step();
    expect(stateHash(job.program, running.state())).toBe(await hashAfter(job, native, 2));
  });
});

describe("a canonical job", () => {
  it("refuses a device that cannot hold one grain", async () => {
    const job = tinyJob({ class: "canonical" });
    const full: Runtime = {
      ...wasm,
      createSession: () => Promise.reject(new TrainingError("OUT_OF_MEMORY", "memory ran out")),
    };
    await expect(trainer(job, full)).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
  });

  it("depends on its grain", async () => {
    const [four, eight] = [4, 8].map((grain) => tinyJob({ class: "canonical", grain })) as [TinyJob, TinyJob];
    expect(await hashAfter(four, wasm, 1)).not.toBe(await hashAfter(eight, wasm, 1));
  });
});
