import { TrainingError } from "../errors.ts";
import { createCudaRuntime } from "./cuda.ts";
import { createNativeRuntime } from "./native.ts";
import type { Runtime } from "./runtime.ts";
import { createWasmRuntime } from "./wasm.ts";
import { createWebGpuRuntime } from "./webgpu.ts";

export { measureRuntime } from "./measureRuntime.ts";

/** A runtime of this machine, or why there is none. */
export type RuntimeEntry =
  | { readonly name: string; readonly runtime: Runtime }
  | { readonly name: string; readonly unavailable: string };

/**
 * Every runtime that we know, tried out on this machine one after another.
 *
 * @param threads for those that run on the CPU
 */
export async function listRuntimes(threads: number): Promise<RuntimeEntry[]> {
  const creators: [string, () => Promise<Runtime>][] = [
    ["native", async () => createNativeRuntime({ threads })],
    ["wasm", async () => createWasmRuntime({ threads })],
    ["webgpu", createWebGpuRuntime],
    ["cuda", createCudaRuntime],
  ];
  const entries: RuntimeEntry[] = [];
  for (const [name, create] of creators) {
    try {
      entries.push({ name, runtime: await create() });
    } catch (error) {
      if (!(error instanceof TrainingError)) throw error;
      entries.push({ name, unavailable: error.message });
    }
  }
  return entries;
}
