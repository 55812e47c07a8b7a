import type { DecoderModel } from "../../records/index.ts";
import type { GraphBuilder, Value } from "../graph/builder.ts";
import { gelu } from "../graph/ops/activation.ts";
import { add, reshape } from "../graph/ops/arithmetic.ts";
import { embedding } from "../graph/ops/embedding.ts";
import { layerNorm } from "../graph/ops/layerNorm.ts";
import { linear, linearTransposed } from "../graph/ops/matrix.ts";
import { binary, cast, reshapeRaw } from "../graph/primitives.ts";
import type { Architecture, ForwardInputs, Parameter } from "./architecture.ts";
import { attention, attentionParameters, denseParameters, EMBEDDING, normParameters } from "./transformer.ts";

const EPSILON = 1e-5;
const HIDDEN = -1e9;

/** Small GPT: pre-norm blocks, causal attention, output weights tied to the embedding. Trains on windows of `sequence + 1` tokens. */
export const decoder: Architecture<DecoderModel> = {
  parameters(model) {
    const { vocabulary, sequence, width, feedForward, layers } = model;
    const block = (name: string): Parameter[] => [
      ...normParameters(`${name}.attention.norm`, width),
      ...attentionParameters(`${name}.attention`, width),
      ...normParameters(`${name}.feedForward.norm`, width),
      ...denseParameters(`${name}.feedForward.up`, width, feedForward),
      ...denseParameters(`${name}.feedForward.down`, feedForward, width),
    ];
    return [
      { name: "embedding.word", shape: [vocabulary, width], initial: EMBEDDING },
      { name: "embedding.position", shape: [sequence, width], initial: EMBEDDING },
      ...Array.from({ length: layers }, (_, layer) => block(`layer.${layer}`)).flat(),
      ...normParameters("final.norm", width),
    ];
  },
  frozen: () => [],
  columns: ({ sequence }) => [{ name: "tokens", dtype: "int32", shape: [sequence + 1] }],
  labels: () => undefined,
  logits: forward,
  targets: (g, { sequence }, { batch, column }) =>
    reshapeRaw(g, tokensFrom(g, column("tokens"), 1, sequence), [batch * sequence]),
  rows: ({ sequence }) => sequence,
};

/** `count` tokens of each row. By Gather: WebGPU has no Slice of integers. */
function tokensFrom(g: GraphBuilder, tokens: Value, from: number, count: number): Value {
  const batch = tokens.shape[0] as number;
  return g.node("Gather", [tokens, g.range(count, from)], [batch, count], { axis: 1 }, "int32");
}

function forward(g: GraphBuilder, model: DecoderModel, { batch, param, column }: ForwardInputs): Value {
  const { width, sequence, heads } = model;
  const dense = (x: Value, name: string, bias = true) =>
    linear(g, x, param(`${name}.weight`), bias ? param(`${name}.bias`) : undefined);
  const norm = (x: Value, name: string) => layerNorm(g, x, param(`${name}.gain`), param(`${name}.bias`), EPSILON);

  const position = g.range(sequence);
  const later = g.node("Greater", [position, reshapeRaw(g, position, [sequence, 1])], [sequence, sequence], {}, "bool");
  const mask = binary(g, "Mul", cast(g, later, "float32"), g.scalar(HIDDEN));

  const table = param("embedding.word");
  const words = embedding(g, table, tokensFrom(g, column("tokens"), 0, sequence));
  let x = reshape(g, add(g, words, param("embedding.position")), [batch * sequence, width]);
  for (let layer = 0; layer < model.layers; layer++) {
    const name = `layer.${layer}`;
    const normal = norm(x, `${name}.attention.norm`);
    const q = dense(normal, `${name}.attention.query`);
    const k = dense(normal, `${name}.attention.key`, false);
    const v = dense(normal, `${name}.attention.value`);
    const mixed = attention(g, q, k, v, mask, { batch, sequence, heads, width });
    x = add(g, x, dense(mixed, `${name}.attention.output`));
    const inner = gelu(g, dense(norm(x, `${name}.feedForward.norm`), `${name}.feedForward.up`));
    x = add(g, x, dense(inner, `${name}.feedForward.down`));
  }
  return linearTransposed(g, norm(x, "final.norm"), table);
}
