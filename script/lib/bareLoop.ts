// The training program alone, in one process with nothing around it: what the protocol's cost is measured against.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startCompute } from "@gpuchain/sdk/compute";
import { encodeJobSpec } from "@gpuchain/sdk/records";
import type { Workload } from "./clientParty.ts";

export interface BareLoopOptions {
  workload: Workload;
  steps: number;
  /** where the files go */
  directory: string;
  threads: number;
  runtime?: "native" | "wasm";
  signal: AbortSignal;
}

export interface BareLoopResult {
  stepsPerSecond: number;
  /** CPU time of the steps, in ms */
  cpuMs: number;
  wallMs: number;
}

/** Trains `steps` steps from genesis without traces, checkpoints, leases or anybody watching. Compiling is not counted. */
export async function bareLoop(options: BareLoopOptions): Promise<BareLoopResult> {
  const { workload, steps, directory, threads, runtime = "native", signal } = options;
  mkdirSync(directory, { recursive: true });
  const specPath = path.join(directory, "spec.json");
  const trainPath = path.join(directory, "train.bin");
  writeFileSync(specPath, encodeJobSpec(workload.spec));
  writeFileSync(trainPath, workload.train);
  const compute = await startCompute({ runtime, threads, signal });
  try {
    await compute.open({ specPath, trainPath });
    const before = await compute.usage();
    const started = performance.now();
    const outDir = path.join(directory, "states");
    mkdirSync(outDir, { recursive: true });
    // One trace point at the end only: hashing and writing states is the protocol's cost, not the loop's.
    const run = compute.train({
      parentPath: "genesis",
      toStep: steps,
      traceInterval: steps,
      checkpointInterval: steps,
      outDir,
    });
    await run.done;
    const wallMs = performance.now() - started;
    const after = await compute.usage();
    return { stepsPerSecond: (steps / wallMs) * 1000, cpuMs: after.cpuMs - before.cpuMs, wallMs };
  } finally {
    await compute.close();
  }
}
