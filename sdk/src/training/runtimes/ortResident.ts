import type { InferenceSession, Tensor } from "onnxruntime-common";
import { type OrtModule, ortError } from "./ortSession.ts";
import type { DeviceTensor, HostTensor, ResidentSession } from "./runtime.ts";

/** Compiles a graph whose named outputs stay in the device's memory. */
export async function createOrtResidentSession(
  ort: OrtModule,
  graph: Uint8Array,
  options: InferenceSession.SessionOptions,
  resident: readonly string[],
): Promise<ResidentSession> {
  let session: InferenceSession;
  try {
    session = await ort.InferenceSession.create(graph, {
      ...options,
      preferredOutputLocation: Object.fromEntries(resident.map((name) => [name, "gpu-buffer" as const])),
    });
  } catch (cause) {
    throw ortError(cause, "compiling a graph");
  }
  const toTensor = (tensor: HostTensor | DeviceTensor): Tensor => {
    if ("handle" in tensor) return tensor.handle as Tensor;
    return tensor.dtype === "float32"
      ? new ort.Tensor("float32", tensor.data, tensor.shape)
      : new ort.Tensor("int32", tensor.data, tensor.shape);
  };
  return {
    async run(feeds) {
      const tensors = Object.fromEntries(Object.entries(feeds).map(([name, tensor]) => [name, toTensor(tensor)]));
      let outputs: InferenceSession.ReturnType;
      try {
        outputs = await session.run(tensors);
      } catch (cause) {
        throw ortError(cause, "running a graph");
      }
      const kept: Record<string, DeviceTensor> = {};
      const host: Record<string, HostTensor> = {};
      for (const name of session.outputNames) {
        const output = outputs[name] as Tensor;
        const dtype = output.type as HostTensor["dtype"];
        if (resident.includes(name))
          kept[name] = { dtype, shape: output.dims, handle: output, dispose: () => output.dispose() };
        else host[name] = { dtype, shape: output.dims, data: output.data } as HostTensor;
      }
      return { resident: kept, host };
    },
    release: () => session.release(),
  };
}
