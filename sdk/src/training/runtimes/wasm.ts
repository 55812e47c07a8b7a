import * as ort from "onnxruntime-web";
import type { OrtModule } from "./ortSession.ts";
import type { Runtime } from "./runtime.ts";
import { wasmRuntime } from "./wasmRuntime.ts";

/**
 * ONNX Runtime as WebAssembly in Node: the same bits on every CPU and in every engine, with one thread or several.
 *
 * @param threads fixed by the first session of a process
 */
export const createWasmRuntime = ({ threads }: { readonly threads: number }): Runtime =>
  wasmRuntime(ort as unknown as OrtModule & typeof ort, threads);
