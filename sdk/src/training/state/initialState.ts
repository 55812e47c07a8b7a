import { type LayoutEntry, tensorView } from "../models/layout.ts";
import type { Program } from "../program/createProgram.ts";
import { randomWords, STREAM } from "../random/philox.ts";
import type { TrainingState } from "./state.ts";

/** The state before the first step: a pure function of the spec, so that its hash can stand in the job's terms. */
export function initialState({ layout, spec }: Program): TrainingState {
  const params = new Float32Array(layout.size);
  layout.entries.forEach((entry, ordinal) => {
    fill(tensorView(params, entry), entry, spec.training.seed, ordinal);
  });
  return { step: 0, params, m: new Float32Array(layout.size), v: new Float32Array(layout.size) };
}

/** Only +, −, ×, √ and rounding, all exact in IEEE 754: no libm, so the same bits everywhere. */
function fill(values: Float32Array, { initial }: LayoutEntry, seed: number, ordinal: number): void {
  if (initial.kind === "zeros") return;
  if (initial.kind === "ones") {
    values.fill(1);
    return;
  }
  const half = initial.deviation * Math.sqrt(3);
  const word = randomWords(seed, STREAM.initial, ordinal);
  for (let i = 0; i < values.length; i++) values[i] = ((word(i) >>> 8) * 2 ** -23 - 1) * half;
}
