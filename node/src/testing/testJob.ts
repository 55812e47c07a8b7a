import { encodeJobSpec, type JobSpec, providerList, sha256Hex } from "@gpuchain/sdk/records";
import { completeSpec, encodeDataset, planePoints } from "@gpuchain/sdk/training";

export interface TestJob {
  readonly spec: JobSpec;
  readonly specBytes: Uint8Array;
  readonly train: Uint8Array;
  readonly heldOut: Uint8Array;
}

/** A small perceptron: which side of a plane a point lies on. A step takes about a millisecond. */
export function testJob({
  steps,
  interval,
  providers,
  seed = 1,
}: {
  steps: number;
  interval: number;
  /** the only ones that may train it */
  providers?: readonly string[];
  /** of the training data: other bytes for another seed */
  seed?: number;
}): TestJob {
  const train = encodeDataset(planePoints(256, seed));
  const heldOut = encodeDataset(planePoints(64, 2));
  const plain = sha256Hex(heldOut);
  const spec = completeSpec({
    version: 1,
    template: "mlp",
    title: "Which side of a plane",
    model: { architecture: "mlp", inputs: 8, hidden: [16], classes: 2 },
    data: {
      format: "table",
      train: { sha256: sha256Hex(train), bytes: train.length },
      heldOut: { sha256: plain, bytes: heldOut.length, sealed: false, plain },
      tokenizer: { name: "none" },
      labels: ["below", "above"],
    },
    training: {
      steps,
      batch: 32,
      microBatchCap: 32,
      optimizer: { name: "adamw", beta1: 0.9, beta2: 0.999, epsilon: 1e-6, weightDecay: 0.01 },
      schedule: { name: "linear", peak: 0.01, warmup: 5, floor: 0.1 },
      seed: 7,
    },
    class: "native",
    grain: 8,
    checkpoint: { interval, traceInterval: 5 },
    ...(providers && { providers: providerList(providers) }),
    acceptance: {
      metric: "balancedAccuracy",
      tolerance: 0.5,
      target: 0.6,
      subset: 32,
      replayedIntervals: 1,
      distance: { params: 1e-3, moment: 1e-5 },
    },
  });
  return { spec, specBytes: encodeJobSpec(spec), train, heldOut };
}
