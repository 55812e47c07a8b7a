import { encodeJobSpec, type Hex, type JobSpec } from "../records/index.ts";
import {
  createProgram,
  decodeCheckpoint,
  exportAdapter,
  exportConfig,
  exportMerged,
  forwardGraph,
} from "../training/index.ts";
import { toJson } from "./output.ts";

/**
 * The files of a model that another tool, or `gpuchain predict`, takes: all that follows from a checkpoint's bytes and its job's spec.
 *
 * @param blob gives bytes that the spec names
 */
export async function modelFiles(
  spec: JobSpec,
  checkpoint: Uint8Array,
  blob: (sha256: Hex) => Promise<Uint8Array>,
): Promise<Map<string, Uint8Array | string>> {
  const files = new Map<string, Uint8Array | string>([["checkpoint.safetensors", checkpoint]]);
  const program = createProgram(spec);
  const { layout, baseLayout } = program;
  const { params } = decodeCheckpoint(program, checkpoint);
  const baseRef = spec.model.architecture === "bert-lora" ? spec.model.baseWeights : undefined;
  // A copy of its own: the bytes need not be aligned.
  const base = baseRef && new Float32Array((await blob(baseRef.sha256)).slice().buffer);
  files.set("model.onnx", forwardGraph(spec.model, { layout, params, baseLayout, base }, 1));
  if (base !== undefined) {
    const adapter = exportAdapter(program, params);
    // In a folder of its own: Hugging Face's classes take a model beside an adapter_config.json for the adapter's base.
    files.set("adapter/adapter_config.json", adapter.config);
    files.set("adapter/adapter_model.safetensors", adapter.weights);
    files.set("config.json", exportConfig(program));
    files.set("model.safetensors", exportMerged(program, params, base));
  }
  files.set("spec.json", encodeJobSpec(spec));
  const { tokenizer, labels } = spec.data;
  if (tokenizer.name === "huggingface") files.set("tokenizer.json", await blob(tokenizer.file.sha256));
  else if (tokenizer.name === "hashed-words" && "sequence" in spec.model) {
    const { sequence } = spec.model;
    files.set("tokenizer.hashed-words.json", `${toJson({ ...tokenizer, sequence, labels })}\n`);
  }
  return files;
}
