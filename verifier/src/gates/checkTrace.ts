import type { Hex, TraceLeaf } from "@gpuchain/sdk/records";

export interface CheckTraceParameters {
  readonly leaves: readonly TraceLeaf[];
  readonly parentStep: number;
  readonly step: number;
  readonly stateHash: Hex;
  readonly traceInterval: number;
}

/**
 * Whether a trace tells of the way from the parent to the checkpoint without holes: steps rise from the parent's on, no gap is longer
 * than the job's trace interval (a longer one could hide what no audit draws), and the last leaf is the checkpoint itself.
 *
 * @returns what is wrong, in words, or undefined
 */
export function checkTrace({
  leaves,
  parentStep,
  step,
  stateHash,
  traceInterval,
}: CheckTraceParameters): string | undefined {
  let previous = parentStep;
  for (const leaf of leaves) {
    if (leaf.step <= previous) return `The trace goes from step ${previous} to ${leaf.step}.`;
    if (leaf.step - previous > traceInterval)
      return `The trace has no point between steps ${previous} and ${leaf.step}; at most ${traceInterval} steps may lie between two.`;
    previous = leaf.step;
  }
  const last = leaves.at(-1);
  if (last?.step !== step) return `The trace ends at step ${last?.step ?? "none"}, the checkpoint is step ${step}.`;
  if (last.stateHash !== stateHash) return `The trace ends in state ${last.stateHash}, which is not the checkpoint.`;
  return undefined;
}
