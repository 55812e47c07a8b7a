import { gather } from "../data/gather.ts";
import { addInto } from "../optimizer/vectorMemory.ts";
import { estimateResources } from "../program/estimateResources.ts";
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

/** An estimate is good to a factor of two: where that much is allowed, nothing need be measured. */
const SURELY_FITS = 2;

/**
 * Gradient sums in host memory; the parts of a batch are summed by a fixed binary tree.
 *
 * @param params any weights, to measure runs with under a memory cap; left out: they are not measured
 */
export async function createGradients(
  parameters: GradientsParameters,
  memory: SumMemory,
  params?: Float32Array,
): Promise<Gradients> {
  const { program, runtime, data, base, microBatch } = parameters;
  const { spec, layout, columns, labels } = program;
  const { batch, microBatchCap } = spec.training;
  const fed = labels ? [...columns, labels] : columns;
  const tree = new TreeSum(memory);
  const cap = Math.min(microBatch ?? batch, microBatchCap);
  const compile = (unit: number) => runtime.createSession(program.grad(unit));
  const limited = parameters.memory;
  const fitting = await createFitting(
    spec,
    cap,
    compile,
    limited && params && SURELY_FITS * estimateResources(spec).memoryBytes > limited.limitBytes
      ? { memory: limited, probe: (session, unit) => probe(session, unit, params) }
      : undefined,
  );

  /** Runs over some examples; their gradient sum is written into a vector of the memory, which the caller gets. */
  async function run(session: Session, params: Float32Array, indices: Uint32Array) {
    const flat: Record<string, HostTensor> = { params: { dtype: "float32", shape: [layout.size], data: params } };
    if (base) flat.base = { dtype: "float32", shape: [base.length], data: base };
    const gradSum = memory.take();
    try {
      const outputs = await session.run(
        { ...flat, ...gather(data, fed, indices) },
        { gradSum: { dtype: "float32", shape: [layout.size], data: gradSum } },
      );
      return { gradSum, outputs };
    } catch (error) {
      memory.giveBack(gradSum);
      throw error;
    }
  }

  async function probe(session: Session, unit: number, params: Float32Array): Promise<void> {
    const { gradSum } = await run(
      session,
      params,
      Uint32Array.from({ length: unit }, (_, i) => i % data.examples),
    );
    memory.giveBack(gradSum);
  }

  async function sums(session: Session, unit: number, params: Float32Array, indices: Uint32Array) {
    const losses = new TreeSum(SCALARS);
    for (let from = 0; from < batch; from += unit) {
      let part: Awaited<ReturnType<typeof run>>;
      try {
        part = await run(session, params, indices.subarray(from, from + unit));
      } catch (error) {
        tree.clear();
        throw error;
      }
      const { gradSum, outputs } = part;
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
