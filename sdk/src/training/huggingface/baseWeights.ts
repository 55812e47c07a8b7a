import type { BertLoraModel } from "../../records/index.ts";
import { TrainingError } from "../errors.ts";
import { bertLora } from "../models/bertLora.ts";
import { layoutOf, tensorView } from "../models/layout.ts";
import { decodeSafetensors, type SafeTensorInfo, type SafeTensors } from "../state/safetensors.ts";
import type { BertSizes } from "./bertConfig.ts";
import { huggingFaceName } from "./names.ts";
import { toFloat32 } from "./toFloat32.ts";

/**
 * Lays the weights of a Hugging Face folder (`model.safetensors`) out as the flat vector that the graphs take as `base`; its
 * little-endian bytes are the job's base blob. Checkpoints of bare models and of classification models are both understood.
 *
 * @throws TrainingError `BAD_SAFETENSORS`, or `BAD_MODEL` naming the tensor that is missing or of another shape
 */
export function packBaseWeights(sizes: BertSizes, file: Uint8Array): Float32Array {
  const safetensors = decodeSafetensors(file);
  const layout = layoutOf(bertLora.frozen(sizes as BertLoraModel));
  const flat = new Float32Array(layout.size);
  for (const entry of layout.entries) {
    const name = huggingFaceName(sizes.family, entry.name);
    const info = find(safetensors, sizes.family, name);
    // Only the first row of the table of token types is used, whatever its length.
    const expected = entry.name === "embedding.type" ? [info.shape[0], entry.shape[1]] : entry.shape;
    if (info.shape.join() !== expected.join())
      throw new TrainingError(
        "BAD_MODEL",
        `"${name}" is [${info.shape}] in model.safetensors, [${expected}] by config.json.`,
      );
    const values = toFloat32(name, info.dtype, safetensors.data.subarray(info.offset, info.offset + info.bytes));
    tensorView(flat, entry).set(values.subarray(0, entry.size));
  }
  return flat;
}

/** Old checkpoints call a layer norm's tensors gamma and beta; bare models leave out the family's prefix. */
function find({ tensors }: SafeTensors, family: string, name: string): SafeTensorInfo {
  const old = name.replace(/LayerNorm\.weight$/, "LayerNorm.gamma").replace(/LayerNorm\.bias$/, "LayerNorm.beta");
  const bare = (full: string) => full.slice(family.length + 1);
  for (const candidate of [name, bare(name), old, bare(old)]) {
    const info = tensors.get(candidate);
    if (info) return info;
  }
  throw new TrainingError("BAD_MODEL", `model.safetensors has no tensor "${name}".`);
}
