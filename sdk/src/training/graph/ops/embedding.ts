import type { GraphBuilder, Value } from "../builder.ts";
import { elements, reshapeRaw } from "../primitives.ts";

/**
 * Rows of `table` [rows, width] at `ids`: [… , width].
 *
 * The gradient adds rows with ScatterElements along axis 0: ScatterND with reduction `add` races between two threads and gives
 * other sums on every run; this one does not, at the same cost.
 */
export function embedding(g: GraphBuilder, table: Value, ids: Value): Value {
  const [rows, width] = table.shape as [number, number];
  const y = g.node("Gather", [table, ids], [...ids.shape, width], { axis: 0 });
  return g.record(y, [table], (gradient) => {
    const count = elements(ids.shape);
    const zeros = g.node("Expand", [g.scalar(0), g.indices([rows, width])], [rows, width]);
    const index = g.node(
      "Expand",
      [reshapeRaw(g, ids, [count, 1]), g.indices([count, width])],
      [count, width],
      {},
      "int32",
    );
    const updates = reshapeRaw(g, gradient, [count, width]);
    return [g.node("ScatterElements", [zeros, index, updates], [rows, width], { axis: 0, reduction: "add" })];
  });
}
