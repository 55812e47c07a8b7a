import type { GraphBuilder, Value } from "../graph/builder.ts";
import { softmax } from "../graph/ops/activation.ts";
import { add, reshape, scale, transpose } from "../graph/ops/arithmetic.ts";
import { matmul } from "../graph/ops/matrix.ts";
import type { Initial, Parameter } from "./architecture.ts";

export const ZEROS: Initial = { kind: "zeros" };
export const ONES: Initial = { kind: "ones" };
export const EMBEDDING: Initial = { kind: "uniform", deviation: 0.02 };

/** Weights [fanIn, out] keep the variance of what passes through. */
export const fanIn = (inputs: number): Initial => ({ kind: "uniform", deviation: 1 / Math.sqrt(inputs) });

/** Gain and bias of a layer normalisation. */
export const normParameters = (name: string, width: number): Parameter[] => [
  { name: `${name}.gain`, shape: [width], initial: ONES },
  { name: `${name}.bias`, shape: [width], initial: ZEROS },
];

/** Weight [inputs, outputs] and bias of a linear layer. */
export const denseParameters = (name: string, inputs: number, outputs: number): Parameter[] => [
  { name: `${name}.weight`, shape: [inputs, outputs], initial: fanIn(inputs) },
  { name: `${name}.bias`, shape: [outputs], initial: ZEROS },
];

/**
 * The four projections of attention. The key has no bias: its true gradient is zero, and AdamW would blow the rounding error up
 * into noise.
 */
export const attentionParameters = (name: string, width: number): Parameter[] => [
  ...denseParameters(`${name}.query`, width, width),
  ...denseParameters(`${name}.key`, width, width).slice(0, 1),
  ...denseParameters(`${name}.value`, width, width),
  ...denseParameters(`${name}.output`, width, width),
];

interface AttentionSizes {
  readonly batch: number;
  readonly sequence: number;
  readonly heads: number;
  readonly width: number;
}

/**
 * Multi-head attention over projected q, k, v [batch · sequence, width]; returns the same shape.
 *
 * @param mask added to the scores, broadcastable to [batch, heads, sequence, sequence]: 0 to see, a large negative number not to
 */
export function attention(g: GraphBuilder, q: Value, k: Value, v: Value, mask: Value, sizes: AttentionSizes): Value {
  const { batch, sequence, heads, width } = sizes;
  const depth = width / heads;
  const split = (x: Value, order: readonly number[]) =>
    transpose(g, reshape(g, x, [batch, sequence, heads, depth]), order);
  const scores = scale(g, matmul(g, split(q, [0, 2, 1, 3]), split(k, [0, 2, 3, 1])), 1 / Math.sqrt(depth));
  const mixed = matmul(g, softmax(g, add(g, scores, mask)), split(v, [0, 2, 1, 3]));
  return reshape(g, transpose(g, mixed, [0, 2, 1, 3]), [batch * sequence, width]);
}
