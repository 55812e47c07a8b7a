import { parseJobSpec } from "../../records/index.ts";
import { createProgram } from "../program/createProgram.ts";
import { checkpointBytes } from "../state/checkpoint.ts";

/** Sizes of an interval's files, in bytes. */
export interface IntervalSizes {
  readonly train: number;
  readonly from: number;
  readonly to: number;
  /** frozen base weights; 0 where the model has none */
  readonly base: number;
  readonly total: number;
}

/**
 * What a replay will load, from the job's spec alone: to be shown, and agreed to, before it is loaded.
 *
 * @param spec canonical job spec
 * @param fromStep, toStep steps of the two states
 * @throws RecordError or TrainingError when the spec is not valid, or of another version
 */
export function intervalSizes(spec: Uint8Array, fromStep: number, toStep: number): IntervalSizes {
  const program = createProgram(parseJobSpec(spec));
  const { model, data } = program.spec;
  const train = data.train.bytes;
  const [from, to] = [checkpointBytes(program, fromStep), checkpointBytes(program, toStep)];
  const base = model.architecture === "bert-lora" ? model.baseWeights.bytes : 0;
  return { train, from, to, base, total: train + from + to + base };
}
