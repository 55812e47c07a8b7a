import { gather } from "../data/gather.ts";
import { TrainingError } from "../errors.ts";
import type { HostTensor, Session } from "../runtimes/runtime.ts";
import type { TrainerParameters } from "./createTrainer.ts";
import { largestDivisor } from "./microBatch.ts";
import { TreeSum } from "./treeSum.ts";

/** Computes gradient sums of whole batches from runs over parts of them. */
export interface Gradients {
  /** @returns sums over the batch; hand `gradSum` back with `recycle` once it has been read */
  compute(params: Float32Array, indices: Uint32Array): Promise<{ gradSum: Float32Array; lossSum: number }>;
  recycle(gradSum: Float32Array): void;
  readonly microBatch: number;
  close(): Promise<void>;
}

/**
 * Native jobs run the largest micro-batch that fits, halved when memory runs out; canonical jobs always run whole grains. Parts are
 * summed by a fixed binary tree either way.
 */
export async function createGradients(parameters: TrainerParameters): Promise<Gradients> {
  const { program, runtime, data, base, microBatch } = parameters;
  const { spec, layout, columns, labels } = program;
  const { batch, microBatchCap } = spec.training;
  const fed = labels ? [...columns, labels] : columns;
  const tree = new TreeSum(layout.size);
  let unit =
    spec.class === "canonical" ? spec.grain : largestDivisor(batch, Math.min(microBatch ?? batch, microBatchCap));
  let session: Session = await fitted();

  /** Compiles the graph for the current unit, halving it as long as memory runs out. */
  async function fitted(): Promise<Session> {
    for (;;) {
      try {
        return await runtime.createSession(program.grad(unit));
      } catch (error) {
        unit = halved(error);
      }
    }
  }

  /** The next smaller unit after an out-of-memory; anything else is thrown again. */
  function halved(error: unknown): number {
    if (!(error instanceof TrainingError) || !error.retryable || spec.class === "canonical") throw error;
    const smaller = largestDivisor(batch, Math.floor(unit / 2));
    if (smaller >= unit) throw error;
    return smaller;
  }

  async function sums(params: Float32Array, indices: Uint32Array) {
    const flat: Record<string, HostTensor> = { params: { dtype: "float32", shape: [layout.size], data: params } };
    if (base) flat.base = { dtype: "float32", shape: [base.length], data: base };
    const losses = new TreeSum(1);
    for (let from = 0; from < batch; from += unit) {
      const gradSum = tree.take();
      const outputs = await session.run(
        { ...flat, ...gather(data, fed, indices.subarray(from, from + unit)) },
        { gradSum: { dtype: "float32", shape: [layout.size], data: gradSum } },
      );
      tree.add(gradSum);
      losses.add(Float32Array.of(outputs.lossSum?.data[0] ?? Number.NaN));
    }
    return { gradSum: tree.finish(), lossSum: losses.finish()[0] as number };
  }

  return {
    async compute(params, indices) {
      for (;;) {
        try {
          return await sums(params, indices);
        } catch (error) {
          tree.clear();
          unit = halved(error);
          await session.release();
          session = await fitted();
        }
      }
    },
    recycle: (gradSum) => tree.recycle(gradSum),
    get microBatch() {
      return unit;
    },
    close: () => session.release(),
  };
}
