import { type LeasePiece, leasePieces } from "../model/steps.ts";
import type { RunState } from "../model/types.ts";

/**
 * What the lease lane shows with the cursor at `t`: up to it, what was known then; after it, what became of it.
 * In a live run both states are the same.
 */
export function piecesAround(now: RunState, end: RunState, t: number, duration: number, steps: number): LeasePiece[] {
  const past = leasePieces(now, t, steps);
  if (t >= duration) return past;
  const later = leasePieces(end, duration, steps)
    .filter((piece) => piece.toT > t)
    .map((piece) => ({ ...piece, fromT: Math.max(piece.fromT, t) }));
  return [...past, ...later];
}
