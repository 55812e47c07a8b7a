import { sha256Hex } from "../../records/index.ts";
import { completeSpec, encodeDataset, hashedWords, labelledTokens } from "../../training/index.ts";

/** A job small enough to be built in milliseconds: two classes of a few made-up sentences. */
export function tinyJob(title = "tiny") {
  const sequence = 8;
  const vocabulary = 64;
  const rows = (word: string) =>
    Array.from({ length: 8 }, (_, index) => ({
      ids: hashedWords(`${word} ${"abcdefgh"[index]} ${index % 2 === 0 ? "good" : "bad"}`, vocabulary, sequence),
      label: index % 2,
    }));
  const train = encodeDataset(labelledTokens(rows("seen"), sequence));
  const heldOut = encodeDataset(labelledTokens(rows("unseen"), sequence));
  const heldOutHash = sha256Hex(heldOut);
  const spec = completeSpec({
    version: 1,
    template: "text-classification",
    title,
    model: {
      architecture: "encoder",
      layers: 1,
      width: 8,
      heads: 2,
      feedForward: 16,
      vocabulary,
      sequence,
      classes: 2,
    },
    data: {
      format: "labelled-tokens",
      train: { sha256: sha256Hex(train), bytes: train.length },
      heldOut: { sha256: heldOutHash, bytes: heldOut.length, sealed: false, plain: heldOutHash },
      tokenizer: { name: "hashed-words", vocabulary },
      labels: ["good", "bad"],
    },
    training: {
      steps: 20,
      batch: 4,
      microBatchCap: 4,
      optimizer: { name: "adamw", beta1: 0.9, beta2: 0.999, epsilon: 1e-6, weightDecay: 0.01 },
      schedule: { name: "constant", peak: 1e-3, warmup: 0, floor: 1 },
      seed: 1,
    },
    class: "native",
    grain: 2,
    checkpoint: { interval: 10, traceInterval: 5 },
    acceptance: {
      metric: "balancedAccuracy",
      tolerance: 0.5,
      target: 0.5,
      subset: 8,
      replayedIntervals: 1,
      distance: { params: 1e-3, moment: 1e-5 },
    },
  });
  return { spec, blobs: [train, heldOut] };
}
