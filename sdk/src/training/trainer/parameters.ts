import type { Dataset } from "../data/dataset.ts";
import type { AdamWStep } from "../optimizer/adamw.ts";
import type { Program } from "../program/createProgram.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import type { TrainingState } from "../state/state.ts";
import type { MemoryCap } from "./fitting.ts";

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
  /** most memory of the process; the micro-batch is found by measurement where an estimate does not already fit twice */
  readonly memory?: MemoryCap;
}

/** Flat vectors of a state. */
export type StateVectors = Omit<TrainingState, "step">;

/** Holds a run's state wherever it lies, and changes it by one batch at a time. */
export interface Updater {
  /** @returns the loss summed over the batch, before the update; after an error the state is as it was */
  update(indices: Uint32Array, step: AdamWStep): Promise<number>;
  load(state: StateVectors): void;
  /** Brings the state to the host, where it is not there. */
  sync(): Promise<void>;
  /** The state on the host: a view. @throws TrainingError `BAD_INPUT` when it lies on a device and was not brought here */
  vectors(): StateVectors;
  readonly microBatch: number;
  close(): Promise<void>;
}
