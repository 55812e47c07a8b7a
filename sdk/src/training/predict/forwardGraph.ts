import type { ModelDescription } from "../../records/index.ts";
import { GraphBuilder, type Value } from "../graph/builder.ts";
import { reshapeRaw } from "../graph/primitives.ts";
import { architectureOf } from "../models/architectureOf.ts";
import { type Layout, tensorView } from "../models/layout.ts";

/** Trained and frozen weights with their layouts. */
export interface Weights {
  readonly layout: Layout;
  readonly params: Float32Array;
  readonly baseLayout: Layout;
  readonly base: Float32Array | undefined;
}

/**
 * A forward pass with its weights inside, as ONNX: `ids, mask → logits` (or `features`, or `tokens`), what a client takes away and any
 * ONNX tool runs. Language models take `sequence + 1` tokens, of which the last is not read, and give [batch, sequence, vocabulary].
 */
export function forwardGraph(model: ModelDescription, weights: Weights, batch: number): Uint8Array {
  const architecture = architectureOf(model);
  const g = new GraphBuilder("forward");
  const values = new Map<string, Value>();
  for (const entry of weights.layout.entries)
    values.set(entry.name, g.weights(entry.name, entry.shape, tensorView(weights.params, entry)));
  for (const entry of weights.baseLayout.entries)
    if (weights.base) values.set(entry.name, g.weights(entry.name, entry.shape, tensorView(weights.base, entry)));
  const columns = new Map(
    architecture.columns(model).map(({ name, dtype, shape }) => [name, g.input(name, dtype, [batch, ...shape])]),
  );
  const found = (map: ReadonlyMap<string, Value>) => (name: string) => {
    const value = map.get(name);
    if (value === undefined) throw new Error(`the model's forward pass has no ${name}`);
    return value;
  };
  const logits = architecture.logits(g, model, { batch, param: found(values), column: found(columns) });
  const rows = architecture.rows(model);
  g.output("logits", rows === 1 ? logits : reshapeRaw(g, logits, [batch, rows, logits.shape[1] as number]));
  return g.encode();
}
