import type { GraphBuilder, Value } from "../builder.ts";
import { binary, reshapeRaw, unbroadcast } from "../primitives.ts";

/** `a + b`, broadcast. */
export function add(g: GraphBuilder, a: Value, b: Value): Value {
  return g.record(binary(g, "Add", a, b), [a, b], (gradient) => [
    a.trained ? unbroadcast(g, gradient, a.shape) : undefined,
    b.trained ? unbroadcast(g, gradient, b.shape) : undefined,
  ]);
}

/** `a · b`, element by element, broadcast. */
export function multiply(g: GraphBuilder, a: Value, b: Value): Value {
  return g.record(binary(g, "Mul", a, b), [a, b], (gradient) => [
    a.trained ? unbroadcast(g, binary(g, "Mul", gradient, b), a.shape) : undefined,
    b.trained ? unbroadcast(g, binary(g, "Mul", gradient, a), b.shape) : undefined,
  ]);
}

/** `factor · a`. */
export function scale(g: GraphBuilder, a: Value, factor: number): Value {
  return g.record(binary(g, "Mul", a, g.scalar(factor)), [a], (gradient) => [
    binary(g, "Mul", gradient, g.scalar(factor)),
  ]);
}

export function reshape(g: GraphBuilder, a: Value, shape: readonly number[]): Value {
  return g.record(reshapeRaw(g, a, shape), [a], (gradient) => [reshapeRaw(g, gradient, a.shape)]);
}

/** Reorders the axes: output axis i is input axis `order[i]`. */
export function transpose(g: GraphBuilder, a: Value, order: readonly number[]): Value {
  const permuted = (value: Value, perm: readonly number[]) =>
    g.node(
      "Transpose",
      [value],
      perm.map((axis) => value.shape[axis] as number),
      { perm },
    );
  const inverse = order.map((_, axis) => order.indexOf(axis));
  return g.record(permuted(a, order), [a], (gradient) => [permuted(gradient, inverse)]);
}

/** Elements `start … end − 1` along one axis; the gradient is padded with zeros. */
export function slice(g: GraphBuilder, a: Value, axis: number, start: number, end: number): Value {
  const shape = a.shape.map((size, i) => (i === axis ? end - start : size));
  const inputs = [a, g.indices([start]), g.indices([end]), g.indices([axis])];
  const before = a.shape.map((_, i) => (i === axis ? start : 0));
  const after = a.shape.map((size, i) => (i === axis ? size - end : 0));
  return g.record(g.node("Slice", inputs, shape, {}, a.dtype), [a], (gradient) => [
    g.node("Pad", [gradient, g.indices([...before, ...after])], a.shape),
  ]);
}
