import { type Hex, type Prediction, predictionsRoot } from "../../records/index.ts";
import type { Dataset } from "../data/dataset.ts";
import { gather } from "../data/gather.ts";
import { TrainingError } from "../errors.ts";
import { EVALUATION_BATCH } from "../program/buildGraphs.ts";
import type { Program } from "../program/createProgram.ts";
import type { HostTensor, Runtime } from "../runtimes/runtime.ts";

export interface Evaluation {
  /** share of examples whose most likely class is the label; undefined for language models */
  readonly accuracy: number | undefined;
  /** mean over the classes present of the share found; undefined for language models */
  readonly balancedAccuracy: number | undefined;
  /** mean negative log-likelihood of the labels (for language models: of each token), in nats */
  readonly nll: number;
  readonly predictions: readonly Prediction[];
  readonly predictionsRoot: Hex;
}

/** A compiled `evaluate` graph, good for any number of states. */
export interface Evaluator {
  /** @param indices which examples; all when left out */
  evaluate(params: Float32Array, data: Dataset, indices?: readonly number[]): Promise<Evaluation>;
  close(): Promise<void>;
}

export interface EvaluatorParameters {
  readonly program: Program;
  readonly runtime: Runtime;
  /** frozen weights, where the program has them */
  readonly base?: Float32Array;
}

/** Compiles the `evaluate` graph. */
export async function createEvaluator({ program, runtime, base }: EvaluatorParameters): Promise<Evaluator> {
  const session = await runtime.createSession(program.evaluate(EVALUATION_BATCH));
  return {
    async evaluate(params, data, indices = Array.from({ length: data.examples }, (_, i) => i)) {
      if (indices.length === 0) throw new TrainingError("BAD_INPUT", "There is nothing to evaluate.");
      const flat: Record<string, HostTensor> = { params: { dtype: "float32", shape: [params.length], data: params } };
      if (base) flat.base = { dtype: "float32", shape: [base.length], data: base };
      const predictions: Prediction[] = [];
      for (let from = 0; from < indices.length; from += EVALUATION_BATCH) {
        // The graph has one shape: a short last batch is filled up with its last example.
        const rows = Uint32Array.from(
          { length: EVALUATION_BATCH },
          (_, i) => indices[Math.min(from + i, indices.length - 1)] as number,
        );
        const outputs = await session.run({ ...flat, ...gather(data, program.columns, rows) });
        const read = program.labels ? readLogits(outputs.logits, data, rows) : readNll(outputs.nll, rows);
        predictions.push(...read.slice(0, indices.length - from));
      }
      return summarise(predictions, program, data);
    },
    close: () => session.release(),
  };
}

/** {@link createEvaluator} for a single use. */
export async function evaluateModel(
  parameters: EvaluatorParameters & { params: Float32Array; data: Dataset; indices?: readonly number[] },
): Promise<Evaluation> {
  const evaluator = await createEvaluator(parameters);
  try {
    return await evaluator.evaluate(parameters.params, parameters.data, parameters.indices);
  } finally {
    await evaluator.close();
  }
}

function readLogits(logits: HostTensor | undefined, data: Dataset, rows: Uint32Array): Prediction[] {
  const labels = data.columns.labels?.data;
  if (logits === undefined || labels === undefined)
    throw new TrainingError("BAD_DATASET", "Evaluation needs logits and labels.");
  const classes = logits.shape[1] as number;
  return Array.from(rows, (index, row) => {
    const scores = logits.data.subarray(row * classes, (row + 1) * classes);
    let predicted = 0;
    for (let c = 1; c < classes; c++) if ((scores[c] as number) > (scores[predicted] as number)) predicted = c;
    const top = scores[predicted] as number;
    let sum = 0;
    for (const score of scores) sum += Math.exp(score - top);
    const nll = Math.fround(Math.log(sum) - ((scores[labels[index] as number] as number) - top));
    return { index, predicted, nll };
  });
}

function readNll(nll: HostTensor | undefined, rows: Uint32Array): Prediction[] {
  if (nll === undefined) throw new TrainingError("BAD_GRAPH", "The evaluate graph has no output nll.");
  const tokens = nll.shape[1] as number;
  return Array.from(rows, (index, row) => {
    let sum = 0;
    for (const value of nll.data.subarray(row * tokens, (row + 1) * tokens)) sum += value;
    return { index, predicted: tokens, nll: Math.fround(sum / tokens) };
  });
}

function summarise(predictions: readonly Prediction[], program: Program, data: Dataset): Evaluation {
  const nll = predictions.reduce((sum, prediction) => sum + prediction.nll, 0) / predictions.length;
  const common = { nll, predictions, predictionsRoot: predictionsRoot(predictions) };
  const labels = data.columns.labels?.data;
  if (!program.labels || labels === undefined) return { ...common, accuracy: undefined, balancedAccuracy: undefined };
  const classes = new Map<number, { right: number; all: number }>();
  for (const { index, predicted } of predictions) {
    const label = labels[index] as number;
    const count = classes.get(label) ?? { right: 0, all: 0 };
    classes.set(label, { right: count.right + (predicted === label ? 1 : 0), all: count.all + 1 });
  }
  const counts = [...classes.values()];
  return {
    ...common,
    accuracy: counts.reduce((sum, { right }) => sum + right, 0) / predictions.length,
    balancedAccuracy: counts.reduce((sum, { right, all }) => sum + right / all, 0) / counts.length,
  };
}
