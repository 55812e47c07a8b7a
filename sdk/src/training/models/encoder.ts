import type { EncoderModel } from "../../records/index.ts";
import type { GraphBuilder, Value } from "../graph/builder.ts";
import { gelu } from "../graph/ops/activation.ts";
import { add, reshape } from "../graph/ops/arithmetic.ts";
import { embedding } from "../graph/ops/embedding.ts";
import { layerNorm } from "../graph/ops/layerNorm.ts";
import { linear, matmul } from "../graph/ops/matrix.ts";
import { binary, reduce, reshapeRaw } from "../graph/primitives.ts";
import type { Architecture, ForwardInputs, Parameter } from "./architecture.ts";
import { attention, attentionParameters, denseParameters, EMBEDDING, normParameters } from "./transformer.ts";

const EPSILON = 1e-12;
const HIDDEN = -1e9;

/** Encoder classifier from scratch: post-norm blocks as in BERT, mean over the real tokens, GELU head. */
export const encoder: Architecture<EncoderModel> = {
  parameters(model) {
    const { vocabulary, sequence, width, feedForward, classes } = model;
    const block = (name: string): Parameter[] => [
      ...attentionParameters(`${name}.attention`, width),
      ...normParameters(`${name}.attention.norm`, width),
      ...denseParameters(`${name}.feedForward.up`, width, feedForward),
      ...denseParameters(`${name}.feedForward.down`, feedForward, width),
      ...normParameters(`${name}.feedForward.norm`, width),
    ];
    return [
      { name: "embedding.word", shape: [vocabulary, width], initial: EMBEDDING },
      { name: "embedding.position", shape: [sequence, width], initial: EMBEDDING },
      ...normParameters("embedding.norm", width),
      ...Array.from({ length: model.layers }, (_, layer) => block(`layer.${layer}`)).flat(),
      ...denseParameters("head.hidden", width, width),
      ...denseParameters("head.output", width, classes),
    ];
  },
  frozen: () => [],
  columns: ({ sequence }) => [
    { name: "ids", dtype: "int32", shape: [sequence] },
    { name: "mask", dtype: "float32", shape: [sequence] },
  ],
  labels: () => ({ name: "labels", dtype: "int32", shape: [] }),
  logits: forward,
  targets: (_g, _model, { column }) => column("labels"),
  rows: () => 1,
};

function forward(g: GraphBuilder, model: EncoderModel, { batch, param, column }: ForwardInputs): Value {
  const { width, sequence, heads } = model;
  const dense = (x: Value, name: string, bias = true) =>
    linear(g, x, param(`${name}.weight`), bias ? param(`${name}.bias`) : undefined);
  const norm = (x: Value, name: string) => layerNorm(g, x, param(`${name}.gain`), param(`${name}.bias`), EPSILON);

  const mask = column("mask");
  const hidden = binary(g, "Mul", binary(g, "Sub", g.scalar(1), mask), g.scalar(HIDDEN));
  const scoreMask = reshapeRaw(g, hidden, [batch, 1, 1, sequence]);

  const words = embedding(g, param("embedding.word"), column("ids"));
  let x = reshape(g, add(g, words, param("embedding.position")), [batch * sequence, width]);
  x = norm(x, "embedding.norm");
  for (let layer = 0; layer < model.layers; layer++) {
    const name = `layer.${layer}`;
    const q = dense(x, `${name}.attention.query`);
    const k = dense(x, `${name}.attention.key`, false);
    const v = dense(x, `${name}.attention.value`);
    const mixed = attention(g, q, k, v, scoreMask, { batch, sequence, heads, width });
    x = norm(add(g, dense(mixed, `${name}.attention.output`), x), `${name}.attention.norm`);
    const inner = gelu(g, dense(x, `${name}.feedForward.up`));
    x = norm(add(g, dense(inner, `${name}.feedForward.down`), x), `${name}.feedForward.norm`);
  }

  const counts = reduce(g, "ReduceSum", mask, [1], true);
  const weights = reshapeRaw(g, binary(g, "Div", mask, counts), [batch, 1, sequence]);
  const pooled = reshape(g, matmul(g, weights, reshape(g, x, [batch, sequence, width])), [batch, width]);
  return dense(gelu(g, dense(pooled, "head.hidden")), "head.output");
}
