import type { MlpModel } from "../../records/index.ts";
import { gelu } from "../graph/ops/activation.ts";
import { linear } from "../graph/ops/matrix.ts";
import type { Architecture } from "./architecture.ts";
import { denseParameters } from "./transformer.ts";

const sizes = (model: MlpModel): number[] => [model.inputs, ...model.hidden, model.classes];

/** Multi-layer perceptron for tables of numbers, GELU between layers. */
export const mlp: Architecture<MlpModel> = {
  parameters(model) {
    const widths = sizes(model);
    return widths.slice(1).flatMap((outputs, layer) => {
      const inputs = widths[layer] as number;
      return denseParameters(`layer.${layer}`, inputs, outputs);
    });
  },
  frozen: () => [],
  columns: ({ inputs }) => [{ name: "features", dtype: "float32", shape: [inputs] }],
  labels: () => ({ name: "labels", dtype: "int32", shape: [] }),
  logits(g, model, { param, column }) {
    const last = sizes(model).length - 2;
    let x = column("features");
    for (let layer = 0; layer <= last; layer++) {
      x = linear(g, x, param(`layer.${layer}.weight`), param(`layer.${layer}.bias`));
      if (layer < last) x = gelu(g, x);
    }
    return x;
  },
  targets: (_g, _model, { column }) => column("labels"),
  rows: () => 1,
};
