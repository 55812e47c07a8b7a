import type { JobSpec, ModelDescription } from "../../records/index.ts";
import { architectureOf } from "../models/architectureOf.ts";
import { layoutOf } from "../models/layout.ts";

const FLOAT = 4;
/** Runtime, code and arena beside tensors; measured for the demo model. */
const FIXED_BYTES = 200 * 2 ** 20;

/**
 * What one step costs, from the description alone: floating-point operations (forward, and twice that backward) and peak memory of the
 * process at the full micro-batch, in bytes. Estimates, good to a factor of two.
 */
export function estimateResources(spec: Pick<JobSpec, "model" | "training">): JobSpec["resources"] {
  const { batch, microBatchCap } = spec.training;
  const architecture = architectureOf(spec.model);
  const trained = layoutOf(architecture.parameters(spec.model)).size;
  const frozen = layoutOf(architecture.frozen(spec.model)).size;
  const { multiplications, activations } = costOfExample(spec.model);
  // State, gradients and their copies split by tensor.
  const flat = FLOAT * (6 * trained + 2 * frozen);
  return {
    memoryBytes: Math.ceil(FIXED_BYTES + flat + FLOAT * activations * Math.min(batch, microBatchCap)),
    flopsPerStep: 6 * multiplications * batch,
  };
}

/** Multiply-adds of one example's forward pass, and the floats its backward pass keeps. */
function costOfExample(model: ModelDescription): { multiplications: number; activations: number } {
  if (model.architecture === "mlp") {
    const widths = [model.inputs, ...model.hidden, model.classes];
    const multiplications = widths.slice(1).reduce((sum, width, i) => sum + width * (widths[i] as number), 0);
    return { multiplications, activations: 10 * widths.reduce((sum, width) => sum + width, 0) };
  }
  const { layers, width, feedForward, sequence, heads, vocabulary } = model;
  const perLayer = sequence * (4 * width * width + 2 * width * feedForward) + 2 * sequence * sequence * width;
  const activationsPerLayer = sequence * (24 * width + 10 * feedForward) + 6 * heads * sequence * sequence;
  const output = model.architecture === "decoder" ? sequence * vocabulary : 0;
  return {
    multiplications: layers * perLayer + output * width,
    activations: layers * activationsPerLayer + 6 * output,
  };
}
