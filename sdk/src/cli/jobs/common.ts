import { z } from "zod";
import { GpuchainError } from "../../daemon/index.ts";
import { type JobSpec, type ModelDescription, providerList, sha256Hex, type Template } from "../../records/index.ts";
import type { FileForm } from "../../training/data/readers/labelledTexts.ts";
import {
  completeSpec,
  type Dataset,
  DISTANCE_LIMITS,
  defaultTraceInterval,
  encodeDataset,
  groupedSplit,
  TrainingError,
} from "../../training/index.ts";

/** Reads files that a job names, by their paths in the job file. */
export interface JobFiles {
  text(file: string): string;
  bytes(file: string): Uint8Array;
}

/** What becomes of a job file: its spec, the bytes that it names, and what a person should know of the data. */
export interface BuiltJob {
  spec: JobSpec;
  blobs: Uint8Array[];
  notes: string[];
}

/** A table, or objects, one a line; packed by gzip or not. */
export const rowsFile = z
  .string()
  .regex(/\.(csv|tsv|jsonl)(\.gz)?$/i, "must end in .csv, .tsv or .jsonl, or in one of these and .gz");

/** What every file of rows may say of itself. */
export const rowsSettings = {
  file: rowsFile,
  /** Whether the first line of a table names its columns; without, they are called 0, 1, 2 and so on. */
  header: z.boolean().default(true),
  /** The share of bad rows from which on the file is refused; up to it they are left out and counted. */
  maxBadShare: z.number().min(0).max(1).optional(),
};

export const formOf = (file: string, header = true): FileForm =>
  /\.jsonl(\.gz)?$/i.test(file) ? { form: "jsonl" } : { form: "csv", header };

/** How the rows of a job's file are read. */
export const rowsOptions = (data: { file: string; header: boolean; maxBadShare?: number | undefined }) => ({
  file: formOf(data.file, data.header),
  ...(data.maxBadShare !== undefined && { maxBadShare: data.maxBadShare }),
});

/** Reads a file of a client's: what is wrong with it is told with its name. */
export function reading<Value>(file: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof TrainingError)) throw cause;
    const message = cause.message.charAt(0).toLowerCase() + cause.message.slice(1);
    throw new GpuchainError(cause.code, `${file}: ${message}`, {
      hint: "mend the file, and check the job again",
      cause,
    });
  }
}

