import type { BertLoraModel } from "../../records/index.ts";
import { TrainingError } from "../errors.ts";
import { tensorView } from "../models/layout.ts";
import type { Program } from "../program/createProgram.ts";
import { encodeSafetensorsHeader } from "../state/safetensors.ts";
import { huggingFaceName, targetModules } from "./names.ts";

interface NamedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

function loraModel({ spec }: Program): BertLoraModel {
  if (spec.model.architecture === "bert-lora") return spec.model;
  throw new TrainingError("BAD_INPUT", `A model of the architecture "${spec.model.architecture}" has no adapters.`);
}

function encode(tensors: readonly NamedTensor[]): Uint8Array {
  const header = encodeSafetensorsHeader(
    tensors.map(({ name, shape }) => ({ name, dtype: "F32", shape })),
    { format: "pt" },
  );
  const file = new Uint8Array(tensors.reduce((sum, { data }) => sum + data.byteLength, header.length));
  file.set(header);
  let offset = header.length;
  for (const { data } of tensors) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset);
    offset += data.byteLength;
  }
  return file;
}

/** Name of a trained tensor in a PEFT adapter file. */
export function adapterTensorName(program: Program, tensor: string): string {
  const name = huggingFaceName(loraModel(program).family, tensor);
  return `base_model.model.${name}${/\.lora_[AB]$/.test(name) ? ".weight" : ""}`;
}

/**
 * The trained part as a PEFT adapter folder: what `PeftModel.from_pretrained` loads over the base model.
 *
 * @param params trained weights in the program's layout
 */
export function exportAdapter(program: Program, params: Float32Array): { config: string; weights: Uint8Array } {
  const model = loraModel(program);
  const tensors = program.layout.entries.map(
    (entry): NamedTensor => ({
      name: adapterTensorName(program, entry.name),
      shape: entry.shape,
      data: tensorView(params, entry),
    }),
  );
  const config = {
    peft_type: "LORA",
    task_type: "SEQ_CLS",
    r: model.rank,
    lora_alpha: model.alpha,
    lora_dropout: 0,
    bias: "none",
    target_modules: targetModules(model.family, model.targets),
    // Whoever loads it names the base: the spec knows its bytes, not where they came from.
    base_model_name_or_path: null,
    modules_to_save: model.family === "distilbert" ? ["pre_classifier", "classifier"] : ["classifier"],
    inference_mode: true,
  };
  return { config: `${JSON.stringify(config, null, 2)}\n`, weights: encode(tensors) };
}

/**
 * Base and adapters merged, `W + alpha / rank · B · A`: a `model.safetensors` of the family's classification model.
 *
 * @param base the flat base weights
 */
export function exportMerged(program: Program, params: Float32Array, base: Float32Array): Uint8Array {
  const model = loraModel(program);
  const trained = new Map(program.layout.entries.map((entry) => [entry.name, tensorView(params, entry)]));
  const tensors = program.baseLayout.entries.map((entry): NamedTensor => {
    const weights = tensorView(base, entry);
    const module = entry.name.replace(/\.weight$/, "");
    const [a, b] = [trained.get(`${module}.lora_A`), trained.get(`${module}.lora_B`)];
    const data = a && b ? merge(weights, a, b, model) : weights;
    const name = huggingFaceName(model.family, entry.name);
    return { name, shape: entry.shape, data };
  });
  const heads = program.layout.entries
    .filter(({ name }) => name.startsWith("head."))
    .map((entry) => ({
      name: huggingFaceName(model.family, entry.name),
      shape: entry.shape,
      data: tensorView(params, entry),
    }));
  return encode([...tensors, ...heads]);
}

/**
 * The `config.json` beside {@link exportMerged}'s weights: with it `AutoModelForSequenceClassification.from_pretrained` opens the folder.
 */
export function exportConfig(program: Program): string {
  const { family, layers, width, heads, feedForward, vocabulary, positions, layerNormEpsilon, classes } =
    loraModel(program);
  const names = Array.from({ length: classes }, (_, i) => program.spec.data.labels[i] ?? `LABEL_${i}`);
  const shared = {
    model_type: family,
    num_labels: classes,
    id2label: Object.fromEntries(names.map((name, i) => [i, name])),
    label2id: Object.fromEntries(names.map((name, i) => [name, i])),
    problem_type: "single_label_classification",
    vocab_size: vocabulary,
    max_position_embeddings: positions,
    pad_token_id: 0,
  };
  const config =
    family === "bert"
      ? {
          architectures: ["BertForSequenceClassification"],
          ...shared,
          hidden_act: "gelu",
          num_hidden_layers: layers,
          hidden_size: width,
          num_attention_heads: heads,
          intermediate_size: feedForward,
          layer_norm_eps: layerNormEpsilon,
          position_embedding_type: "absolute",
          // Single texts only: the first row of the base's table is all that a job takes along.
          type_vocab_size: 1,
        }
      : {
          architectures: ["DistilBertForSequenceClassification"],
          ...shared,
          activation: "gelu",
          n_layers: layers,
          dim: width,
          n_heads: heads,
          hidden_dim: feedForward,
          sinusoidal_pos_embds: false,
        };
  return `${JSON.stringify(config, null, 2)}\n`;
}

function merge(
  weights: Float32Array,
  a: Float32Array,
  b: Float32Array,
  { rank, alpha, width }: BertLoraModel,
): Float32Array {
  const merged = weights.slice();
  for (let row = 0; row < width; row++)
    for (let column = 0; column < width; column++) {
      let sum = 0;
      for (let r = 0; r < rank; r++) sum += (b[row * rank + r] as number) * (a[r * width + column] as number);
      merged[row * width + column] = (merged[row * width + column] as number) + (alpha / rank) * sum;
    }
  return merged;
}
