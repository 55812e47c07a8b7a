import type { GraphBuilder, Value } from "../builder.ts";
import { binary, reduce } from "../primitives.ts";

/** Layer normalisation over the last axis: `(x − mean) / √(variance + ε) · gain + bias`. */
export function layerNorm(g: GraphBuilder, x: Value, gain: Value, bias: Value, epsilon: number): Value {
  const last = x.shape.length - 1;
  const leading = x.shape.slice(0, -1).map((_, axis) => axis);
  const statistics = [...x.shape.slice(0, -1), 1];
  const [y, mean, inverse] = g.nodes("LayerNormalization", [x, gain, bias], [x.shape, statistics, statistics], {
    axis: -1,
    epsilon: { float: epsilon },
  }) as [Value, Value, Value];
  return g.record(y, [x, gain, bias], (gradient) => {
    const normal = binary(g, "Mul", binary(g, "Sub", x, mean), inverse);
    const byInput = () => {
      const scaled = binary(g, "Mul", gradient, gain);
      const centred = binary(g, "Sub", scaled, reduce(g, "ReduceMean", scaled, [last], true));
      const along = reduce(g, "ReduceMean", binary(g, "Mul", scaled, normal), [last], true);
      return binary(g, "Mul", inverse, binary(g, "Sub", centred, binary(g, "Mul", normal, along)));
    };
    return [
      x.trained ? byInput() : undefined,
      gain.trained ? reduce(g, "ReduceSum", binary(g, "Mul", gradient, normal), leading, false) : undefined,
      bias.trained ? reduce(g, "ReduceSum", gradient, leading, false) : undefined,
    ];
  });
}
