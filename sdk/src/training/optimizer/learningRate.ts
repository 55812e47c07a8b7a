import type { JobSpec } from "../../records/index.ts";

export type Schedule = JobSpec["training"]["schedule"];

/**
 * Learning rate of a step. Only +, −, × and ÷, so that every engine gives the same double.
 *
 * @param schedule linear warm-up to `peak`, then linear decay to `floor · peak` at the last step (or constant)
 * @param step the step about to be taken, counted from 0
 * @param steps length of the run
 */
export function learningRate(schedule: Schedule, step: number, steps: number): number {
  const { peak, warmup, floor } = schedule;
  if (step < warmup) return (peak * (step + 1)) / warmup;
  if (schedule.name === "constant") return peak;
  return peak * Math.max(floor, 1 - (step - warmup) / Math.max(1, steps - warmup));
}
