import { type JobSpec, type ModelDescription, sha256Hex } from "../../records/index.ts";
import { type Dataset, encodeDataset, labelledTokens } from "../data/dataset.ts";
import { completeSpec, type JobSpecDraft } from "../program/completeSpec.ts";
import { createProgram, type Program } from "../program/createProgram.ts";
import { randomWords } from "../random/philox.ts";
import { DISTANCE_LIMITS } from "../replay/updateDistance.ts";

const SEQUENCE = 12;
const VOCABULARY = 64;

/** An encoder small enough for tests that train: about 5,000 weights. */
export const TINY_ENCODER: ModelDescription = {
  architecture: "encoder",
  layers: 1,
  width: 16,
  heads: 2,
  feedForward: 32,
  vocabulary: VOCABULARY,
  sequence: SEQUENCE,
  classes: 3,
};

/** Texts of random length whose class is the residue of their first word: learnable, and every token matters a little. */
export function tinyData(examples: number, seed: number): Dataset {
  const word = randomWords(seed, 99, 0);
  let next = 0;
  return labelledTokens(
    Array.from({ length: examples }, () => {
      const length = 2 + (word(next++) % (SEQUENCE - 1));
      const ids = [1, ...Array.from({ length: length - 1 }, () => 2 + (word(next++) % (VOCABULARY - 2)))];
      return { ids, label: (ids[1] as number) % 3 };
    }),
    SEQUENCE,
  );
}

export interface TinyJob {
  readonly spec: JobSpec;
  readonly program: Program;
  readonly train: Dataset;
  readonly heldOut: Dataset;
}

/** A whole job of the tiny encoder (or another model with its data), for tests. */
export function tinyJob(
  options: Partial<Pick<JobSpecDraft, "class" | "grain" | "model" | "template">> & {
    readonly training?: Partial<JobSpecDraft["training"]>;
    readonly train?: Dataset;
    readonly heldOut?: Dataset;
  } = {},
): TinyJob {
  const { train = tinyData(200, 1), heldOut = tinyData(70, 2), training, ...given } = options;
  const trainBlob = encodeDataset(train);
  const heldOutBlob = encodeDataset(heldOut);
  const spec = completeSpec({
    version: 1,
    template: "text-classification",
    title: "Tiny",
    model: TINY_ENCODER,
    data: {
      format: train.format,
      train: { sha256: sha256Hex(trainBlob), bytes: trainBlob.length },
      heldOut: {
        sha256: sha256Hex(heldOutBlob),
        bytes: heldOutBlob.length,
        sealed: false,
        plain: sha256Hex(heldOutBlob),
      },
      tokenizer: { name: "none" },
      labels: ["a", "b", "c"],
    },
    training: {
      steps: 40,
      batch: 16,
      microBatchCap: 16,
      optimizer: { name: "adamw", beta1: 0.9, beta2: 0.999, epsilon: 1e-6, weightDecay: 0.01 },
      schedule: { name: "linear", peak: 3e-3, warmup: 4, floor: 0.05 },
      seed: 11,
      ...training,
    },
    class: "native",
    grain: 4,
    checkpoint: { interval: 10, traceInterval: 5 },
    acceptance: {
      metric: "balancedAccuracy",
      tolerance: 0.05,
      target: 0.5,
      subset: 32,
      replayedIntervals: 1,
      distance: DISTANCE_LIMITS[given.template ?? "text-classification"],
    },
    ...given,
  });
  return { spec, program: createProgram(spec), train, heldOut };
}
