import { z } from "zod";
import { blobRefSchema, hashSchema } from "./blobRef.ts";
import type { Hex } from "./bytes.ts";
import { canonicalJson } from "./canonicalJson.ts";
import { RecordError } from "./errors.ts";
import { modelSchema } from "./model.ts";
import { providerListSchema } from "./providerList.ts";
import { sha256Hex } from "./sha256.ts";

/** Workload templates, as registered on chain by the keccak-256 of their names. */
export const TEMPLATES = ["text-classification", "text-classification-lora", "language-model", "mlp"] as const;
export type Template = (typeof TEMPLATES)[number];

const tokenizerSchema = z.discriminatedUnion("name", [
  /** words hashed into `vocabulary` buckets: nothing to ship */
  z.strictObject({ name: z.literal("hashed-words"), vocabulary: z.int().min(16).max(1_000_000) }),
  /** a Hugging Face `tokenizer.json` blob */
  z.strictObject({ name: z.literal("huggingface"), file: blobRefSchema }),
  /** no text: columns of numbers */
  z.strictObject({ name: z.literal("none") }),
]);

const dataSchema = z.strictObject({
  /** which columns the data blobs hold, see `Dataset` in `sdk/src/training` */
  format: z.enum(["labelled-tokens", "tokens", "table"]),
  train: blobRefSchema,
  /** held-out examples; with `sealed` the blob is an encrypted stream and `plain` names its content */
  heldOut: blobRefSchema.extend({ sealed: z.boolean(), plain: hashSchema }),
  tokenizer: tokenizerSchema,
  /** names of the classes, in order; empty for language models */
  labels: z.array(z.string().max(200)).max(10_000),
  /** tables: the columns in order, and what was taken off each number and divided out of it; to use the model takes the same */
  columns: z
    .array(z.strictObject({ name: z.string().max(200), mean: z.number(), deviation: z.number().positive() }))
    .max(65_536)
    .optional(),
});

const trainingSchema = z.strictObject({
  steps: z.int().min(1).max(10_000_000),
  /** examples per logical step; at least 2, because a batch of one runs on other kernels with other bits */
  batch: z.int().min(2).max(65536),
  /** most examples that may run at once; the device may take fewer */
  microBatchCap: z.int().min(2).max(65536),
  optimizer: z.strictObject({
    name: z.literal("adamw"),
    beta1: z.number().min(0).lt(1),
    beta2: z.number().min(0).lt(1),
    epsilon: z.number().positive().max(1),
    weightDecay: z.number().min(0).max(1),
  }),
  schedule: z.strictObject({
    name: z.enum(["linear", "constant"]),
    /** learning rate after warm-up */
    peak: z.number().positive().max(1),
    /** steps of linear warm-up */
    warmup: z.int().min(0),
    /** least rate, as a fraction of the peak */
    floor: z.number().min(0).max(1),
  }),
  seed: z.int().min(0).max(0xffffffff),
});

const acceptanceSchema = z.strictObject({
  /** what the quality gate measures against the last accepted checkpoint; higher is better except for nll */
  metric: z.enum(["balancedAccuracy", "nll"]),
  /** a change for the worse beyond this makes the judges replay the whole segment */
  tolerance: z.number().min(0),
  /** the client's target at the end, in the metric's unit */
  target: z.number(),
  /** held-out examples drawn per checkpoint */
  subset: z.int().min(1).max(1_000_000),
  /** trace intervals that every judge replays */
  replayedIntervals: z.int().min(1).max(1000),
  /** refuse a native job's interval at or above these update distances */
  distance: z.strictObject({ params: z.number().positive(), moment: z.number().positive() }),
});

const isPowerOfTwo = (value: number) => value > 0 && Number.isInteger(Math.log2(value));

/** The job spec: what is trained, on which data, how it is checked. Immutable once posted; its SHA-256 stands in the job's terms. */
export const jobSpecSchema = z
  .strictObject({
    version: z.literal(1),
    template: z.enum(TEMPLATES),
    /** a name for people */
    title: z.string().max(200),
    model: modelSchema,
    /** hash of the graphs this model and training give; see `buildGraphs` */
    graphHash: hashSchema,
    data: dataSchema,
    training: trainingSchema,
    class: z.enum(["native", "canonical"]),
    /** canonical jobs: examples per indivisible grain; a power of two that divides the batch */
    grain: z.int().min(2).max(65536),
    checkpoint: z.strictObject({ interval: z.int().min(1), traceInterval: z.int().min(1) }),
    acceptance: acceptanceSchema,
    /** who may train it, see `providerList`; their root stands in the job's terms. Left out: anybody */
    providers: providerListSchema.optional(),
    resources: z.strictObject({
      /** least memory a provider needs, in bytes */
      memoryBytes: z.int().min(0),
      /** floating-point operations of one step, forward and backward */
      flopsPerStep: z.number().min(0),
    }),
  })
  .refine((spec) => isPowerOfTwo(spec.grain) && spec.training.batch % spec.grain === 0, {
    path: ["grain"],
    message: "must be a power of two that divides the batch",
  })
  .refine((spec) => spec.class === "native" || isPowerOfTwo(spec.training.batch), {
    path: ["training", "batch"],
    message: "must be a power of two in a canonical job",
  })
  .refine((spec) => spec.checkpoint.traceInterval <= spec.checkpoint.interval, {
    path: ["checkpoint", "traceInterval"],
    message: "must not exceed the checkpoint interval",
  });

export type JobSpec = z.infer<typeof jobSpecSchema>;

const MAX_SPEC_BYTES = 1 << 20;

/**
 * Canonical bytes of a job spec (RFC 8785 JSON), checked first.
 *
 * @throws RecordError `BAD_JOB_SPEC`, naming each field that is wrong
 */
export function encodeJobSpec(spec: JobSpec): Uint8Array {
  return new TextEncoder().encode(canonicalJson(checkJobSpec(spec)));
}

/**
 * Reads a job spec's bytes. They must be canonical: the same spec written any other way is refused, so that one spec has one hash.
 *
 * @throws RecordError `BAD_JOB_SPEC`
 */
export function parseJobSpec(bytes: Uint8Array): JobSpec {
  if (bytes.length > MAX_SPEC_BYTES)
    throw new RecordError(
      "BAD_JOB_SPEC",
      `A job spec may take ${MAX_SPEC_BYTES} bytes; this one takes ${bytes.length}.`,
    );
  let text: string;
  let json: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    json = JSON.parse(text);
  } catch (cause) {
    throw new RecordError("BAD_JOB_SPEC", "The job spec is not UTF-8 JSON.", { cause });
  }
  const spec = checkJobSpec(json);
  if (canonicalJson(spec) !== text)
    throw new RecordError(
      "BAD_JOB_SPEC",
      "The job spec is not in canonical form (RFC 8785): encode it with encodeJobSpec.",
    );
  return spec;
}

/** Checks a job spec's shape and bounds. @throws RecordError `BAD_JOB_SPEC` */
export function checkJobSpec(value: unknown): JobSpec {
  const result = jobSpecSchema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join(".") || "spec"}: ${issue.message}`);
  throw new RecordError("BAD_JOB_SPEC", `The job spec is not valid. ${problems.join("; ")}.`, { cause: result.error });
}

/** The hash that stands in the job's terms: SHA-256 of the canonical bytes. */
export const specHash = (spec: JobSpec): Hex => sha256Hex(encodeJobSpec(spec));
