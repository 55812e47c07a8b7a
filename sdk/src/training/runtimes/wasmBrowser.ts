import * as ort from "onnxruntime-web/wasm";
import type { OrtModule } from "./ortSession.ts";
import type { Runtime } from "./runtime.ts";
import { wasmRuntime } from "./wasmRuntime.ts";

/**
 * The `wasm` runtime in a browser: the kernels of Node's, so the same bits.
 *
 * @param assets URL prefix under which `ort-wasm-simd-threaded.mjs` and `.wasm` of onnxruntime-web are served; left out: the bundler's
 * own copy, with one thread, because a bundle cannot be its own worker. Bundle with the resolve condition
 * `onnxruntime-web-use-extern-wasm` when assets are given.
 * @param threads more than one needs a cross-origin isolated page; others get one
 */
export function createBrowserWasmRuntime({
  assets,
  threads = 1,
}: {
  readonly assets?: string;
  readonly threads?: number;
} = {}): Runtime {
  if (assets !== undefined) ort.env.wasm.wasmPaths = assets;
  const several = assets !== undefined && globalThis.crossOriginIsolated;
  return wasmRuntime(ort as unknown as OrtModule & typeof ort, several ? threads : 1);
}
