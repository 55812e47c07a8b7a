/** A stretch of steps in the model: (from, to], trained by provider `index`, checked or not. */
export interface StripPiece {
  readonly from: number;
  readonly to: number;
  readonly index: number;
  readonly kind: "pv" | "wait";
}

/** A stretch of steps that was thrown away. */
export interface StripDiscard {
  readonly from: number;
  readonly to: number;
  readonly index: number;
  readonly kind: "no" | "lost";
}

export interface StripMark {
  readonly step: number;
  readonly state: "ok" | "wait" | "due";
}

/**
 * Gives every discarded stretch a row above the model, so that none ever covers another.
 * @returns one row number per stretch, 0 nearest to the model
 */
export function discardRows(discarded: readonly StripDiscard[]): number[] {
  const rows: number[][] = [];
  return discarded.map((piece) => {
    let row = 0;
    while (rows[row]?.some((other) => overlaps(piece, discarded[other] as StripDiscard))) row++;
    rows[row] = [...(rows[row] ?? []), discarded.indexOf(piece)];
    return row;
  });
}

const overlaps = (a: StripDiscard, b: StripDiscard) => a.from < b.to && b.from < a.to;

/** The part of (from, to] that falls into a segment (start, end], or undefined. */
export function clip<T extends { from: number; to: number }>(piece: T, start: number, end: number): T | undefined {
  const [from, to] = [Math.max(piece.from, start), Math.min(piece.to, end)];
  return from < to ? { ...piece, from, to } : undefined;
}