/** A person reads this: a few are enough. */
export function describeClasses(labels: readonly string[]): string {
  const shown = labels.slice(0, 10).map((label) => label.slice(0, 40));
  const more = labels.length - shown.length;
  return `${labels.length} classes: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A count of the model's; the spec has the upper bounds. */
export const size = (usual: number) => z.int().min(1).default(usual);

/** Of a transformer trained from scratch: each head takes an equal part of the width. */
export const fitsHeads = ({ width, heads }: { width: number; heads: number }) => width % heads === 0;
export const MISFIT = { path: ["width"], message: "must be a multiple of heads" };

/** Share of the examples that is kept from the providers, to judge by. */
export const heldOutShare = (share: number) => z.number().min(0.01).max(0.5).default(share);

/** What each template sets out from; `gpuchain init` writes these numbers down. */
export const DEFAULTS = {
  "text-classification": { learningRate: 7e-4, heldOut: 0.2, target: 0.8 },
  "text-classification-lora": { learningRate: 5e-4, heldOut: 0.2, target: 0.8 },
  "language-model": { learningRate: 2e-3, heldOut: 0.1, target: 6 },
  mlp: { learningRate: 3e-3, heldOut: 0.2, target: 0.8 },
} as const satisfies Record<Template, object>;

/** The settings that every template has. */
export function commonSettings<Name extends Template>(template: Name) {
  const { learningRate, target } = DEFAULTS[template];
  // Nats a token have no upper end.
  const highest = template === "language-model" ? Number.MAX_VALUE : 1;
  return {
    title: z.string().max(200),
    template: z.literal(template),
    training: z
      .strictObject({
        steps: z.int().min(1).max(10_000_000).default(400),
        batch: z
          .int()
          .min(2)
          .max(65_536)
          .refine((batch) => batch % 2 === 0, "must be even")
          .default(32),
        learningRate: z.number().positive().max(1).default(learningRate),
        warmup: z.int().min(0).default(40),
        weightDecay: z.number().min(0).default(0.01),
        seed: z.int().min(0).max(0xffffffff).default(1),
      })
      .prefault({}),
    /** The only ones that may train it. Left out: anybody. */
    providers: z
      .array(z.string().regex(/^0x[0-9a-fA-F]{40}$/, "expected an address"))
      .min(1)
      .optional(),
    /** `canonical`: the same bits on every machine; `native`: faster, checked by update distance. */
    class: z.enum(["native", "canonical"]).default("native"),
    checkpoint: z
      .strictObject({
        interval: z.int().min(1).default(50),
        /** Left out: by the size of the state. */
        traceInterval: z.int().min(1).optional(),
      })
      .prefault({}),
    acceptance: z
      .strictObject({
        target: z.number().min(0).max(highest).default(target),
        tolerance: z.number().min(0).default(0.1),
      })
      .prefault({}),
  };
}

type CommonJob = { [Name in Template]: z.output<z.ZodObject<ReturnType<typeof commonSettings<Name>>>> }[Template];

/** What is particular to a template's job. */
export interface JobParts {
  model: ModelDescription;
  train: Dataset;
  heldOut: Dataset;
  tokenizer: JobSpec["data"]["tokenizer"];
  labels: string[];
  columns?: JobSpec["data"]["columns"];
  /** further bytes that the spec names: a tokenizer, base weights */
  blobs?: Uint8Array[];
}

/** The spec of a job, with its blobs. */
export function assemble(job: CommonJob, parts: JobParts): Omit<BuiltJob, "notes"> {
  const { training, checkpoint, acceptance } = job;
  const train = encodeDataset(parts.train);
  const heldOut = encodeDataset(parts.heldOut);
  const heldOutHash = sha256Hex(heldOut);
  const interval = Math.min(checkpoint.interval, training.steps);
  const spec = completeSpec({
    version: 1,
    template: job.template,
    title: job.title,
    model: parts.model,
    data: {
      format: parts.train.format,
      train: { sha256: sha256Hex(train), bytes: train.length },
      heldOut: { sha256: heldOutHash, bytes: heldOut.length, sealed: false, plain: heldOutHash },
      tokenizer: parts.tokenizer,
      labels: parts.labels,
      ...(parts.columns !== undefined && { columns: parts.columns }),
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
      interval,
      traceInterval: Math.min(checkpoint.traceInterval ?? defaultTraceInterval(parts.model, interval), interval),
    },
    acceptance: {
      metric: parts.train.format === "tokens" ? "nll" : "balancedAccuracy",
      tolerance: acceptance.tolerance,
      target: acceptance.target,
      subset: Math.min(256, parts.heldOut.examples),
      replayedIntervals: 1,
      distance: DISTANCE_LIMITS[job.template],
    },
    ...(job.providers && { providers: providerList(job.providers) }),
  });
  return { spec, blobs: [train, heldOut, ...(parts.blobs ?? [])] };
}

/** The largest grain up to 8 that divides the batch: the unit in which a canonical batch may be split. */
function largestGrain(batch: number): number {
  return [8, 4].find((grain) => batch % grain === 0) ?? 2;
}

/**
 * Examples to train on and to judge by. Equal ones stay on one side: a model must not be judged by what it was trained on.
 *
 * @throws GpuchainError `BAD_DATASET` when there is only one class, or a side is left without examples
 */
export function splitLabelled<Example>(
  { file, heldOut }: { file: string; heldOut: number },
  { examples, labels, seed }: { examples: readonly Example[]; labels: readonly string[]; seed: number },
  keyOf: (example: Example) => string,
): { train: Example[]; heldOut: Example[] } {
  if (labels.length < 2) {
    throw new GpuchainError("BAD_DATASET", `${file} holds one class only: ${labels.join()}`, {
      hint: "a classifier needs at least two; is data.label the right column?",
    });
  }
  if (labels.length > examples.length / 2) {
    throw new GpuchainError("BAD_DATASET", `${file} holds ${labels.length} classes in ${examples.length} rows`, {
      hint: "most have one example only, which cannot be learned; is data.label the right column?",
    });
  }
  const split = groupedSplit(examples, keyOf, Math.round(examples.length * heldOut), seed);
  for (const [name, part] of Object.entries(split)) {
    if (part.length < 2) {
      throw new GpuchainError("BAD_DATASET", `only ${part.length} examples of ${file} are left for the ${name} part`, {
        hint: "give more of them (equal ones count as one: they stay on one side), or another heldOut share",
      });
    }
  }
  return split;
}
