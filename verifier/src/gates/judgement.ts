import type { GateResult, Interval } from "@gpuchain/sdk/gateway";
import type { Hex } from "@gpuchain/sdk/records";

/** What judging a checkpoint came to. */
export interface Judgement {
  readonly outcome: "Accept" | "Refuse" | "Unavailable";
  readonly metTarget: boolean;
  /** the metric in 1e-6 */
  readonly score: number;
  readonly predictionsRoot: Hex;
  readonly gates: readonly GateResult[];
  readonly refusedInterval?: Interval;
}

export const NO_PREDICTIONS: Hex = `0x${"0".repeat(64)}`;
