import { listRuntimes, measureRuntime } from "@gpuchain/sdk/training/runtimes";
import { expect, it } from "vitest";
import { runtimeLine } from "./runtimeLine.ts";

it("gives every runtime's measured speed, or the reason why it cannot be used", async () => {
  const entries = await listRuntimes(1);
  expect(entries.map(({ name }) => name)).toEqual(["native", "wasm", "webgpu", "cuda"]);
  for (const entry of entries) {
    const line = await runtimeLine(entry, (runtime) => measureRuntime(runtime, 1));
    if (entry.name === "native" || entry.name === "wasm")
      expect(line).toMatch(/^--runtime (native|wasm) {1,4}yes, on (cpu|wasm), 1 thread: \d+\.\d steps\/s$/);
    else expect(line).toMatch(/^--runtime (webgpu|cuda) {1,4}(yes, on .*: \d+\.\d steps\/s|no: .{20,})$/);
  }
});

it("names a device that is there and fails", async () => {
  const [entry] = await listRuntimes(1);
  if (entry === undefined) throw new Error("no runtime at all");
  const line = await runtimeLine(entry, () => Promise.reject(new Error("the driver went away")));
  expect(line).toBe("--runtime native  no: the driver went away");
});
