import { type Hex, type ModelDescription, sha256, toHex } from "../../records/index.ts";
import { GraphBuilder, type Value } from "../graph/builder.ts";
import { crossEntropySum, negativeLogLikelihood } from "../graph/ops/crossEntropy.ts";
import { binary, reshapeRaw, unary } from "../graph/primitives.ts";
import type { Column, ForwardInputs } from "../models/architecture.ts";
import { architectureOf } from "../models/architectureOf.ts";
import { type Layout, layoutOf } from "../models/layout.ts";
import type { AdamWOptions } from "../optimizer/adamw.ts";

/** Examples per run of the `evaluate` graph; a shorter last batch is filled up with copies of its last example. */
export const EVALUATION_BATCH = 32;

/** The three graphs of a training program, as ONNX bytes, and where tensors lie in the flat vectors they take. */
export interface Graphs {
  readonly layout: Layout;
  /** frozen weights, taken as the input `base`; size 0 where there are none */
  readonly baseLayout: Layout;
  /** inputs besides `params` and `base`, for one example */
  readonly columns: readonly Column[];
  readonly labels: Column | undefined;
  /** scored targets per example: 1, or the tokens of a window */
  readonly rows: number;
  /** `params[, base], columns…, labels → gradSum, lossSum` over one micro-batch */
  grad(microBatch: number): Uint8Array;
  /** `params, m, v, gradSum, scale, rate, first, second → params2, m2, v2` */
  readonly apply: Uint8Array;
  /** `params[, base], columns… → logits [batch, classes]`; for language models `→ nll [batch, sequence]` */
  evaluate(batch: number): Uint8Array;
  /** SHA-256 over the SHA-256 of `grad` at the spec's unit, `apply`, and `evaluate` at {@link EVALUATION_BATCH} */
  readonly graphHash: Hex;
}

/**
 * Builds the graphs of a model. Equal arguments give equal bytes on every machine.
 *
 * @param model checked model description
 * @param optimizer constants of the `apply` graph
 * @param unit examples of the hashed `grad` graph: the grain of a canonical job, the batch of a native one
 */
export function buildGraphs(model: ModelDescription, optimizer: AdamWOptions, unit: number): Graphs {
  const architecture = architectureOf(model);
  const layout = layoutOf(architecture.parameters(model));
  const baseLayout = layoutOf(architecture.frozen(model));
  const columns = architecture.columns(model);
  const labels = architecture.labels(model);

  const inputs = (g: GraphBuilder, batch: number, trained: boolean, scored: boolean): ForwardInputs => {
    const params = splitFlat(g, "params", layout, trained);
    const base = baseLayout.size > 0 ? splitFlat(g, "base", baseLayout, false) : new Map<string, Value>();
    const all = scored && labels ? [...columns, labels] : columns;
    const given = new Map(
      all.map((column) => [column.name, g.input(column.name, column.dtype, [batch, ...column.shape])]),
    );
    return {
      batch,
      param: (name) => found(params.get(name) ?? base.get(name), name),
      column: (name) => found(given.get(name), name),
    };
  };

  const grad = (microBatch: number): Uint8Array => {
    const g = new GraphBuilder("grad");
    const given = inputs(g, microBatch, true, true);
    const lossSum = crossEntropySum(g, architecture.logits(g, model, given), architecture.targets(g, model, given));
    const gradients = g.gradients(
      lossSum,
      layout.entries.map((entry) => given.param(entry.name)),
    );
    const flat = gradients.map((gradient, i) => {
      const { name, size } = layout.entries[i] as (typeof layout.entries)[number];
      return reshapeRaw(g, found(gradient, `gradient of ${name}`), [size]);
    });
    g.output("gradSum", g.node("Concat", flat, [layout.size], { axis: 0 }));
    g.output("lossSum", lossSum);
    return g.encode();
  };

  const evaluate = (batch: number): Uint8Array => {
    const g = new GraphBuilder("evaluate");
    const given = inputs(g, batch, false, false);
    const logits = architecture.logits(g, model, given);
    if (labels) g.output("logits", logits);
    else {
      const nll = negativeLogLikelihood(g, logits, architecture.targets(g, model, given));
      g.output("nll", reshapeRaw(g, nll, [batch, architecture.rows(model)]));
    }
    return g.encode();
  };

  const apply = buildApply(layout.size, optimizer);
  const graphHash = toHex(sha256(sha256(grad(unit)), sha256(apply), sha256(evaluate(EVALUATION_BATCH))));
  return { layout, baseLayout, columns, labels, rows: architecture.rows(model), grad, apply, evaluate, graphHash };
}

function found(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`the model's forward pass has no ${name}`);
  return value;
}

/**
 * A flat input, cut into the tensors of its layout: by one Slice each, since a Split into many asks for more buffers than a GPU's shader may
 * have.
 */
function splitFlat(g: GraphBuilder, name: string, layout: Layout, trained: boolean): Map<string, Value> {
  const flat = g.input(name, "float32", [layout.size]);
  return new Map(
    layout.entries.map(({ name: tensor, offset, size, shape }) => {
      const range = [g.indices([offset]), g.indices([offset + size])];
      const part = g.node("Slice", [flat, ...range], [size]);
      return [tensor, { ...reshapeRaw(g, part, shape), trained }];
    }),
  );
}

/** AdamW as a graph, in the order of operations of `optimizer/adamw.ts`. */
function buildApply(size: number, options: AdamWOptions): Uint8Array {
  const g = new GraphBuilder("apply");
  const flat = (name: string) => g.input(name, "float32", [size]);
  const scalar = (name: string) => g.input(name, "float32", []);
  const times = (a: Value, b: Value) => binary(g, "Mul", a, b);
  const plus = (a: Value, b: Value) => binary(g, "Add", a, b);
  const [params, m, v, gradSum] = [flat("params"), flat("m"), flat("v"), flat("gradSum")];
  const [scale, rate, first, second] = [scalar("scale"), scalar("rate"), scalar("first"), scalar("second")];

  const gradient = times(gradSum, scale);
  const m2 = plus(times(m, g.scalar(options.beta1)), times(gradient, g.scalar(1 - options.beta1)));
  const v2 = plus(times(v, g.scalar(options.beta2)), times(times(gradient, gradient), g.scalar(1 - options.beta2)));
  const denominator = plus(unary(g, "Sqrt", times(v2, second)), g.scalar(options.epsilon));
  const decayed = binary(g, "Sub", params, times(times(params, g.scalar(options.weightDecay)), rate));
  const change = times(rate, binary(g, "Div", times(m2, first), denominator));
  g.output("params2", binary(g, "Sub", decayed, change));
  g.output("m2", m2);
  g.output("v2", v2);
  return g.encode();
}
