import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeJobSpec, type JobSpec, sha256Hex } from "../../records/index.ts";
import { completeSpec, encodeDataset, planePoints } from "../../training/index.ts";

export interface TinyJob {
  readonly spec: JobSpec;
  readonly specBytes: Uint8Array;
  readonly train: Uint8Array;
  readonly heldOut: Uint8Array;
}

export interface TinyJobOptions {
  readonly steps?: number;
  readonly class?: JobSpec["class"];
  readonly checkpoint?: JobSpec["checkpoint"];
  /** width of the hidden layer, or of each: with it grow a step's time and a checkpoint's size */
  readonly hidden?: number | readonly number[];
  /** examples of a step: with it grows the memory that it takes */
  readonly batch?: number;
  /** examples that a canonical job runs at one shape */
  readonly grain?: number;
}

/** A job for tests: a small perceptron that learns on which side of a plane a point lies. A step takes about a millisecond. */
export function tinyJob(options: TinyJobOptions = {}): TinyJob {
  const train = encodeDataset(planePoints(256, 1));
  const heldOut = encodeDataset(planePoints(64, 2));
  const heldOutHash = sha256Hex(heldOut);
  const spec = completeSpec({
    version: 1,
    template: "mlp",
    title: "Which side of a plane",
    model: { architecture: "mlp", inputs: 8, hidden: [options.hidden ?? 16].flat(), classes: 2 },
    data: {
      format: "table",
      train: { sha256: sha256Hex(train), bytes: train.length },
      heldOut: { sha256: heldOutHash, bytes: heldOut.length, sealed: false, plain: heldOutHash },
      tokenizer: { name: "none" },
      labels: ["below", "above"],
    },
    training: {
      steps: options.steps ?? 40,
      batch: options.batch ?? 32,
      microBatchCap: options.batch ?? 32,
      optimizer: { name: "adamw", beta1: 0.9, beta2: 0.999, epsilon: 1e-6, weightDecay: 0.01 },
      schedule: { name: "linear", peak: 0.01, warmup: 5, floor: 0.1 },
      seed: 7,
    },
    class: options.class ?? "native",
    grain: options.grain ?? 8,
    checkpoint: options.checkpoint ?? { interval: 10, traceInterval: 5 },
    acceptance: {
      metric: "balancedAccuracy",
      tolerance: 0.2,
      target: 0.6,
      subset: 32,
      replayedIntervals: 1,
      distance: { params: 1e-3, moment: 1e-5 },
    },
  });
  return { spec, specBytes: encodeJobSpec(spec), train, heldOut };
}

/** Writes a job's files as a daemon keeps them. */
export function writeJob(
  job: TinyJob,
  directory: string,
): { specPath: string; trainPath: string; heldOutPath: string } {
  mkdirSync(directory, { recursive: true });
  const paths = {
    specPath: join(directory, "spec.json"),
    trainPath: join(directory, "train.bin"),
    heldOutPath: join(directory, "heldOut.bin"),
  };
  writeFileSync(paths.specPath, job.specBytes);
  writeFileSync(paths.trainPath, job.train);
  writeFileSync(paths.heldOutPath, job.heldOut);
  return paths;
}
