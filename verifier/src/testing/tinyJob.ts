import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenRequest } from "@gpuchain/sdk/compute";
import { sealBytes } from "@gpuchain/sdk/crypto";
import { encodeJobSpec, type JobSpec, sha256Hex } from "@gpuchain/sdk/records";
import { completeSpec, encodeDataset, planePoints } from "@gpuchain/sdk/training";

export interface TinyJob {
  readonly spec: JobSpec;
  readonly specBytes: Uint8Array;
  readonly train: Uint8Array;
  /** as uploaded: sealed where {@link sealedTinyJob} made it */
  readonly heldOut: Uint8Array;
  /** opens the sealed held-out data */
  readonly heldOutKey?: Uint8Array;
}

/** Held-out data that no plain job has: where it turns up, it was not sealed. */
export const SEALED_SEED = 3;

export interface TinyJobOptions {
  readonly class?: JobSpec["class"];
  readonly steps?: number;
  readonly interval?: number;
  readonly traceInterval?: number;
  readonly replayedIntervals?: number;
  readonly tolerance?: number;
  readonly target?: number;
  readonly seed?: number;
  readonly peak?: number;
  readonly hidden?: number;
  readonly heldOutSeed?: number;
}

/** A perceptron that learns on which side of a plane a point lies; a step takes about a millisecond. */
export function tinyJob(options: TinyJobOptions = {}): TinyJob {
  const train = encodeDataset(planePoints(256, 1));
  const heldOut = encodeDataset(planePoints(64, options.heldOutSeed ?? 2));
  const heldOutHash = sha256Hex(heldOut);
  const spec = completeSpec({
    version: 1,
    template: "mlp",
    title: "Which side of a plane",
    model: { architecture: "mlp", inputs: 8, hidden: [options.hidden ?? 16], classes: 2 },
    data: {
      format: "table",
      train: { sha256: sha256Hex(train), bytes: train.length },
      heldOut: { sha256: heldOutHash, bytes: heldOut.length, sealed: false, plain: heldOutHash },
      tokenizer: { name: "none" },
      labels: ["below", "above"],
    },
    training: {
      steps: options.steps ?? 40,
      batch: 32,
      microBatchCap: 32,
      optimizer: { name: "adamw", beta1: 0.9, beta2: 0.999, epsilon: 1e-6, weightDecay: 0.01 },
      schedule: { name: "linear", peak: options.peak ?? 0.01, warmup: 5, floor: 0.1 },
      seed: options.seed ?? 7,
    },
    class: options.class ?? "native",
    grain: 8,
    checkpoint: { interval: options.interval ?? 10, traceInterval: options.traceInterval ?? 5 },
    acceptance: {
      metric: "balancedAccuracy",
      tolerance: options.tolerance ?? 0.2,
      target: options.target ?? 0.6,
      subset: 32,
      replayedIntervals: options.replayedIntervals ?? 1,
      distance: { params: 1e-3, moment: 1e-5 },
    },
  });
  return { spec, specBytes: encodeJobSpec(spec), train, heldOut };
}

/** {@link tinyJob} with its held-out data sealed. */
export async function sealedTinyJob(options: TinyJobOptions = {}): Promise<TinyJob> {
  const job = tinyJob({ heldOutSeed: SEALED_SEED, ...options });
  const { sealed, key } = await sealBytes(job.heldOut);
  const heldOut = { ...job.spec.data.heldOut, sha256: sha256Hex(sealed), bytes: sealed.length, sealed: true };
  const spec = { ...job.spec, data: { ...job.spec.data, heldOut } };
  return { ...job, spec, specBytes: encodeJobSpec(spec), heldOut: sealed, heldOutKey: key };
}

/** Writes a job's files as a daemon keeps them. */
export function writeJob(job: TinyJob, directory: string): OpenRequest {
  mkdirSync(directory, { recursive: true });
  const write = (name: string, bytes: Uint8Array): string => {
    const path = join(directory, name);
    writeFileSync(path, bytes);
    return path;
  };
  return {
    specPath: write("spec.json", job.specBytes),
    trainPath: write("train.bin", job.train),
    heldOutPath: write("heldOut.bin", job.heldOut),
  };
}
