import type { RecordingEntry } from "@gpuchain/sdk/records";
import type { CheckpointInfo, RunState } from "./types.ts";

/** Steps in columns, in order of time: a run of 100,000 of them stays a few megabytes and is searched by halving. */
export interface Steps {
  readonly length: number;
  readonly t: Float64Array;
  readonly step: Float64Array;
  readonly fence: Uint32Array;
  readonly loss: Float64Array;
  readonly smooth: Float64Array;
  readonly ms: Float64Array;
}

type StepEntry = Extract<RecordingEntry, { kind: "step" }>;

/** Weight of the newest step in the smoothed line; about the last fifteen steps. */
const ALPHA = 2 / 16;

/** Packs step entries (in order of `t`) and smooths the loss, each lease by itself. */
export function packSteps(entries: readonly StepEntry[]): Steps {
  const n = entries.length;
  const steps = {
    length: n,
    t: new Float64Array(n),
    step: new Float64Array(n),
    fence: new Uint32Array(n),
    loss: new Float64Array(n),
    smooth: new Float64Array(n),
    ms: new Float64Array(n),
  };
  const last = new Map<number, { value: number; weight: number }>();
  entries.forEach((entry, i) => {
    steps.t[i] = entry.t;
    steps.step[i] = entry.step;
    steps.fence[i] = entry.fence;
    steps.loss[i] = entry.loss;
    steps.ms[i] = entry.ms ?? Number.NaN;
    const before = last.get(entry.fence) ?? { value: 0, weight: 0 };
    // An exponential average that starts unbiased: the first point is the first loss.
    const weight = before.weight * (1 - ALPHA) + ALPHA;
    const value = (before.value * before.weight * (1 - ALPHA) + entry.loss * ALPHA) / weight;
    last.set(entry.fence, { value, weight });
    steps.smooth[i] = value;
  });
  return steps;
}

/** Index of the last step at or before `t`, −1 when none. */
export function lastStepAt(steps: Steps, t: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((steps.t[middle] as number) <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export type Fate = "accepted" | "waiting" | "refused" | "lost";

const FATES: Readonly<Record<CheckpointInfo["status"], Fate>> = {
  pending: "waiting",
  accepted: "accepted",
  paid: "accepted",
  refused: "refused",
  final: "refused",
  overturned: "refused",
  unavailable: "lost",
  void: "lost",
  orphaned: "lost",
  cut: "lost",
};

export const fateOf = (status: CheckpointInfo["status"]): Fate => FATES[status];

/** What became of the steps of each lease: its commits in order, then whatever it had not handed in. */
export interface LeasePiece {
  readonly fence: number;
  readonly provider: string;
  readonly fromT: number;
  readonly toT: number;
  readonly fromStep: number;
  /** undefined: up to wherever it got */
  readonly toStep: number | undefined;
  readonly fate: Fate;
}

/**
 * Cuts every lease into pieces of one fate, in order of time; nothing follows the last step.
 * @param until now, in ms into the run
 */
export function leasePieces(state: RunState, until: number, totalSteps: number): LeasePiece[] {
  return state.leases.flatMap((lease) => {
    const commits = state.checkpoints.filter((c) => c.fence === lease.fence);
    const end = lease.end?.t ?? until;
    let fromT = lease.start.t;
    const pieces: LeasePiece[] = commits.map((c) => {
      const piece = {
        fence: lease.fence,
        provider: lease.provider,
        fromT,
        toT: c.committed.t,
        fromStep: c.from,
        toStep: c.step,
        fate: fateOf(c.status),
      };
      fromT = c.committed.t;
      return piece;
    });
    const base = commits.at(-1);
    const finished = base?.step === totalSteps || lease.end?.cause === "released";
    if (end > fromT && !finished) {
      const voided = base && fateOf(base.status) !== "accepted" && fateOf(base.status) !== "waiting";
      pieces.push({
        fence: lease.fence,
        provider: lease.provider,
        fromT,
        toT: end,
        fromStep: voided ? state.headStep : (base?.step ?? state.headStep),
        toStep: undefined,
        fate: lease.end ? "lost" : "waiting",
      });
    }
    return pieces;
  });
}
