import { createVectorMemory } from "../optimizer/vectorMemory.ts";
import { createGradients, vectorsOfSum } from "./gradients.ts";
import type { TrainerParameters, Updater } from "./parameters.ts";

/** State in host memory: gradients by the runtime, sums and AdamW in place. */
export async function createHostUpdater(parameters: TrainerParameters): Promise<Updater> {
  const { layout, spec } = parameters.program;
  const { batch, optimizer } = spec.training;
  const memory = createVectorMemory(layout.size, 3 + vectorsOfSum(batch));
  const [params, m, v] = [memory.take(), memory.take(), memory.take()];
  const gradients = await createGradients(parameters, memory, params);
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
