import { type JobSpec, type ModelDescription, sha256Hex, type Template } from "@gpuchain/sdk/records";
import {
  completeSpec,
  createProgram,
  createTextTokenizer,
  type Dataset,
  DISTANCE_LIMITS,
  defaultTraceInterval,
  encodeDataset,
  hashedWords,
  type JobSpecDraft,
  labelledTokens,
  standardisationOf,
  tableDataset,
  tokenWindows,
  trainBytePairs,
} from "@gpuchain/sdk/training";
import { type Mail, spamMails } from "./spamMails.ts";

/** A small job of one template on the mails, in memory: what the benches and the recorded curves train. */
export interface TemplateWorkload {
  readonly template: Template;
  readonly spec: JobSpec;
  readonly train: Dataset;
  readonly heldOut: Dataset;
  /** frozen weights, where the template has them */
  readonly base?: Float32Array;
}

const TRAIN = 2000;
const HELD_OUT = 500;

/** @param scale `small` fits a software GPU: width 32, short sequences */
export function templateWorkload(template: Template, scale: "demo" | "small" = "demo", steps = 200): TemplateWorkload {
  // A fixed stride mixes the folders, which come one after another.
  const mails = spamMails();
  const chosen = Array.from({ length: TRAIN + HELD_OUT }, (_, i) => mails[(i * 1013) % mails.length] as Mail);
  const parts = { train: chosen.slice(0, TRAIN), heldOut: chosen.slice(TRAIN) };
  return BUILDERS[template](parts, scale, steps);
}

interface Parts {
  readonly train: readonly Mail[];
  readonly heldOut: readonly Mail[];
}

type Builder = (parts: Parts, scale: "demo" | "small", steps: number) => TemplateWorkload;

const BUILDERS: Readonly<Record<Template, Builder>> = {
  "text-classification": (parts, scale, steps) => {
    const [width, sequence, vocabulary] = scale === "demo" ? [128, 64, 4096] : [32, 16, 512];
    const encode = (mails: readonly Mail[]) => tokensOf(mails, vocabulary, sequence);
    return complete("text-classification", encode(parts.train), encode(parts.heldOut), steps, 7e-4, {
      architecture: "encoder",
      layers: 2,
      width,
      heads: 2,
      feedForward: 4 * width,
      vocabulary,
      sequence,
      classes: 2,
    });
  },
  "text-classification-lora": (parts, scale, steps) => {
    const [width, sequence, vocabulary] = scale === "demo" ? [128, 64, 4096] : [32, 16, 512];
    const encode = (mails: readonly Mail[]) => tokensOf(mails, vocabulary, sequence);
    const model: ModelDescription = {
      architecture: "bert-lora",
      family: "bert",
      layers: 2,
      width,
      heads: 2,
      feedForward: 4 * width,
      vocabulary,
      positions: sequence,
      layerNormEpsilon: 1e-12,
      sequence,
      classes: 2,
      rank: 8,
      alpha: 16,
      targets: ["q", "v"],
      baseWeights: { sha256: sha256Hex(new Uint8Array()), bytes: 1 },
    };
    const workload = complete(
      "text-classification-lora",
      encode(parts.train),
      encode(parts.heldOut),
      steps,
      5e-3,
      model,
    );
    return { ...workload, base: randomBase(workload.spec) };
  },
  "language-model": (parts, scale, steps) => {
    const [width, sequence, vocabulary] = scale === "demo" ? [128, 64, 1024] : [32, 16, 512];
    const text = parts.train.map(({ text: mail }) => mail.slice(0, 600)).join("\n\n");
    const tokenizer = createTextTokenizer(trainBytePairs(text.slice(0, 200_000), vocabulary));
    const tokens = tokenizer.encode(text);
    const cut = Math.floor(tokens.length * 0.9);
    const [train, heldOut] = [tokenWindows(tokens.slice(0, cut), sequence), tokenWindows(tokens.slice(cut), sequence)];
    return complete("language-model", train, heldOut, steps, 2e-3, {
      architecture: "decoder",
      layers: 2,
      width,
      heads: 2,
      feedForward: 4 * width,
      vocabulary,
      sequence,
    });
  },
  mlp: (parts, _scale, steps) => {
    const rows = (mails: readonly Mail[]) => mails.map(({ text, label }) => ({ values: measures(text), label }));
    const train = rows(parts.train);
    const standard = standardisationOf(train);
    const sets = [tableDataset(train, standard), tableDataset(rows(parts.heldOut), standard)] as const;
    const inputs = standard.mean.length;
    return complete("mlp", ...sets, steps, 3e-3, { architecture: "mlp", inputs, hidden: [64, 32], classes: 2 });
  },
};

