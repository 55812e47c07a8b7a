// Honest work on WebGPU, judged on WASM, in a process of its own because a Vulkan driver is chosen by the environment: started by replay.ts
// with a template, answers over the channel with rows or with the reason why there are none.
import type { Template } from "@gpuchain/sdk/records";
import { createNativeRuntime } from "@gpuchain/sdk/training/native";
import { createWasmRuntime } from "@gpuchain/sdk/training/wasm";
import { createWebGpuRuntime } from "@gpuchain/sdk/training/webgpu";
import { templateWorkload } from "../../workloads/templates.ts";
import { type DistanceRow, measureDistances } from "./distances.ts";

export type WebGpuAnswer = { readonly rows: readonly DistanceRow[] } | { readonly reason: string };

async function answer(template: Template): Promise<WebGpuAnswer> {
  const runtimes = { parents: createNativeRuntime({ threads: 1 }), judge: createWasmRuntime({ threads: 1 }) };
  try {
    const work = "honest, WebGPU";
    const honest = [{ work, runtime: await createWebGpuRuntime() }];
    return { rows: await measureDistances(templateWorkload(template, "small"), runtimes, honest) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

process.send?.(await answer(process.argv[2] as Template), () => process.exit(0));
