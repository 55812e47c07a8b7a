import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TEMPLATES } from "../records/index.ts";
import { updateDistance } from "./replay/updateDistance.ts";
import { createNativeRuntime } from "./runtimes/native.ts";
import { createWasmRuntime } from "./runtimes/wasm.ts";
import { initialState } from "./state/initialState.ts";
import { curve, firstGradient, type Reference, reference } from "./testing/reference.ts";
import { TEMPLATE_JOBS } from "./testing/templateJobs.ts";

const recorded = JSON.parse(
  readFileSync(new URL("./testing/fixtures/reference.json", import.meta.url), "utf8"),
) as Record<string, Reference>;
const native = createNativeRuntime({ threads: 1 });
const wasm = createWasmRuntime({ threads: 1 });

/** ‖a − b‖ / ‖b‖ */
function relative(a: readonly number[], b: readonly number[]): number {
  const norm = (values: readonly number[]) => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));
  return norm(a.map((x, i) => x - (b[i] as number))) / norm(b);
}

describe.each(TEMPLATES)("%s", (template) => {
  const job = TEMPLATE_JOBS[template]();
  const expected = recorded[template] as Reference;

  it("gives the recorded graphs, gradients, losses and final bits on WASM; native stays beside it for 200 steps, and learns", {
    timeout: 240_000,
  }, async () => {
    const onWasm = await reference(template, wasm);
    expect(onWasm.reference).toEqual(expected);
    const { losses, state } = await curve(job, native);
    expect(relative(losses, expected.losses)).toBeLessThan(1e-4);
    expect(losses.at(-1)).toBeLessThan(0.8 * (losses[0] as number));
    // Measured after 200 steps: parameters 2e-7 to 2e-6, moments 2e-7 to 7e-6.
    const distance = updateDistance(initialState(job.program), onWasm.state, state);
    expect(distance.params).toBeGreaterThan(0);
    expect(distance.params).toBeLessThan(3e-5);
    expect(distance.moment).toBeLessThan(1e-4);
  });

  it("has the recorded gradient of its first batch on native, tensor by tensor", async () => {
    const { gradient } = await firstGradient(job, native, initialState(job.program).params);
    for (const { name, offset, size } of job.program.layout.entries) {
      const norm = Math.sqrt(gradient.subarray(offset, offset + size).reduce((sum, x) => sum + x * x, 0));
      const wanted = expected.gradientNorms[name] as number;
      expect(Math.abs(norm - wanted), name).toBeLessThanOrEqual(1e-4 * wanted + 1e-6);
    }
  });

  it("changes its loss along its gradient by the gradient's length", async () => {
    const { params } = initialState(job.program);
    const { gradient } = await firstGradient(job, native, params);
    const length = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0));
    const h = 1e-2;
    const lossAt = async (by: number) => {
      const moved = params.map((p, i) => p + (by * (gradient[i] as number)) / length);
      return (await firstGradient(job, native, moved)).lossSum;
    };
    const slope = ((await lossAt(h)) - (await lossAt(-h))) / (2 * h);
    expect(Math.abs(slope / length - 1)).toBeLessThan(0.02);
  });
});
