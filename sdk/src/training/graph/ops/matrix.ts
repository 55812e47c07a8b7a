import type { GraphBuilder, Value } from "../builder.ts";
import { reduce } from "../primitives.ts";

function gemm(g: GraphBuilder, a: Value, b: Value, transA: 0 | 1, transB: 0 | 1, bias?: Value): Value {
  const rows = a.shape[transA ? 1 : 0] as number;
  const columns = b.shape[transB ? 0 : 1] as number;
  return g.node("Gemm", bias ? [a, b, bias] : [a, b], [rows, columns], { transA, transB });
}

/** `x · w + bias` for x [n, in], w [in, out], bias [out]. */
export function linear(g: GraphBuilder, x: Value, w: Value, bias?: Value): Value {
  const inputs = bias ? [x, w, bias] : [x, w];
  return g.record(gemm(g, x, w, 0, 0, bias), inputs, (gradient) => [
    x.trained ? gemm(g, gradient, w, 0, 1) : undefined,
    w.trained ? gemm(g, x, gradient, 1, 0) : undefined,
    bias?.trained ? reduce(g, "ReduceSum", gradient, [0], false) : undefined,
  ]);
}

/** `x · wᵀ` for x [n, in], w [out, in]: tied embeddings and weights stored output first. */
export function linearTransposed(g: GraphBuilder, x: Value, w: Value, bias?: Value): Value {
  const inputs = bias ? [x, w, bias] : [x, w];
  return g.record(gemm(g, x, w, 0, 1, bias), inputs, (gradient) => [
    x.trained ? gemm(g, gradient, w, 0, 0) : undefined,
    w.trained ? gemm(g, gradient, x, 1, 0) : undefined,
    bias?.trained ? reduce(g, "ReduceSum", gradient, [0], false) : undefined,
  ]);
}

/** Batched matrix product over equal leading axes: [… , m, k] · [… , k, n]. */
export function matmul(g: GraphBuilder, a: Value, b: Value): Value {
  const product = (x: Value, y: Value) => g.node("MatMul", [x, y], [...x.shape.slice(0, -1), y.shape.at(-1) as number]);
  const swapped = (x: Value) => {
    const perm = x.shape.map((_, axis) => axis);
    perm.push(...(perm.splice(-2, 2).reverse() as [number, number]));
    return g.node(
      "Transpose",
      [x],
      perm.map((axis) => x.shape[axis] as number),
      { perm },
    );
  };
  return g.record(product(a, b), [a, b], (gradient) => [
    a.trained ? product(gradient, swapped(b)) : undefined,
    b.trained ? product(swapped(a), gradient) : undefined,
  ]);
}
