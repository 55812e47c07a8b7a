import type { RunData } from "./recordedRun.ts";
import { lastStepAt, type Steps } from "./steps.ts";
import type { Receipt, RunState } from "./types.ts";

/**
 * The run's receipts as far as they are known. One that a worker measured stays as it is; one that the page made from events
 * gains what the reported steps say: when the last one came, where the next provider went on, how many were lost.
 */
export function receiptsOf(run: RunData, now: RunState): Receipt[] {
  const shown = now.receipts.filter((r) => r.cause !== "released");
  return shown.map((receipt) => (receipt.told ? receipt : withSteps(receipt, run.steps, now)));
}

function withSteps(receipt: Receipt, steps: Steps, now: RunState): Receipt {
  const known = lastStepAt(steps, now.t) + 1;
  const last = lastIndex(steps, receipt.fence, known);
  const next = receipt.nextFence === undefined ? -1 : steps.fence.subarray(0, known).indexOf(receipt.nextFence);
  const atStep = last < 0 ? undefined : (steps.step[last] as number);
  const resumedFrom = next < 0 ? receipt.resumedFrom : (steps.step[next] as number) - 1;
  const acquired = receipt.nextFence && now.leases.find((l) => l.fence === receipt.nextFence)?.start.t;
  const silentSince = last < 0 ? undefined : (steps.t[last] as number);
  const phases = [
    ...(silentSince !== undefined && receipt.cause === "evicted"
      ? [{ name: "silent", ms: receipt.t - silentSince }]
      : []),
    ...receipt.phases,
    ...(acquired !== undefined && next >= 0 ? [{ name: "firstStep", ms: (steps.t[next] as number) - acquired }] : []),
  ].filter((phase) => phase.ms > 0);
  const stepsLost = atStep === undefined || resumedFrom === undefined ? undefined : Math.max(0, atStep - resumedFrom);
  return { ...receipt, atStep, resumedFrom, stepsLost, phases };
}

function lastIndex({ fence }: Steps, wanted: number, known: number): number {
  for (let i = known - 1; i >= 0; i--) if (fence[i] === wanted) return i;
  return -1;
}
