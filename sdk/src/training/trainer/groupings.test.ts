import { describe, expect, it } from "vitest";
import { batchIndices } from "../data/batchIndices.ts";
import { gather } from "../data/gather.ts";
import { createVectorMemory } from "../optimizer/vectorMemory.ts";
import type { HostTensor } from "../runtimes/runtime.ts";
import { createWasmRuntime } from "../runtimes/wasm.ts";
import { initialState } from "../state/initialState.ts";
import { tinyJob } from "../testing/tinyJob.ts";
import { createGradients } from "./gradients.ts";
import { TreeSum } from "./treeSum.ts";

const job = tinyJob({ class: "canonical", grain: 2 });
const { program, train, spec } = job;
const { batch, seed } = spec.training;
const runtime = createWasmRuntime({ threads: 1 });
const params = initialState(program).params;
const memory = createVectorMemory(params.length, 40);
const indices = batchIndices(seed, 0, train.examples, batch);

/** Gradient sums of single grains, computed in the given order by a session of their own, as another device would. */
async function grains(order: readonly number[]): Promise<Float32Array[]> {
  const session = await runtime.createSession(program.grad(spec.grain));
  const sums: Float32Array[] = [];
  for (const grain of order) {
    const part = indices.subarray(grain * spec.grain, (grain + 1) * spec.grain);
    const flat: HostTensor = { dtype: "float32", shape: [params.length], data: params };
    const feeds = gather(train, [...program.columns, ...(program.labels ? [program.labels] : [])], part);
    sums[grain] = (await session.run({ params: flat, ...feeds })).gradSum?.data as Float32Array;
  }
  await session.release();
  return sums;
}

describe("grains of a canonical step", () => {
  it("give the same bits in any aligned grouping, on one device or several, in any order", async () => {
    const gradients = await createGradients({ program, runtime, data: train }, memory);
    const whole = (await gradients.compute(params, indices)).gradSum;
    const count = batch / spec.grain;
    const inOrder = Array.from({ length: count }, (_, grain) => grain);
    const computed = { inOrder: await grains(inOrder), shuffled: await grains([5, 0, 7, 2, 1, 6, 3, 4]) };
    for (const sums of Object.values(computed))
      for (let level = 0; 2 ** level <= count; level++) {
        const tree = new TreeSum(memory);
        for (let from = 0; from < count; from += 2 ** level) {
          const group = new TreeSum(memory);
          for (const sum of sums.slice(from, from + 2 ** level)) {
            const vector = memory.take();
            vector.set(sum);
            group.add(vector);
          }
          tree.add(group.finish(), level);
        }
        const sum = tree.finish();
        expect(sum, `groups of ${2 ** level}`).toEqual(whole);
        memory.giveBack(sum);
      }
    await gradients.close();
  });
});
