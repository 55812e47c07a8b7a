import type { AdamWStep } from "../optimizer/adamw.ts";
import { createVectorMemory } from "../optimizer/vectorMemory.ts";
import type { TrainingState } from "../state/state.ts";
import type { TrainerParameters } from "./createTrainer.ts";
import { createGradients, vectorsOfSum } from "./gradients.ts";

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

/** State in host memory: gradients by the runtime, sums and AdamW in place. */
export async function createHostUpdater(parameters: TrainerParameters): Promise<Updater> {
  const { layout, spec } = parameters.program;
  const { batch, optimizer } = spec.training;
  const memory = createVectorMemory(layout.size, 3 + vectorsOfSum(batch));
  const [params, m, v] = [memory.take(), memory.take(), memory.take()];
  const gradients = await createGradients(parameters, memory);
  return {
    async update(indices, step) {
      const { gradSum, lossSum } = await gradients.compute(params, indices);
      memory.adamw({ params, m, v }, gradSum, optimizer, step);
      memory.giveBack(gradSum);
      return lossSum;
    },
    load(state) {
      params.set(state.params);
      m.set(state.m);
      v.set(state.v);
    },
    sync: async () => {},
    vectors: () => ({ params, m, v }),
    get microBatch() {
      return gradients.microBatch;
    },
    close: () => gradients.close(),
  };
}
