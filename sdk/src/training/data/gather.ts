import { TrainingError } from "../errors.ts";
import type { Column } from "../models/architecture.ts";
import type { HostTensor } from "../runtimes/runtime.ts";
import type { Dataset } from "./dataset.ts";

/** The given examples of the given columns as tensors [batch, …shape]. */
export function gather(dataset: Dataset, columns: readonly Column[], indices: Uint32Array): Record<string, HostTensor> {
  const feeds: Record<string, HostTensor> = {};
  for (const { name, shape } of columns) {
    const column = dataset.columns[name];
    if (column === undefined) throw new TrainingError("BAD_DATASET", `The data set has no column "${name}".`);
    const { width } = column;
    const size = indices.length * width;
    const data = column.dtype === "float32" ? new Float32Array(size) : new Int32Array(size);
    indices.forEach((example, i) => {
      data.set(column.data.subarray(example * width, (example + 1) * width), i * width);
    });
    feeds[name] = { dtype: column.dtype, shape: [indices.length, ...shape], data } as HostTensor;
  }
  return feeds;
}
