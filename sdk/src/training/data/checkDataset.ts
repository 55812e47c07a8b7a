import type { ModelDescription } from "../../records/index.ts";
import { TrainingError } from "../errors.ts";
import { elements } from "../graph/primitives.ts";
import { architectureOf } from "../models/architectureOf.ts";
import type { Dataset } from "./dataset.ts";

/**
 * Checks that a data set fits a model: columns, widths, and every token and label within its range, so that no index reaches a
 * runtime unchecked.
 *
 * @throws TrainingError `BAD_DATASET`, naming the example
 */
export function checkDataset(model: ModelDescription, dataset: Dataset): void {
  const architecture = architectureOf(model);
  const labels = architecture.labels(model);
  for (const { name, dtype, shape } of [...architecture.columns(model), ...(labels ? [labels] : [])]) {
    const column = dataset.columns[name];
    if (column === undefined || column.dtype !== dtype || column.width !== elements(shape))
      throw new TrainingError(
        "BAD_DATASET",
        `The model reads ${dtype} "${name}" [${shape}], which the data set does not hold.`,
      );
    if (dtype === "float32") checkFinite(name, column.data as Float32Array, column.width);
    else checkRange(name, column.data as Int32Array, column.width, limitOf(model, name));
  }
}

function limitOf(model: ModelDescription, column: string): number {
  if (column === "labels" && "classes" in model) return model.classes;
  return "vocabulary" in model ? model.vocabulary : 0;
}

function checkRange(name: string, data: Int32Array, width: number, limit: number): void {
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number;
    if (value < 0 || value >= limit)
      throw new TrainingError(
        "BAD_DATASET",
        `Example ${Math.floor(i / width)}: ${name} ${value} is outside 0 to ${limit - 1}.`,
      );
  }
}

function checkFinite(name: string, data: Float32Array, width: number): void {
  for (let i = 0; i < data.length; i++)
    if (!Number.isFinite(data[i]))
      throw new TrainingError("BAD_DATASET", `Example ${Math.floor(i / width)}: ${name} ${i % width} is not finite.`);
}
