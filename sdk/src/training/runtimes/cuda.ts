import { createGpuRuntime } from "./gpu.ts";
import type { Runtime } from "./runtime.ts";

/**
 * NVIDIA GPUs through ONNX Runtime's CUDA provider, which does not come with the package.
 *
 * @throws TrainingError `RUNTIME_UNAVAILABLE`
 */
export const createCudaRuntime = (): Promise<Runtime> =>
  createGpuRuntime(
    "cuda",
    false,
    "ONNX Runtime's CUDA provider is not installed. Put libonnxruntime_providers_cuda.so beside onnxruntime-node's own library, with CUDA 12 and cuDNN 9, or use webgpu.",
  );
