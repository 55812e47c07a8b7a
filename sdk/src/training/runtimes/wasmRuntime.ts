import type { Env } from "onnxruntime-common";
import { createOrtSession, type OrtModule, sessionOptions } from "./ortSession.ts";
import type { Runtime } from "./runtime.ts";

/** The `wasm` runtime over one of onnxruntime-web's builds; Node and browsers load different ones of the same kernels. */
export function wasmRuntime(ort: OrtModule & { readonly env: Env }, threads: number): Runtime {
  ort.env.wasm.numThreads = threads;
  return {
    name: "wasm",
    device: "wasm",
    threads,
    createSession: (graph) => createOrtSession(ort, graph, sessionOptions("wasm", threads), false),
  };
}
