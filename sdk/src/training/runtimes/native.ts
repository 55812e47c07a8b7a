import * as ort from "onnxruntime-node";
import { createOrtSession, type OrtModule, sessionOptions } from "./ortSession.ts";
import type { Runtime } from "./runtime.ts";

/**
 * ONNX Runtime on this machine's CPU: same bits for one thread or two and across processes, not across CPU types.
 *
 * @param threads threads within an operator
 */
export function createNativeRuntime({ threads }: { readonly threads: number }): Runtime {
  const options = sessionOptions("cpu", threads);
  return {
    name: "native",
    device: "cpu",
    threads,
    createSession: (graph) => createOrtSession(ort as unknown as OrtModule, graph, options, true),
  };
}
