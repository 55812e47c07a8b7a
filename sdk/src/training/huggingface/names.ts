import type { BertLoraModel } from "../../records/index.ts";

type Family = BertLoraModel["family"];

const BERT: Readonly<Record<string, string>> = {
  "embedding.word": "embeddings.word_embeddings.weight",
  "embedding.position": "embeddings.position_embeddings.weight",
  "embedding.type": "embeddings.token_type_embeddings.weight",
  "embedding.norm": "embeddings.LayerNorm",
  q: "attention.self.query",
  k: "attention.self.key",
  v: "attention.self.value",
  o: "attention.output.dense",
  attentionNorm: "attention.output.LayerNorm",
  up: "intermediate.dense",
  down: "output.dense",
  outputNorm: "output.LayerNorm",
  pooler: "pooler.dense",
};

const DISTILBERT: Readonly<Record<string, string>> = {
  "embedding.word": "embeddings.word_embeddings.weight",
  "embedding.position": "embeddings.position_embeddings.weight",
  "embedding.norm": "embeddings.LayerNorm",
  q: "attention.q_lin",
  k: "attention.k_lin",
  v: "attention.v_lin",
  o: "attention.out_lin",
  attentionNorm: "sa_layer_norm",
  up: "ffn.lin1",
  down: "ffn.lin2",
  outputNorm: "output_layer_norm",
};

const HEAD: Readonly<Record<string, string>> = { "head.hidden": "pre_classifier", "head.output": "classifier" };

/** Name of a module or tensor in Hugging Face's classification model of the family, e.g. `bert.encoder.layer.0.attention.self.query`. */
export function huggingFaceName(family: Family, name: string): string {
  const names = family === "bert" ? BERT : DISTILBERT;
  const layers = family === "bert" ? "encoder.layer" : "transformer.layer";
  // "layer.3.q.lora_A" → layer 3, module q, tensor lora_A
  const layer = /^layer\.(\d+)\.(\w+)(\..+)?$/.exec(name);
  if (layer) return `${family}.${layers}.${layer[1]}.${names[layer[2] as string]}${layer[3] ?? ""}`;
  const tensor = /\.(weight|bias)$/.exec(name)?.[0] ?? "";
  const module = name.slice(0, name.length - tensor.length);
  const head = HEAD[module];
  return head ? `${head}${tensor}` : `${family}.${names[module]}${tensor}`;
}

/** Module names of the adapters, as a PEFT configuration lists them. */
export const targetModules = (family: Family, targets: BertLoraModel["targets"]): string[] =>
  targets.map((target) => {
    const path = (family === "bert" ? BERT : DISTILBERT)[target] as string;
    // BERT's output projection is a "dense" like others: only its path names it.
    return target === "o" && family === "bert" ? path : (path.split(".").at(-1) as string);
  });
