import type { ModelDescription } from "../../records/index.ts";
import { architectureOf } from "../models/architectureOf.ts";
import { layoutOf } from "../models/layout.ts";

/** Weights and two moments, float32. */
const BYTES_OF_A_WEIGHT = 12;
const LEAST_STEPS = 5;
/** 800 MB of state: 50 steps. */
const BYTES_A_STEP = 16_000_000;

/**
 * Steps between two trace points where a job does not say: 5, and more where the state is large. At a trace point the provider hashes and
 * writes the whole state, and keeps it until the next commit, so its cost grows with the state while a step's need not: one step more for
 * each 16 MB holds what is written per step level. It divides the checkpoint interval, so that all stretches that a judge may draw are
 * equally long; where nothing up to twice as long does, the last one is shorter.
 */
export function defaultTraceInterval(model: ModelDescription, checkpointInterval: number): number {
  const stateBytes = BYTES_OF_A_WEIGHT * layoutOf(architectureOf(model).parameters(model)).size;
  const wanted = Math.max(LEAST_STEPS, Math.round(stateBytes / BYTES_A_STEP));
  for (let steps = wanted; steps <= 2 * wanted; steps++) if (checkpointInterval % steps === 0) return steps;
  return Math.min(wanted, checkpointInterval);
}
