import { z } from "zod";
import { GpuchainError } from "../daemon/index.ts";
import { type JobSpec, sha256Hex } from "../records/index.ts";
import {
  completeSpec,
  DISTANCE_LIMITS,
  describeReport,
  encodeDataset,
  groupedSplit,
  hashedWords,
  type LabelledText,
  labelledTokens,
  readLabelledTexts,
} from "../training/index.ts";

/** A text classifier trained from scratch on a file of labelled texts. */
export const textJobSchema = z.strictObject({
  title: z.string().max(200),
  template: z.literal("text-classification"),
  data: z.strictObject({
    /** A .csv or .jsonl file. */
    file: z.string().regex(/\.(csv|jsonl)$/i, "must end in .csv or .jsonl"),
    /** Column (or field) with the text. */
    text: z.string().default("text"),
    /** Column (or field) with the class. */
    label: z.string().default("label"),
    /** Share of the texts that is kept from the providers, to judge by. */
    heldOut: z.number().min(0.01).max(0.5).default(0.2),
  }),
  model: z
    .strictObject({
      layers: z.int().default(2),
      width: z.int().default(128),
      heads: z.int().default(2),
      feedForward: z.int().default(512),
      vocabulary: z.int().default(4096),
      sequence: z.int().default(64),
    })
    .prefault({}),
  training: z
    .strictObject({
      steps: z.int().min(1).default(400),
      batch: z.int().min(2).default(32),
      learningRate: z.number().positive().default(7e-4),
      warmup: z.int().min(0).default(40),
      weightDecay: z.number().min(0).default(0.01),
      seed: z.int().min(0).default(1),
    })
    .prefault({}),
  /** `canonical`: the same bits on every machine; `native`: faster, checked by update distance. */
  class: z.enum(["native", "canonical"]).default("native"),
  checkpoint: z
    .strictObject({ interval: z.int().min(1).default(50), traceInterval: z.int().min(1).default(5) })
    .prefault({}),
  acceptance: z
    .strictObject({ target: z.number().min(0).max(1).default(0.8), tolerance: z.number().min(0).default(0.1) })
    .prefault({}),
});

export type TextJob = z.output<typeof textJobSchema>;

/** Spec and blobs of a text job. @param read gives the text of the data file that the job names */
export function buildTextJob(
  job: TextJob,
  read: (file: string) => string,
): { spec: JobSpec; blobs: Uint8Array[]; notes: string[] } {
  const { data, model, training } = job;
  const form = data.file.toLowerCase().endsWith(".csv") ? "csv" : "jsonl";
  const file = form === "csv" ? ({ form, header: true } as const) : ({ form } as const);
  const { examples, labels, report } = readLabelledTexts(read(data.file), {
    file,
    label: data.label,
    texts: [data.text],
  });
  if (labels.length < 2) {
    throw new GpuchainError("BAD_DATASET", `${data.file} holds ${labels.length} class`, {
      hint: "a classifier needs at least two",
    });
  }
  const wanted = Math.round(examples.length * data.heldOut);
  // Equal texts stay on one side: a model must not be judged by what it was trained on.
  const split = groupedSplit(examples, (example) => example.text.trim().toLowerCase(), wanted, training.seed);
  for (const [name, part] of Object.entries(split)) {
    if (part.length < 2) {
      throw new GpuchainError("BAD_DATASET", `only ${part.length} texts are left for the ${name} part`, {
        hint: "give more texts, or another heldOut share",
      });
    }
  }
  const encode = (texts: readonly LabelledText[]) =>
    encodeDataset(
      labelledTokens(
        texts.map(({ text, label }) => ({ ids: hashedWords(text, model.vocabulary, model.sequence), label })),
        model.sequence,
      ),
    );
  const train = encode(split.train);
  const heldOut = encode(split.heldOut);
  const heldOutHash = sha256Hex(heldOut);
  const spec = completeSpec({
    version: 1,
    template: job.template,
    title: job.title,
    model: { architecture: "encoder", ...model, classes: labels.length },
    data: {
      format: "labelled-tokens",
      train: { sha256: sha256Hex(train), bytes: train.length },
      heldOut: { sha256: heldOutHash, bytes: heldOut.length, sealed: false, plain: heldOutHash },
      tokenizer: { name: "hashed-words", vocabulary: model.vocabulary },
      labels,
    },
    training: {
      steps: training.steps,
      batch: training.batch,
      microBatchCap: training.batch,
      optimizer: { name: "adamw", beta1: 0.9, beta2: 0.999, epsilon: 1e-6, weightDecay: training.weightDecay },
      schedule: {
        name: "linear",
        peak: training.learningRate,
        warmup: Math.min(training.warmup, training.steps),
        floor: 0.05,
      },
      seed: training.seed,
    },
    class: job.class,
    grain: largestGrain(training.batch),
    checkpoint: {
      interval: Math.min(job.checkpoint.interval, training.steps),
      traceInterval: Math.min(job.checkpoint.traceInterval, job.checkpoint.interval, training.steps),
    },
    acceptance: {
      metric: "balancedAccuracy",
      tolerance: job.acceptance.tolerance,
      target: job.acceptance.target,
      subset: Math.min(256, split.heldOut.length),
      replayedIntervals: 1,
      distance: DISTANCE_LIMITS[job.template],
    },
  });
  const notes = [
    describeReport(report),
    `${labels.length} classes: ${labels.join(", ")}`,
    `${split.train.length} texts to train on, ${split.heldOut.length} held out`,
  ];
  return { spec, blobs: [train, heldOut], notes };
}

/** The largest grain up to 8 that divides the batch: the unit in which a canonical batch may be split. */
function largestGrain(batch: number): number {
  return [8, 4, 2].find((grain) => batch % grain === 0) ?? batch;
}
