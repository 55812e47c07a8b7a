import { createSha256, type Hex, type TraceLeaf, toHex } from "../../records/index.ts";
import { batchDigest } from "../data/batchDigest.ts";
import { batchIndices } from "../data/batchIndices.ts";
import { TrainingError } from "../errors.ts";
import { learningRate } from "../optimizer/learningRate.ts";
import { stateHash } from "../state/checkpoint.ts";
import type { TrainingState } from "../state/state.ts";
import type { TrainerParameters } from "./parameters.ts";
import { createResidentUpdater } from "./residentUpdater.ts";
import { createHostUpdater } from "./updater.ts";

export type { TrainerParameters } from "./parameters.ts";

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
  /**
   * Brings the state to the host. Needed before `state` and `traceLeaf` on runtimes that keep it on their device; elsewhere it has
   * nothing to do.
   */
  sync(): Promise<void>;
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
  const { program, data, runtime } = parameters;
  const { batch, schedule, seed, steps } = program.spec.training;
  const updater = await (runtime.resident
    ? createResidentUpdater(parameters, runtime.resident)
    : createHostUpdater(parameters));
  // Per example, or per token where every token of a window is scored.
  const scale = 1 / (batch * program.rows);
  let step = 0;
  let interval = startInterval();

  const load = (state: TrainingState) => {
    if (state.params.length !== program.layout.size)
      throw new TrainingError(
        "LAYOUT_MISMATCH",
        `The state holds ${state.params.length} weights, the model ${program.layout.size}.`,
      );
    step = state.step;
    updater.load(state);
    interval = startInterval();
  };
  load(parameters.state);

  return {
    load,
    async step() {
      const indices = batchIndices(seed, step, data.examples, batch);
      const rate = learningRate(schedule, step, steps);
      const lossSum = await updater.update(indices, { scale, learningRate: rate, step: step + 1 });
      const digest = batchDigest(program, step, indices);
      const loss = lossSum * scale;
      step++;
      interval.digest.update(digest);
      interval.lossSum += loss;
      interval.steps++;
      return { step, loss, learningRate: rate, batchDigest: toHex(digest), microBatch: updater.microBatch };
    },
    sync: () => updater.sync(),
    state: () => ({ step, ...updater.vectors() }),
    traceLeaf(hash) {
      if (interval.steps === 0) throw new TrainingError("BAD_INPUT", "No step was taken since the last trace point.");
      const leaf: TraceLeaf = {
        step,
        stateHash: hash ?? stateHash(program, { step, ...updater.vectors() }),
        batchDigest: toHex(interval.digest.digest()),
        meanLoss: interval.lossSum / interval.steps,
      };
      interval = startInterval();
      return leaf;
    },
    get microBatch() {
      return updater.microBatch;
    },
    close: () => updater.close(),
  };
}

const startInterval = () => ({ digest: createSha256(), lossSum: 0, steps: 0 });
