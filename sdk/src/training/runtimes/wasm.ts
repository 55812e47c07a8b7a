import * as ort from "onnxruntime-web/wasm";
import { createOrtSession, type OrtModule, sessionOptions } from "./ortSession.ts";
import type { Runtime } from "./runtime.ts";

/**
 * ONNX Runtime as WebAssembly, in Node or a browser: the same bits on every CPU and in every engine, with one thread or several.
 *
 * @param threads fixed by the first session of a process; a page that is not cross-origin isolated gets one
 */
export function createWasmRuntime({ threads }: { readonly threads: number }): Runtime {
  ort.env.wasm.numThreads = threads;
  const options = sessionOptions("wasm", threads);
  return {
    name: "wasm",
    device: "wasm",
    threads,
    createSession: (graph) => createOrtSession(ort as unknown as OrtModule, graph, options, false),
  };
}
