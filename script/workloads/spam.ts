import { type JobSpec, sha256Hex } from "@gpuchain/sdk/records";
import {
  completeSpec,
  type Dataset,
  DISTANCE_LIMITS,
  encodeDataset,
  groupedSplit,
  hashedWords,
  type JobSpecDraft,
  labelledTokens,
} from "@gpuchain/sdk/training";
import { spamMails } from "./spamMails.ts";

/** A job ready to be posted: its spec and the blobs that the spec names by hash. */
export interface Workload {
  readonly spec: JobSpec;
  readonly train: Uint8Array;
  /** plain held-out blob; seal it before uploading */
  readonly heldOut: Uint8Array;
}

const VOCABULARY = 4096;
const SEQUENCE = 64;
const HELD_OUT = 1500;
const SPLIT_SEED = 7;

/** What a caller may change of the demo's job. */
export interface SpamOptions {
  readonly steps?: number;
  readonly class?: JobSpec["class"];
  readonly checkpoint?: JobSpec["checkpoint"];
  readonly seed?: number;
}

/** The mails of the demo, split by subject: those it trains on, and those held out. */
export const splitMails = () => groupedSplit(spamMails(), (mail) => mail.group, HELD_OUT, SPLIT_SEED);

/** Mails as the demo's model reads them. */
export const encodeMails = (mails: readonly { text: string; label: number }[]): Dataset =>
  labelledTokens(
    mails.map(({ text, label }) => ({ ids: hashedWords(text, VOCABULARY, SEQUENCE), label })),
    SEQUENCE,
  );

/** The demo: a spam-or-ham classifier of about 1M parameters, trained from scratch on real mails. */
export function spamWorkload(options: SpamOptions = {}): Workload {
  const { train, heldOut } = splitMails();
  const trainBlob = encodeDataset(encodeMails(train));
  const heldOutBlob = encodeDataset(encodeMails(heldOut));
  const heldOutHash = sha256Hex(heldOutBlob);
  const draft: JobSpecDraft = {
    version: 1,
    template: "text-classification",
    title: "Spam or ham",
    model: {
      architecture: "encoder",
      layers: 2,
      width: 128,
      heads: 2,
      feedForward: 512,
      vocabulary: VOCABULARY,
      sequence: SEQUENCE,
      classes: 2,
    },
    data: {
      format: "labelled-tokens",
      train: { sha256: sha256Hex(trainBlob), bytes: trainBlob.length },
      heldOut: { sha256: heldOutHash, bytes: heldOutBlob.length, sealed: false, plain: heldOutHash },
      tokenizer: { name: "hashed-words", vocabulary: VOCABULARY },
      labels: ["ham", "spam"],
    },
    training: {
      steps: options.steps ?? 400,
      batch: 32,
      microBatchCap: 32,
      optimizer: { name: "adamw", beta1: 0.9, beta2: 0.999, epsilon: 1e-6, weightDecay: 0.01 },
      // Chosen on 900 of the training mails, never on the held-out ones, by `npm run bench:learning-rate`; balanced accuracy, mean of two
      // seeds: 4e-4 0.9552, 7e-4 0.9576, 1e-3 0.9563, 1.5e-3 0.9556. Held out, 7e-4 then gave accuracy 0.965 (balanced 0.952).
      schedule: { name: "linear", peak: 7e-4, warmup: Math.min(40, options.steps ?? 400), floor: 0.05 },
      seed: options.seed ?? 1,
    },
    class: options.class ?? "native",
    grain: 8,
    checkpoint: options.checkpoint ?? { interval: 50, traceInterval: 5 },
    acceptance: {
      metric: "balancedAccuracy",
      tolerance: 0.1,
      target: 0.9,
      subset: 256,
      replayedIntervals: 1,
      distance: DISTANCE_LIMITS["text-classification"],
    },
  };
  return { spec: completeSpec(draft), train: trainBlob, heldOut: heldOutBlob };
}
