import type { InferenceSession, Tensor, TensorConstructor } from "onnxruntime-common";
import { TrainingError } from "../errors.ts";
import type { Feeds, HostTensor, Session } from "./runtime.ts";

interface OrtSession {
  run(
    feeds: Record<string, Tensor>,
    fetches?: Record<string, Tensor | null>,
  ): Promise<Readonly<Record<string, unknown>>>;
  release(): Promise<void>;
}

/** What `native` and `wasm` share: ONNX Runtime's common interface, from whichever package. */
export interface OrtModule {
  readonly Tensor: TensorConstructor;
  readonly InferenceSession: {
    create(graph: Uint8Array, options: InferenceSession.SessionOptions): Promise<InferenceSession>;
  };
}

/** How ONNX Runtime's builds say it; the last two are WebAssembly's, for sizes beyond its 4 GiB. */
const OUT_OF_MEMORY =
  /out of memory|failed to allocate|bad.?alloc|allocation failed|RangeError.*(?:memory|allocation)|shape is too large|SafeInt/i;

/** An error of ONNX Runtime as one of ours. */
export function ortError(cause: unknown, doing: string): TrainingError {
  const message = String(cause instanceof Error ? cause.message : cause);
  if (OUT_OF_MEMORY.test(message))
    return new TrainingError("OUT_OF_MEMORY", `Memory ran out ${doing}: use a smaller micro-batch.`, { cause });
  return new TrainingError("RUNTIME_FAILED", `ONNX Runtime failed ${doing}: ${message.slice(0, 500)}`, { cause });
}

/** Options with which every graph is compiled: deterministic, sequential, threads that sleep when idle. */
export function sessionOptions(provider: string, threads: number): InferenceSession.SessionOptions {
  return {
    executionProviders: [provider],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
    logSeverityLevel: 3,
    // Spinning threads halve the speed where cores are few and shared.
    extra: { session: { use_deterministic_compute: "1", intra_op: { allow_spinning: "0" } } },
  };
}

/**
 * Compiles a graph.
 *
 * @param writesInto whether outputs can be written straight into given arrays (else they are copied there)
 */
export async function createOrtSession(
  ort: OrtModule,
  graph: Uint8Array,
  options: InferenceSession.SessionOptions,
  writesInto: boolean,
): Promise<Session> {
  const toTensor = (tensor: HostTensor): Tensor =>
    tensor.dtype === "float32"
      ? new ort.Tensor("float32", tensor.data, tensor.shape)
      : new ort.Tensor("int32", tensor.data, tensor.shape);
  const toTensors = (tensors: Feeds) =>
    Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, toTensor(tensor)]));
  let compiled: InferenceSession;
  try {
    compiled = await ort.InferenceSession.create(graph, options);
  } catch (cause) {
    throw ortError(cause, "compiling a graph");
  }
  const session = compiled as unknown as OrtSession;
  const names = compiled.outputNames;

  return {
    async run(feeds, into = {}) {
      const given = writesInto ? toTensors(into) : {};
      const fetches = Object.fromEntries(names.map((name) => [name, given[name] ?? null]));
      let outputs: Readonly<Record<string, unknown>>;
      try {
        outputs = await session.run(toTensors(feeds), fetches);
      } catch (cause) {
        throw ortError(cause, "running a graph");
      }
      const results: Record<string, HostTensor> = {};
      for (const name of names) {
        const { type, dims, data } = outputs[name] as Tensor;
        const target = into[name];
        if (target !== undefined) {
          if (!writesInto) target.data.set(data as Float32Array);
          results[name] = target;
        } else results[name] = { dtype: type, shape: dims, data } as HostTensor;
      }
      return results;
    },
    release: () => session.release(),
  };
}
