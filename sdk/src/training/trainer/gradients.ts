import { gather } from "../data/gather.ts";
import { addInto } from "../optimizer/vectorMemory.ts";
import type { HostTensor, Session } from "../runtimes/runtime.ts";
import { createFitting } from "./fitting.ts";
import type { TrainerParameters } from "./parameters.ts";
import { type SumMemory, TreeSum } from "./treeSum.ts";

/** Losses are summed by the same tree, as vectors of one. */
const SCALARS: SumMemory = { take: () => new Float32Array(1), giveBack: () => {}, add: addInto };

/** Computes gradient sums of whole batches from runs over parts of them. */
export interface Gradients {
  /** @returns sums over the batch; `gradSum` goes back to the memory once it has been read */
  compute(params: Float32Array, indices: Uint32Array): Promise<{ gradSum: Float32Array; lossSum: number }>;
  readonly microBatch: number;
  close(): Promise<void>;
}

export type GradientsParameters = Omit<TrainerParameters, "state">;

/** Most vectors that the sum of a batch holds at once: one for each level of its tree, and the one being filled. */
export const vectorsOfSum = (batch: number): number => Math.floor(Math.log2(batch)) + 2;

/** Gradient sums in host memory; the parts of a batch are summed by a fixed binary tree. */
export async function createGradients(parameters: GradientsParameters, memory: SumMemory): Promise<Gradients> {
  const { program, runtime, data, base, microBatch } = parameters;
  const { spec, layout, columns, labels } = program;
  const { batch, microBatchCap } = spec.training;
  const fed = labels ? [...columns, labels] : columns;
  const tree = new TreeSum(memory);
  const cap = Math.min(microBatch ?? batch, microBatchCap);
  const fitting = await createFitting(spec, cap, (unit) => runtime.createSession(program.grad(unit)));

  async function sums(session: Session, unit: number, params: Float32Array, indices: Uint32Array) {
    const flat: Record<string, HostTensor> = { params: { dtype: "float32", shape: [layout.size], data: params } };
    if (base) flat.base = { dtype: "float32", shape: [base.length], data: base };
    const losses = new TreeSum(SCALARS);
    for (let from = 0; from < batch; from += unit) {
      const gradSum = memory.take();
      let outputs: Awaited<ReturnType<Session["run"]>>;
      try {
        outputs = await session.run(
          { ...flat, ...gather(data, fed, indices.subarray(from, from + unit)) },
          { gradSum: { dtype: "float32", shape: [layout.size], data: gradSum } },
        );
      } catch (error) {
        memory.giveBack(gradSum);
        tree.clear();
        throw error;
      }
      tree.add(gradSum);
      losses.add(Float32Array.of(outputs.lossSum?.data[0] ?? Number.NaN));
    }
    return { gradSum: tree.finish(), lossSum: losses.finish()[0] as number };
  }

  return {
    compute: (params, indices) => fitting.run((session, unit) => sums(session, unit, params, indices)),
    get microBatch() {
      return fitting.unit;
    },
    close: () => fitting.close(),
  };
}
