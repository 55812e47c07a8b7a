// Our graphs against models that somebody else differentiates: PyTorch's, recorded in double precision by testing/recordTorch.ts.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createNativeRuntime } from "./runtimes/native.ts";
import { createWasmRuntime } from "./runtimes/wasm.ts";
import { initialState } from "./state/initialState.ts";
import { firstGradient } from "./testing/reference.ts";
import { startingParams, TORCH_JOBS, TORCH_STEPS, type TorchReference } from "./testing/torchJobs.ts";
import { createTrainer } from "./trainer/createTrainer.ts";

const recorded = JSON.parse(readFileSync(new URL("./testing/fixtures/torch.json", import.meta.url), "utf8")) as {
  jobs: Record<string, TorchReference>;
};
const unpacked = (base64: string) => new Float32Array(new Uint8Array(Buffer.from(base64, "base64")).buffer);
const length = (values: Float32Array) => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));
/** ‖ours − theirs‖ / ‖theirs‖ */
const apart = (ours: Float32Array, theirs: Float32Array) =>
  length(ours.map((x, i) => x - (theirs[i] as number))) / length(theirs);

const runtimes = [
  ["native", createNativeRuntime({ threads: 1 })],
  ["wasm", createWasmRuntime({ threads: 1 })],
] as const;

describe.each(Object.keys(TORCH_JOBS))("%s, beside PyTorch", (name) => {
  const job = (TORCH_JOBS[name] as () => ReturnType<(typeof TORCH_JOBS)[string]>)();
  const expected = recorded.jobs[name] as TorchReference;
  const { program } = job;

  it.each(runtimes)("has the same loss and the same gradient of every tensor on %s", async (_, runtime) => {
    const { gradient, lossSum } = await firstGradient(job, runtime, startingParams(job));
    expect(Math.abs(lossSum / expected.lossSum - 1)).toBeLessThan(1e-5);
    const theirs = unpacked(expected.gradient);
    expect(gradient).toHaveLength(theirs.length);
    for (const { name: tensor, offset, size } of program.layout.entries) {
      const part = [gradient, theirs].map((all) => all.subarray(offset, offset + size)) as [Float32Array, Float32Array];
      expect([tensor, length(part[1]) > 1e-6, apart(...part) < 2e-4]).toEqual([tensor, true, true]);
    }
  });

  it("takes the same steps: batches, learning rates and AdamW", async () => {
    const params = startingParams(job);
    const trainer = await createTrainer({
      ...{ program, runtime: runtimes[0][1], data: job.train, state: { ...initialState(program), params } },
      ...(job.base ? { base: job.base } : {}),
    });
    for (let step = 0; step < TORCH_STEPS; step++) await trainer.step();
    const moved = (after: Float32Array) => after.map((x, i) => x - (params[i] as number));
    const distance = apart(moved(trainer.state().params), moved(unpacked(expected.after)));
    await trainer.close();
    expect(distance).toBeLessThan(2e-3);
  });
});
