import * as ort from "onnxruntime-node";
import { TrainingError } from "../errors.ts";
import { GraphBuilder } from "../graph/builder.ts";
import { binary } from "../graph/primitives.ts";
import { createOrtResidentSession } from "./ortResident.ts";
import { createOrtSession, type OrtModule, sessionOptions } from "./ortSession.ts";
import type { Runtime } from "./runtime.ts";

/**
 * A runtime on one of onnxruntime-node's GPU providers, tried out before it is handed over. A graph that the device cannot run whole is
 * refused: nothing falls back to the CPU in silence.
 *
 * @param resident whether states stay on the device between steps
 * @param hint what to install where the provider is not available
 * @throws TrainingError `RUNTIME_UNAVAILABLE`, saying why
 */
export async function createGpuRuntime(provider: "webgpu" | "cuda", resident: boolean, hint: string): Promise<Runtime> {
  // What goes wrong is thrown; ONNX Runtime's own lines about it would only repeat it, in red.
  ort.env.logLevel = "fatal";
  const options = sessionOptions(provider, 1);
  const strict = {
    ...options,
    extra: { session: { ...(options.extra?.session as object), disable_cpu_ep_fallback: "1" } },
  };
  const module = ort as unknown as OrtModule;
  const runtime: Runtime = {
    name: provider,
    device: provider,
    threads: 1,
    createSession: (graph) => createOrtSession(module, graph, strict, false),
    ...(resident
      ? {
          resident: {
            createResidentSession: (graph, kept) => createOrtResidentSession(module, graph, strict, kept),
          },
        }
      : {}),
  };
  try {
    await tryOut(runtime);
  } catch (cause) {
    const said = cause instanceof Error ? ` (${firstLine(cause.message)})` : "";
    const message = `The runtime "${provider}" is not available here: ${hint}${said}`;
    throw new TrainingError("RUNTIME_UNAVAILABLE", message, { cause });
  }
  return runtime;
}

const MOST_OF_A_LINE = 300;
const firstLine = (text: string) => (text.split("\n", 1)[0] ?? "").slice(0, MOST_OF_A_LINE);

/** One plus one, on the device. */
async function tryOut(runtime: Runtime): Promise<void> {
  const g = new GraphBuilder("probe");
  g.output("sum", binary(g, "Add", g.input("a", "float32", [4]), g.scalar(1)));
  const session = await runtime.createSession(g.encode());
  const { sum } = await session.run({ a: { dtype: "float32", shape: [4], data: Float32Array.of(1, 1, 1, 1) } });
  await session.release();
  if (sum?.data[3] !== 2) throw new Error(`the device computed 1 + 1 = ${sum?.data[3]}`);
}
