import { traceSteps } from "@gpuchain/sdk/compute";
import type { Hex, JobSpec, TraceLeaf } from "@gpuchain/sdk/records";

export interface CheckTraceParameters {
  readonly spec: Pick<JobSpec, "checkpoint" | "training">;
  readonly leaves: readonly TraceLeaf[];
  readonly parentStep: number;
  readonly step: number;
  readonly stateHash: Hex;
}

/**
 * Whether a trace tells of the way from the parent to the checkpoint at exactly the steps that the job's spec asks for, and ends in the
 * checkpoint itself. More leaves than that would dilute an audit that draws among them; fewer would hide steps from it.
 *
 * @returns what is wrong, in words, or undefined
 */
export function checkTrace({ spec, leaves, parentStep, step, stateHash }: CheckTraceParameters): string | undefined {
  const schedule = {
    traceInterval: spec.checkpoint.traceInterval,
    checkpointInterval: spec.checkpoint.interval,
    totalSteps: spec.training.steps,
  };
  const expected = traceSteps(schedule, parentStep, step);
  const given = leaves.map((leaf) => leaf.step);
  if (given.length !== expected.length || given.some((at, i) => at !== expected[i]))
    return `The trace has points at steps ${summary(given)}; the job asks for ${summary(expected)}.`;
  const last = leaves.at(-1);
  if (last?.stateHash !== stateHash) return `The trace ends in state ${last?.stateHash}, which is not the checkpoint.`;
  return undefined;
}

const summary = (steps: readonly number[]): string =>
  steps.length <= 8
    ? steps.join(", ") || "none"
    : `${steps.slice(0, 4).join(", ")} … ${steps.slice(-2).join(", ")} (${steps.length})`;
