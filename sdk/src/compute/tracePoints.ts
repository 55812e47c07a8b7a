export interface TraceSchedule {
  readonly traceInterval: number;
  readonly checkpointInterval: number;
  readonly totalSteps: number;
}

/**
 * Whether a run leaves a trace point after `step`: at multiples of the trace interval, at multiples of the checkpoint interval, at the last
 * step. (A release adds one at the step where it stops.)
 */
export const isTracePoint = ({ traceInterval, checkpointInterval, totalSteps }: TraceSchedule, step: number): boolean =>
  step % traceInterval === 0 || step % checkpointInterval === 0 || step === totalSteps;

/**
 * The steps at which the trace between two checkpoints must have its leaves: every trace point after the parent's step, and the
 * checkpoint's own step.
 *
 * @example
 * traceSteps({ traceInterval: 5, checkpointInterval: 50, totalSteps: 400 }, 37, 50); // [40, 45, 50]
 */
export function traceSteps(schedule: TraceSchedule, parentStep: number, step: number): number[] {
  const steps: number[] = [];
  for (let s = parentStep + 1; s <= step; s++) if (s === step || isTracePoint(schedule, s)) steps.push(s);
  return steps;
}
