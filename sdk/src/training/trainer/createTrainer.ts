import { createSha256, type Hex, type TraceLeaf, toHex } from "../../records/index.ts";
import { batchDigest } from "../data/batchDigest.ts";
import { batchIndices } from "../data/batchIndices.ts";
import type { Dataset } from "../data/dataset.ts";
import { TrainingError } from "../errors.ts";
import { learningRate } from "../optimizer/learningRate.ts";
import { createVectorMemory } from "../optimizer/vectorMemory.ts";
import type { Program } from "../program/createProgram.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import { stateHash } from "../state/checkpoint.ts";
import type { TrainingState } from "../state/state.ts";
import { createGradients, vectorsOfSum } from "./gradients.ts";

export interface TrainerParameters {
  readonly program: Program;
  readonly runtime: Runtime;
  /** the training set, checked against the model */
  readonly data: Dataset;
  /** where to start; copied */
  readonly state: TrainingState;
  /** frozen weights, where the program has them */
  readonly base?: Float32Array;
  /** most examples at once; native jobs only. Default: the spec's cap, halved on out-of-memory */
  readonly microBatch?: number;
}

export interface StepResult {
  /** steps done, this one included */
  readonly step: number;
  /** mean loss over the batch, before the update */
  readonly loss: number;
  readonly learningRate: number;
  readonly batchDigest: Hex;
  /** examples that ran at once */
  readonly microBatch: number;
}

/** A running training: one step at a time, in the order of the job's batches. */
export interface Trainer {
  /** @throws TrainingError; after one, the state is that before the step */
  step(): Promise<StepResult>;
  /** The state now: a view, overwritten by the next step. Copy it with `copyState` to keep it. */
  state(): TrainingState;
  /**
   * Closes the current trace interval: the leaf for all steps since the one before.
   *
   * @param hash the state's hash, where the caller already has it
   * @throws TrainingError `BAD_INPUT` when no step was taken since
   */
  traceLeaf(hash?: Hex): TraceLeaf;
  /** Goes on from another state; compiled graphs are kept. */
  load(state: TrainingState): void;
  readonly microBatch: number;
  close(): Promise<void>;
}

/**
 * Compiles a job's graphs and returns its trainer.
 *
 * @example
 * const trainer = await createTrainer({ program, runtime: createNativeRuntime({ threads: 2 }), data, state: initialState(program) });
 * while (trainer.state().step < 400) await trainer.step();
 */
export async function createTrainer(parameters: TrainerParameters): Promise<Trainer> {
  const { program, data } = parameters;
  const { batch, optimizer, schedule, seed, steps } = program.spec.training;
  const memory = createVectorMemory(program.layout.size, 3 + vectorsOfSum(batch));
  const [params, m, v] = [memory.take(), memory.take(), memory.take()];
  let step = 0;
  let interval = { digest: createSha256(), lossSum: 0, steps: 0 };
  // Per example, or per token where every token of a window is scored.
  const scale = 1 / (batch * program.rows);

  const load = (state: TrainingState) => {
    if (state.params.length !== program.layout.size)
      throw new TrainingError(
        "LAYOUT_MISMATCH",
        `The state holds ${state.params.length} weights, the model ${program.layout.size}.`,
      );
    step = state.step;
    params.set(state.params);
    m.set(state.m);
    v.set(state.v);
    interval = { digest: createSha256(), lossSum: 0, steps: 0 };
  };

  load(parameters.state);
  const gradients = await createGradients(parameters, memory);

  return {
    load,
    async step() {
      const indices = batchIndices(seed, step, data.examples, batch);
      const { gradSum, lossSum } = await gradients.compute(params, indices);
      const rate = learningRate(schedule, step, steps);
      memory.adamw({ params, m, v }, gradSum, optimizer, { scale, learningRate: rate, step: step + 1 });
      memory.giveBack(gradSum);
      const digest = batchDigest(program, step, indices);
      const loss = lossSum * scale;
      step++;
      interval.digest.update(digest);
      interval.lossSum += loss;
      interval.steps++;
      return { step, loss, learningRate: rate, batchDigest: toHex(digest), microBatch: gradients.microBatch };
    },
    state: () => ({ step, params, m, v }),
    traceLeaf(hash) {
      if (interval.steps === 0) throw new TrainingError("BAD_INPUT", "No step was taken since the last trace point.");
      const leaf: TraceLeaf = {
        step,
        stateHash: hash ?? stateHash(program, { step, params, m, v }),
        batchDigest: toHex(interval.digest.digest()),
        meanLoss: interval.lossSum / interval.steps,
      };
      interval = { digest: createSha256(), lossSum: 0, steps: 0 };
      return leaf;
    },
    get microBatch() {
      return gradients.microBatch;
    },
    close: () => gradients.close(),
  };
}
