import { sha256Hex } from "@gpuchain/sdk/records";
import { completeSpec, encodeDataset, planePoints } from "@gpuchain/sdk/training";
import type { RunTerms, Workload } from "../lib/clientParty.ts";

/** Steps of a story's job, and between two of its checkpoints. */
export const STEPS = 100;
export const INTERVAL = 20;

/** Times as short as a local chain allows, so that a story sees all of a lease's life in seconds. */
export const TERMS = {
  budget: 5_000_000n,
  maxPricePerStep: 3_000n,
  verifierFee: 10_000n,
  leaseDuration: 8,
  segmentTimeout: 30,
  gracePeriod: 60,
  pulseTimeoutMs: 500,
  auctionRamp: 0,
  verdictTimeout: 10,
  disputeWindow: 2,
  deadlineSeconds: 3_600,
} as const satisfies RunTerms;

/** A perceptron that learns on which side of a plane a point lies; each seed is a job of its own. */
export function chaosJob(seed: number): Workload {
  const train = encodeDataset(planePoints(512, 1));
  const heldOut = encodeDataset(planePoints(64, 2));
  const plain = sha256Hex(heldOut);
  const spec = completeSpec({
    version: 1,
    template: "mlp",
    title: `Which side of a plane, ${seed}`,
    model: { architecture: "mlp", inputs: 8, hidden: [64, 64], classes: 2 },
    data: {
      format: "table",
      train: { sha256: sha256Hex(train), bytes: train.length },
      heldOut: { sha256: plain, bytes: heldOut.length, sealed: false, plain },
      tokenizer: { name: "none" },
      labels: ["below", "above"],
    },
    training: {
      steps: STEPS,
      batch: 64,
      microBatchCap: 64,
      optimizer: { name: "adamw", beta1: 0.9, beta2: 0.999, epsilon: 1e-6, weightDecay: 0.01 },
      schedule: { name: "linear", peak: 0.003, warmup: 5, floor: 0.1 },
      seed,
    },
    class: "native",
    grain: 8,
    checkpoint: { interval: INTERVAL, traceInterval: 5 },
    acceptance: {
      metric: "balancedAccuracy",
      tolerance: 0.5,
      target: 0.6,
      subset: 64,
      replayedIntervals: 1,
      distance: { params: 1e-3, moment: 1e-5 },
    },
  });
  return { spec, train, heldOut };
}
