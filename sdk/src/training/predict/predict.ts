import type { DecoderModel, ModelDescription } from "../../records/index.ts";
import type { Dataset } from "../data/dataset.ts";
import { gather } from "../data/gather.ts";
import { TrainingError } from "../errors.ts";
import { architectureOf } from "../models/architectureOf.ts";
import type { Runtime, Session } from "../runtimes/runtime.ts";
import { forwardGraph, type Weights } from "./forwardGraph.ts";

/** What a classifier says of one input. */
export interface ClassPrediction {
  /** index of the most likely class */
  readonly predicted: number;
  /** probability of each class */
  readonly probabilities: readonly number[];
}

const BATCH = 16;

/**
 * Classifies new examples.
 *
 * @param data inputs in the model's format; labels are not read
 * @throws TrainingError `BAD_INPUT` for language models: use `generate`
 */
export async function predict(
  model: ModelDescription,
  weights: Weights,
  runtime: Runtime,
  data: Dataset,
): Promise<ClassPrediction[]> {
  if (model.architecture === "decoder")
    throw new TrainingError("BAD_INPUT", "A language model does not classify: use generate.");
  const session = await runtime.createSession(forwardGraph(model, weights, BATCH));
  return predictWith(session, model, data, BATCH).finally(() => session.release());
}

/**
 * Classifies new examples by a forward graph that was exported before (`model.onnx`).
 *
 * @param session over the exported graph
 * @param batch examples that the graph takes at once
 */
export async function predictWith(
  session: Session,
  model: Exclude<ModelDescription, DecoderModel>,
  data: Dataset,
  batch: number,
): Promise<ClassPrediction[]> {
  const columns = architectureOf(model).columns(model);
  const predictions: ClassPrediction[] = [];
  for (let from = 0; from < data.examples; from += batch) {
    const rows = Uint32Array.from({ length: batch }, (_, i) => Math.min(from + i, data.examples - 1));
    const { logits } = await session.run(gather(data, columns, rows));
    const count = Math.min(batch, data.examples - from);
    for (let row = 0; row < count; row++)
      predictions.push(softmaxOf(logits?.data.subarray(row * model.classes, (row + 1) * model.classes) ?? []));
  }
  return predictions;
}

function softmaxOf(scores: ArrayLike<number>): ClassPrediction {
  const values = Array.from(scores);
  const top = Math.max(...values);
  const weights = values.map((score) => Math.exp(score - top));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { predicted: values.indexOf(top), probabilities: weights.map((weight) => weight / sum) };
}
