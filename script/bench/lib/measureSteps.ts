import { closeSync, mkdtempSync, openSync, rmSync, writevSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobSpec } from "@gpuchain/sdk/records";
import {
  checkpointPieces,
  createProgram,
  createTrainer,
  initialState,
  type Program,
  type Runtime,
  type Trainer,
} from "@gpuchain/sdk/training";
import type { TemplateWorkload } from "../../workloads/templates.ts";
import { median } from "./table.ts";

export interface StepRow {
  readonly workload: string;
  readonly runtime: string;
  readonly class: JobSpec["class"];
  /** trained weights */
  readonly parameters: number;
  /** wall-clock time of a step, the median */
  readonly stepMs: number;
  /** processor time of a step, all threads together */
  readonly stepCpuMs: number;
  readonly stepsPerSecond: number;
  readonly compileMs: number;
  /** hashing a state and writing its file, as every trace point does */
  readonly traceMs: number;
  readonly traceInterval: number;
  /** a trace point's share of its interval */
  readonly traceShare: number;
  /** most memory that the process held so far, in MiB */
  readonly peakMb: number;
}

const WARM_UP = 3;
const MAX_STEPS = 20;
const MIN_STEPS = 5;
/** Big models get fewer steps. */
const PATIENCE_MS = 4000;

/** Trains a workload for some steps and says what they cost. */
export async function measureSteps(workload: TemplateWorkload, name: string, runtime: Runtime): Promise<StepRow> {
  const { spec, train, base } = workload;
  const program = createProgram(spec);
  const started = performance.now();
  const state = initialState(program);
  const trainer = await createTrainer({ program, runtime, data: train, state, ...(base ? { base } : {}) });
  const compileMs = performance.now() - started;
  for (let i = 0; i < WARM_UP; i++) await trainer.step();
  const times: number[] = [];
  const cpuTimes: number[] = [];
  const begin = performance.now();
  while (times.length < MIN_STEPS || (times.length < MAX_STEPS && performance.now() - begin < PATIENCE_MS)) {
    const from = performance.now();
    const cpu = process.cpuUsage();
    await trainer.step();
    const used = process.cpuUsage(cpu);
    times.push(performance.now() - from);
    cpuTimes.push((used.user + used.system) / 1000);
  }
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const traceMs = await measureTrace(program, trainer);
  await trainer.close();
  const stepMs = median(times);
  const { traceInterval } = spec.checkpoint;
  return {
    workload: name,
    runtime: `${runtime.name}, ${runtime.threads} thread${runtime.threads > 1 ? "s" : ""}`,
    class: spec.class,
    parameters: program.layout.size,
    stepMs,
    stepCpuMs: median(cpuTimes),
    stepsPerSecond: 1000 / stepMs,
    compileMs,
    traceMs,
    traceInterval,
    traceShare: traceMs / (traceInterval * stepMs),
    peakMb,
  };
}

/** What a node does at a trace point: the leaf with the state's hash, and the state in a file, written over one that is not needed any more. */
async function measureTrace(program: Program, trainer: Trainer): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "gpuchain-trace-"));
  const times: number[] = [];
  try {
    for (let i = 0; i < 5; i++) {
      await trainer.step();
      const from = performance.now();
      trainer.traceLeaf();
      const file = openSync(join(folder, "state"), i === 0 ? "w" : "r+");
      writevSync(file, checkpointPieces(program, trainer.state()));
      closeSync(file);
      times.push(performance.now() - from);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return median(times);
}
