import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Compute, TrainingRun, TrainRequest, TrainResult } from "@gpuchain/sdk/compute";
import { type Hex, sha256Hex } from "@gpuchain/sdk/records";

/** The bytes of a state that a fake run shows: all it takes is to differ by step and line. */
export const fakeState = (step: number, line = ""): Uint8Array =>
  new TextEncoder().encode(`state${line} after ${step}`);
export const fakeHash = (step: number, line = ""): Hex => sha256Hex(fakeState(step, line));

/** A training process that takes steps when the test says so. */
export interface FakeCompute {
  readonly compute: Compute;
  /** runs begun so far, newest last */
  readonly runs: { readonly request: TrainRequest; from: number; step: number; paused: boolean; over: boolean }[];
  /** takes `n` steps of the newest run; fewer when it pauses, stops or ends */
  advance(n: number): void;
  /** the process dies */
  die(): void;
  /** the newest run fails; the process lives */
  fail(error: Error): void;
}

export function fakeCompute(line = ""): FakeCompute {
  const runs: (FakeCompute["runs"][number] & {
    settle: (result: TrainResult) => void;
    fail: (error: Error) => void;
    traced: number;
  })[] = [];
  let alive = true;

  const trace = (run: (typeof runs)[number]) => {
    const state = fakeState(run.step, line);
    const stateHash = sha256Hex(state);
    mkdirSync(run.request.outDir, { recursive: true });
    const statePath = join(run.request.outDir, stateHash.slice(2));
    writeFileSync(statePath, state);
    run.traced = run.step;
    const leaf = { step: run.step, stateHash, batchDigest: fakeHash(run.step, "batch"), meanLoss: 1 / run.step };
    run.request.onTrace?.({ leaf, statePath, bytes: state.length });
  };
  const train = (request: TrainRequest): TrainingRun => {
    let settle: (result: TrainResult) => void = () => undefined;
    let fail: (error: Error) => void = () => undefined;
    const done = new Promise<TrainResult>((resolve, reject) => {
      settle = resolve;
      fail = reject;
    });
    done.catch(() => undefined);
    const from = request.parentPath === "genesis" ? 0 : stepOf(request.parentPath, line);
    const run = { request, from, step: from, paused: false, over: false, settle, fail, traced: from };
    runs.push(run);
    return {
      done,
      pause: () => {
        run.paused = true;
      },
      resume: () => {
        run.paused = false;
      },
      stop: ({ trace: wanted = false } = {}) => {
        if (!run.over && wanted && run.step > run.traced) trace(run);
        if (!run.over) settle({ step: run.step, stopped: true });
        run.over = true;
        return done;
      },
    };
  };

  const unused = () => Promise.reject(new Error("not used by the node"));
  return {
    runs,
    advance(n) {
      const run = runs.at(-1);
      for (let i = 0; run !== undefined && i < n && !run.paused && !run.over; i++) {
        run.step++;
        run.request.onStep?.({ step: run.step, loss: 1, lr: 0.001, ms: 1, microBatch: 8, memoryMb: 100 });
        const { traceInterval, checkpointInterval, toStep } = run.request;
        if (run.step % traceInterval === 0 || run.step % checkpointInterval === 0 || run.step === toStep) trace(run);
        if (run.step < toStep) continue;
        run.over = true;
        run.settle({ step: run.step, stopped: false });
      }
    },
    fail(error) {
      const run = runs.at(-1);
      if (run === undefined || run.over) return;
      run.over = true;
      run.fail(error);
    },
    die() {
      alive = false;
      for (const run of runs) if (!run.over) run.fail(new Error("the training process died"));
      for (const run of runs) run.over = true;
    },
    compute: {
      pid: 1,
      exited: new Promise(() => undefined),
      get alive() {
        return alive;
      },
      open: unused,
      train,
      inspect: unused,
      replay: unused,
      evaluate: unused,
      usage: unused,
      close: async () => undefined,
    },
  };
}

/** Which step's state a file is, by its name. */
function stepOf(path: string, line: string): number {
  for (let step = 0; step <= 1000; step++) if (path.endsWith(fakeHash(step, line).slice(2))) return step;
  throw new Error(`${path} is no state of this line`);
}
