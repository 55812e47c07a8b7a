import { TrainingError } from "../errors.ts";
import { tensorView } from "../models/layout.ts";
import type { Program } from "../program/createProgram.ts";
import { decodeSafetensors } from "../state/safetensors.ts";
import { adapterTensorName } from "./exportAdapter.ts";
import { toFloat32 } from "./toFloat32.ts";

/**
 * The trained weights of an adapter file under PEFT's names (`adapter_model.safetensors`), as this program's flat vector: what
 * {@link exportAdapter} wrote, or what another tool of the field trained for the same model.
 *
 * @throws TrainingError `BAD_SAFETENSORS`, or `BAD_MODEL` naming the tensor that is missing or of another shape
 */
export function importAdapter(program: Program, file: Uint8Array): Float32Array {
  const { tensors, data } = decodeSafetensors(file);
  const params = new Float32Array(program.layout.size);
  for (const entry of program.layout.entries) {
    const name = adapterTensorName(program, entry.name);
    const info = tensors.get(name);
    if (info === undefined) throw new TrainingError("BAD_MODEL", `The adapter has no tensor "${name}".`);
    if (info.shape.join() !== entry.shape.join())
      throw new TrainingError("BAD_MODEL", `"${name}" is [${info.shape}] in the adapter, [${entry.shape}] by the job.`);
    tensorView(params, entry).set(toFloat32(name, info.dtype, data.subarray(info.offset, info.offset + info.bytes)));
  }
  return params;
}
