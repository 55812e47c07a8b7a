import { createGpuRuntime } from "./gpu.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Any vendor's GPU through WebGPU (Dawn over Vulkan, Metal or Direct3D); states stay on the device.
 *
 * @throws TrainingError `RUNTIME_UNAVAILABLE`
 */
export const createWebGpuRuntime = (): Promise<Runtime> =>
  createGpuRuntime(
    "webgpu",
    true,
    "no WebGPU adapter was found. Install the graphics driver; on Linux also the Vulkan loader (libvulkan1).",
  );
