import type { GraphBuilder, Value } from "../builder.ts";
import { binary, cast, reduce, unary } from "../primitives.ts";

const INVERSE_ROOT_2PI = 0.3989422804014327;

/**
 * GELU, `x · Φ(x)`, by the error function. Used in heads too: unlike ReLU it has no kink, so gradient checks hold everywhere.
 */
export function gelu(g: GraphBuilder, x: Value): Value {
  const erf = unary(g, "Erf", binary(g, "Mul", x, g.scalar(Math.SQRT1_2)));
  const cdf = binary(g, "Mul", binary(g, "Add", erf, g.scalar(1)), g.scalar(0.5));
  return g.record(binary(g, "Mul", x, cdf), [x], (gradient) => {
    const exponent = binary(g, "Mul", binary(g, "Mul", x, x), g.scalar(-0.5));
    const density = binary(g, "Mul", unary(g, "Exp", exponent), g.scalar(INVERSE_ROOT_2PI));
    const slope = binary(g, "Add", cdf, binary(g, "Mul", x, density));
    return [binary(g, "Mul", gradient, slope)];
  });
}

/** Hyperbolic tangent. */
export function tanh(g: GraphBuilder, x: Value): Value {
  const y = unary(g, "Tanh", x);
  return g.record(y, [x], (gradient) => [
    binary(g, "Mul", gradient, binary(g, "Sub", g.scalar(1), binary(g, "Mul", y, y))),
  ]);
}

/** Softmax over the last axis. */
export function softmax(g: GraphBuilder, x: Value): Value {
  const last = x.shape.length - 1;
  const p = g.node("Softmax", [x], x.shape, { axis: -1 });
  return g.record(p, [x], (gradient) => {
    const weighted = binary(g, "Mul", gradient, p);
    return [binary(g, "Sub", weighted, binary(g, "Mul", p, reduce(g, "ReduceSum", weighted, [last], true)))];
  });
}

/** `max(x, 0)`; its slope from a comparison, since Sign falls off the GPU. */
export function relu(g: GraphBuilder, x: Value): Value {
  return g.record(binary(g, "Max", x, g.scalar(0)), [x], (gradient) => {
    const positive = g.node("Greater", [x, g.scalar(0)], x.shape, {}, "bool");
    return [binary(g, "Mul", gradient, cast(g, positive, "float32"))];
  });
}
