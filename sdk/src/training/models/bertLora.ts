import type { BertLoraModel } from "../../records/index.ts";
import type { GraphBuilder, Value } from "../graph/builder.ts";
import { gelu, relu, tanh } from "../graph/ops/activation.ts";
import { add, reshape, scale, slice } from "../graph/ops/arithmetic.ts";
import { embedding } from "../graph/ops/embedding.ts";
import { layerNorm } from "../graph/ops/layerNorm.ts";
import { linearTransposed } from "../graph/ops/matrix.ts";
import { binary, reshapeRaw } from "../graph/primitives.ts";
import type { Architecture, ForwardInputs, Parameter } from "./architecture.ts";
import { attention, fanIn, ONES, ZEROS } from "./transformer.ts";

const HIDDEN = -1e9;

/** Weights stand as in the Hugging Face folder, outputs first: [out, in]. */
const dense = (name: string, inputs: number, outputs: number): Parameter[] => [
  { name: `${name}.weight`, shape: [outputs, inputs], initial: fanIn(inputs) },
  { name: `${name}.bias`, shape: [outputs], initial: ZEROS },
];
const norm = (name: string, width: number): Parameter[] => [
  { name: `${name}.weight`, shape: [width], initial: ONES },
  { name: `${name}.bias`, shape: [width], initial: ZEROS },
];

/**
 * BERT or DistilBERT with frozen base weights, low-rank adapters (Hu et al., 2021) on the chosen projections, and a trained head on the
 * first token: the classifier after BERT's own pooler, or DistilBERT's pre-classifier and classifier.
 */
export const bertLora: Architecture<BertLoraModel> = {
  parameters({ layers, targets, rank, width, family, classes }) {
    const adapters = Array.from({ length: layers }, (_, layer) =>
      targets.flatMap((target): Parameter[] => [
        { name: `layer.${layer}.${target}.lora_A`, shape: [rank, width], initial: fanIn(width) },
        // B starts at zero, so that training starts from the base model.
        { name: `layer.${layer}.${target}.lora_B`, shape: [width, rank], initial: ZEROS },
      ]),
    ).flat();
    const hidden = family === "distilbert" ? dense("head.hidden", width, width) : [];
    return [...adapters, ...hidden, ...dense("head.output", width, classes)];
  },
  frozen({ layers, width, feedForward, vocabulary, positions, family }) {
    const block = (layer: number): Parameter[] => [
      ...["q", "k", "v", "o"].flatMap((name) => dense(`layer.${layer}.${name}`, width, width)),
      ...norm(`layer.${layer}.attentionNorm`, width),
      ...dense(`layer.${layer}.up`, width, feedForward),
      ...dense(`layer.${layer}.down`, feedForward, width),
      ...norm(`layer.${layer}.outputNorm`, width),
    ];
    const table = (name: string, rows: number): Parameter => ({ name, shape: [rows, width], initial: ZEROS });
    return [
      table("embedding.word", vocabulary),
      table("embedding.position", positions),
      // Every token is of the first type: single sentences only.
      ...(family === "bert" ? [table("embedding.type", 1)] : []),
      ...norm("embedding.norm", width),
      ...Array.from({ length: layers }, (_, layer) => block(layer)).flat(),
      ...(family === "bert" ? dense("pooler", width, width) : []),
    ];
  },
  columns: ({ sequence }) => [
    { name: "ids", dtype: "int32", shape: [sequence] },
    { name: "mask", dtype: "float32", shape: [sequence] },
  ],
  labels: () => ({ name: "labels", dtype: "int32", shape: [] }),
  logits: forward,
  targets: (_g, _model, { column }) => column("labels"),
  rows: () => 1,
};

function forward(g: GraphBuilder, model: BertLoraModel, { batch, param, column }: ForwardInputs): Value {
  const { width, sequence, heads, family, layerNormEpsilon, rank, alpha, targets } = model;
  const linear = (x: Value, name: string) => linearTransposed(g, x, param(`${name}.weight`), param(`${name}.bias`));
  const normalise = (x: Value, name: string) =>
    layerNorm(g, x, param(`${name}.weight`), param(`${name}.bias`), layerNormEpsilon);
  const project = (x: Value, layer: number, target: "q" | "k" | "v" | "o") => {
    const base = linear(x, `layer.${layer}.${target}`);
    if (!targets.includes(target)) return base;
    const down = linearTransposed(g, x, param(`layer.${layer}.${target}.lora_A`));
    const up = linearTransposed(g, down, param(`layer.${layer}.${target}.lora_B`));
    return add(g, base, scale(g, up, alpha / rank));
  };

  const hidden = binary(g, "Mul", binary(g, "Sub", g.scalar(1), column("mask")), g.scalar(HIDDEN));
  const mask = reshapeRaw(g, hidden, [batch, 1, 1, sequence]);

  const words = embedding(g, param("embedding.word"), column("ids"));
  let x = add(g, words, slice(g, param("embedding.position"), 0, 0, sequence));
  if (family === "bert") x = add(g, x, param("embedding.type"));
  x = normalise(reshape(g, x, [batch * sequence, width]), "embedding.norm");
  for (let layer = 0; layer < model.layers; layer++) {
    const mixed = attention(g, project(x, layer, "q"), project(x, layer, "k"), project(x, layer, "v"), mask, {
      batch,
      sequence,
      heads,
      width,
    });
    x = normalise(add(g, project(mixed, layer, "o"), x), `layer.${layer}.attentionNorm`);
    const inner = gelu(g, linear(x, `layer.${layer}.up`));
    x = normalise(add(g, linear(inner, `layer.${layer}.down`), x), `layer.${layer}.outputNorm`);
  }
  const first = reshape(g, slice(g, reshape(g, x, [batch, sequence, width]), 1, 0, 1), [batch, width]);
  const pooled = family === "bert" ? tanh(g, linear(first, "pooler")) : relu(g, linear(first, "head.hidden"));
  return linear(pooled, "head.output");
}
