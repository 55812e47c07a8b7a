import type { GraphBuilder, Value } from "../builder.ts";
import { binary, cast, reduce, reshapeRaw, unary } from "../primitives.ts";

/** Log-probabilities of `logits` [n, classes], from primitives: LogSoftmax falls off the GPU. */
function logProbabilities(g: GraphBuilder, logits: Value): Value {
  const shifted = binary(g, "Sub", logits, reduce(g, "ReduceMax", logits, [1], true));
  return binary(g, "Sub", shifted, unary(g, "Log", reduce(g, "ReduceSum", unary(g, "Exp", shifted), [1], true)));
}

/** 1 at each label, 0 elsewhere, [n, classes]; OneHot falls off the GPU. */
function oneHot(g: GraphBuilder, labels: Value, classes: number): Value {
  const [n] = labels.shape as [number];
  const column = reshapeRaw(g, labels, [n, 1]);
  return cast(g, g.node("Equal", [column, g.range(classes)], [n, classes], {}, "bool"), "float32");
}

/** Negative log-likelihood of each label, [n], without a gradient. */
export function negativeLogLikelihood(g: GraphBuilder, logits: Value, labels: Value): Value {
  const picked = binary(g, "Mul", logProbabilities(g, logits), oneHot(g, labels, logits.shape[1] as number));
  return g.node("Neg", [reduce(g, "ReduceSum", picked, [1], false)], labels.shape);
}

/**
 * Cross-entropy of `logits` [n, classes] against int32 `labels` [n], summed over n: a scalar.
 *
 * The gradient is probability less target. For the label that is written as minus the sum of the other probabilities: `p − 1` would cancel to
 * rounding noise once a model is sure, and honest runs on two devices would drift apart by it.
 */
export function crossEntropySum(g: GraphBuilder, logits: Value, labels: Value): Value {
  const logP = logProbabilities(g, logits);
  const target = oneHot(g, labels, logits.shape[1] as number);
  const loss = g.node("Neg", [reduce(g, "ReduceSum", binary(g, "Mul", logP, target), [0, 1], false)], []);
  return g.record(loss, [logits], (gradient) => {
    const others = binary(g, "Mul", unary(g, "Exp", logP), binary(g, "Sub", g.scalar(1), target));
    const label = binary(g, "Mul", target, reduce(g, "ReduceSum", others, [1], true));
    return [binary(g, "Mul", binary(g, "Sub", others, label), gradient)];
  });
}
