import type { DType } from "../onnx/encodeModel.ts";
import type { GraphBuilder, Value } from "./builder.ts";

/** Number of elements of a shape. */
export const elements = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** Shape of an element-wise result of two shapes, by ONNX's (NumPy's) broadcasting. */
export function broadcast(a: readonly number[], b: readonly number[]): number[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, i) => Math.max(a[a.length - rank + i] ?? 1, b[b.length - rank + i] ?? 1));
}

type Binary = "Add" | "Sub" | "Mul" | "Div" | "Max";

/** An element-wise operator of two values, without a gradient. */
export const binary = (g: GraphBuilder, op: Binary, a: Value, b: Value): Value =>
  g.node(op, [a, b], broadcast(a.shape, b.shape));

type Unary = "Exp" | "Log" | "Erf" | "Sqrt" | "Neg" | "Tanh";

/** An element-wise operator of one value, without a gradient. */
export const unary = (g: GraphBuilder, op: Unary, a: Value): Value => g.node(op, [a], a.shape);

/** ReduceSum, ReduceMean or ReduceMax over `axes`. */
export function reduce(
  g: GraphBuilder,
  op: "ReduceSum" | "ReduceMean" | "ReduceMax",
  a: Value,
  axes: readonly number[],
  keep: boolean,
): Value {
  const shape = keep
    ? a.shape.map((size, axis) => (axes.includes(axis) ? 1 : size))
    : a.shape.filter((_, axis) => !axes.includes(axis));
  return g.node(op, [a, g.indices(axes)], shape, { keepdims: keep ? 1 : 0 });
}

/** Reshape without a gradient, for any type. */
export const reshapeRaw = (g: GraphBuilder, a: Value, shape: readonly number[]): Value =>
  g.node("Reshape", [a, g.indices(shape)], shape, {}, a.dtype);

const ONNX_TYPE = { float32: 1, int32: 6, int64: 7, bool: 9 } as const;

export const cast = (g: GraphBuilder, a: Value, dtype: DType): Value =>
  g.node("Cast", [a], a.shape, { to: ONNX_TYPE[dtype] }, dtype);

/** Sums a gradient over the axes along which `shape` was broadcast. */
export function unbroadcast(g: GraphBuilder, gradient: Value, shape: readonly number[]): Value {
  if (gradient.shape.join() === shape.join()) return gradient;
  const extra = gradient.shape.length - shape.length;
  const axes = gradient.shape.flatMap((size, axis) =>
    axis < extra || (shape[axis - extra] === 1 && size !== 1) ? [axis] : [],
  );
  return reshapeRaw(g, reduce(g, "ReduceSum", gradient, axes, true), shape);
}
