import type { Hex, JobSpec } from "../../records/index.ts";
import { labelledTokens } from "../data/dataset.ts";
import { completeSpec } from "../program/completeSpec.ts";
import { createProgram } from "../program/createProgram.ts";
import { randomWords } from "../random/philox.ts";
import { initialState } from "../state/initialState.ts";
import { createTrainer } from "../trainer/createTrainer.ts";
import type { Runtime } from "./runtime.ts";

const SEQUENCE = 64;
const VOCABULARY = 4096;
const EXAMPLES = 256;
const NO_DATA: Hex = `0x${"00".repeat(32)}`;

/**
 * Trains a model of the demo's size (an encoder of 1M weights, batches of 32 texts of 64 tokens) on made-up texts for a moment.
 *
 * @param patienceMs how long to measure, after one step to warm up; at least one step is measured
 * @returns steps per second
 * @throws TrainingError when the runtime cannot run it
 */
export async function measureRuntime(runtime: Runtime, patienceMs = 2000): Promise<number> {
  const program = createProgram(measuredSpec());
  const word = randomWords(1, 99, 0);
  const ids = (i: number) => Array.from({ length: SEQUENCE }, (_, j) => word(i * SEQUENCE + j) % VOCABULARY);
  const texts = Array.from({ length: EXAMPLES }, (_, i) => ({ ids: ids(i), label: i % 2 }));
  const data = labelledTokens(texts, SEQUENCE);
  const trainer = await createTrainer({ program, runtime, data, state: initialState(program) });
  try {
    await trainer.step();
    const started = performance.now();
    let steps = 0;
    let elapsed = 0;
    while (steps === 0 || elapsed < patienceMs) {
      await trainer.step();
      steps++;
      elapsed = performance.now() - started;
    }
    return (1000 * steps) / elapsed;
  } finally {
    await trainer.close();
  }
}

function measuredSpec(): JobSpec {
  const blob = { sha256: NO_DATA, bytes: 1 };
  return completeSpec({
    version: 1,
    template: "text-classification",
    title: "Measurement",
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
      train: blob,
      heldOut: { ...blob, sealed: false, plain: NO_DATA },
      tokenizer: { name: "none" },
      labels: ["a", "b"],
    },
    training: {
      steps: 1000,
      batch: 32,
      microBatchCap: 32,
      optimizer: { name: "adamw", beta1: 0.9, beta2: 0.999, epsilon: 1e-6, weightDecay: 0.01 },
      schedule: { name: "constant", peak: 1e-4, warmup: 1, floor: 1 },
      seed: 1,
    },
    class: "native",
    grain: 8,
    checkpoint: { interval: 50, traceInterval: 5 },
    acceptance: {
      metric: "balancedAccuracy",
      tolerance: 0.1,
      target: 0.5,
      subset: 32,
      replayedIntervals: 1,
      distance: { params: 1e-3, moment: 1e-5 },
    },
  });
}