const tokensOf = (mails: readonly Mail[], vocabulary: number, sequence: number): Dataset =>
  labelledTokens(
    mails.map(({ text, label }) => ({ ids: hashedWords(text, vocabulary, sequence), label })),
    sequence,
  );

const MARKS = ["!", "?", "$", "%", "0", "qqurl", "qqemail", "free", "click", "money", "list", "wrote"];

/** A mail as a table's row: its length, its longest word, and how often it says certain things. */
function measures(text: string): number[] {
  const words = text.split(/\s+/);
  const counts = MARKS.map((mark) => Math.log1p(text.split(mark).length - 1));
  return [Math.log1p(text.length), Math.log1p(Math.max(...words.map((word) => word.length))), ...counts];
}

/** Frozen weights as random as an untrained model's; layer norms pass through. */
export function randomBase(spec: JobSpec): Float32Array {
  const program = createProgram(spec);
  const base = new Float32Array(program.baseLayout.size);
  let word = 1;
  for (const { name, offset, size } of program.baseLayout.entries) {
    const isGain = /norm\.weight$/i.test(name);
    for (let i = offset; i < offset + size; i++) {
      word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
      base[i] = isGain ? 1 : 0.2 * (word / 2 ** 32 - 0.5);
    }
  }
  return base;
}

const complete = (
  template: Template,
  train: Dataset,
  heldOut: Dataset,
  steps: number,
  peak: number,
  model: ModelDescription,
): TemplateWorkload => templateJob({ template, train, heldOut, steps, peak, model, batch: 32 });

/** A native job with the terms that all of these share. */
export function templateJob({
  template,
  train,
  heldOut,
  steps,
  peak,
  model,
  batch,
  warmup = 20,
  labels = template === "language-model" ? [] : ["ham", "spam"],
}: {
  readonly template: Template;
  readonly train: Dataset;
  readonly heldOut: Dataset;
  readonly steps: number;
  readonly peak: number;
  readonly model: ModelDescription;
  readonly batch: number;
  readonly warmup?: number;
  readonly labels?: string[];
}): TemplateWorkload {
  const [trainBlob, heldOutBlob] = [encodeDataset(train), encodeDataset(heldOut)];
  const plain = sha256Hex(heldOutBlob);
  const interval = Math.min(50, steps);
  const draft: JobSpecDraft = {
    version: 1,
    template,
    title: `${template} on the mails`,
    model,
    data: {
      format: train.format,
      train: { sha256: sha256Hex(trainBlob), bytes: trainBlob.length },
      heldOut: { sha256: plain, bytes: heldOutBlob.length, sealed: false, plain },
      tokenizer: { name: "none" },
      labels,
    },
    training: {
      steps,
      batch,
      microBatchCap: batch,
      optimizer: { name: "adamw", beta1: 0.9, beta2: 0.999, epsilon: 1e-6, weightDecay: 0.01 },
      schedule: { name: "linear", peak, warmup, floor: 0.05 },
      seed: 1,
    },
    class: "native",
    grain: 8,
    checkpoint: { interval, traceInterval: defaultTraceInterval(model, interval) },
    acceptance: {
      metric: template === "language-model" ? "nll" : "balancedAccuracy",
      tolerance: 0.1,
      target: template === "language-model" ? 10 : 0.5,
      subset: 256,
      replayedIntervals: 1,
      distance: DISTANCE_LIMITS[template],
    },
  };
  return { template, spec: completeSpec(draft), train, heldOut };
}
