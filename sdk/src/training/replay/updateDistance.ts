import type { Template } from "../../records/index.ts";
import type { TrainingState } from "../state/state.ts";

/** How far a claimed update lies from a replayed one, relative to the replayed one's length. */
export interface UpdateDistance {
  /** over the parameters */
  readonly params: number;
  /** over the first moment, or a tenth of that over the second, whichever is more */
  readonly moment: number;
}

/**
 * Limits for honest work on another runtime, by template; jobs are written with them, and verifiers refuse at or above what the job says.
 *
 * From `npm run bench:replay`: five steps from steps 0, 10 and 60, judged on WASM. Honest work ran on native, whole and in micro-batches of
 * 8, and (text-classification, mlp) on WebGPU; of the cheats a learning rate off by one per cent is the nearest everywhere.
 *
 * | template | honest: parameters, moments | nearest cheat: parameters, moments |
 * |---|---|---|
 * | text-classification | 6.2e-6, 4.2e-7 | 9.6e-3, 1.0e-3 |
 * | text-classification-lora | 2.4e-6, 1.6e-6 | 9.5e-3, 8.8e-3 |
 * | language-model | 1.9e-6, 5.5e-7 | 9.6e-3, 3.3e-3 |
 * | mlp | 2.9e-6, 3.1e-7 | 9.9e-3, 2.8e-4 |
 *
 * So every limit on parameters lies two orders above honest work and one below the nearest cheat; the moments, where a cheat shows a
 * hundred times as clearly or not at all, keep six times what the worst honest run (LoRA's) needed.
 */
export const DISTANCE_LIMITS: Readonly<Record<Template, UpdateDistance>> = {
  "text-classification": { params: 1e-3, moment: 1e-5 },
  "text-classification-lora": { params: 1e-3, moment: 1e-5 },
  "language-model": { params: 1e-3, moment: 1e-5 },
  mlp: { params: 1e-3, moment: 1e-5 },
};

/**
 * Compares what two runs *changed*: `‖Δreplayed − Δclaimed‖ / ‖Δreplayed‖`. Raw weight distance separates nothing; this separates honest
 * work on another device (1e-5) from a learning rate off by one per cent (1e-2).
 *
 * @param parent the state that both started from
 * @returns 0 where neither changed anything, Infinity where only the claimed one did
 */
export function updateDistance(parent: TrainingState, replayed: TrainingState, claimed: TrainingState): UpdateDistance {
  const first = distance(parent.m, replayed.m, claimed.m);
  const second = distance(parent.v, replayed.v, claimed.v);
  // The second moment sums squares, which doubles an honest error; it is watched so that nobody can hand on a spoilt one.
  const moment = Math.max(first, second / 10);
  return { params: distance(parent.params, replayed.params, claimed.params), moment };
}

/** Whether a distance is under both limits; a distance that is no number is not. */
export const withinLimits = (distance: UpdateDistance, limits: UpdateDistance): boolean =>
  distance.params < limits.params && distance.moment < limits.moment;

function distance(parent: Float32Array, replayed: Float32Array, claimed: Float32Array): number {
  let change = 0;
  let difference = 0;
  for (let i = 0; i < parent.length; i++) {
    const start = parent[i] as number;
    const mine = (replayed[i] as number) - start;
    const off = mine - ((claimed[i] as number) - start);
    change += mine * mine;
    difference += off * off;
  }
  if (change === 0) return difference === 0 ? 0 : Number.POSITIVE_INFINITY;
  return Math.sqrt(difference / change);
}
