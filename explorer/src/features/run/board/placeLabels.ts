export interface PlacedLabel {
  readonly x: number;
  /** stands left of its line, because there is no room to the right */
  readonly end: boolean;
}

/**
 * The lowest rank chooses first. Puts labels beside their lines where they cover no other; those without room are left out (their line still shows, and
 * the list of events has them).
 */
export function placeLabels(
  labels: readonly { readonly x: number; readonly width: number; readonly rank: number }[],
  left: number,
  right: number,
): (PlacedLabel | undefined)[] {
  const taken: [number, number][] = [];
  const free = (from: number, to: number) =>
    from >= left - 1 && to <= right && taken.every(([a, b]) => to <= a || from >= b);
  const placed: (PlacedLabel | undefined)[] = labels.map(() => undefined);
  const order = labels.map((_, i) => i).sort((a, b) => (labels[a]?.rank ?? 0) - (labels[b]?.rank ?? 0) || a - b);
  for (const i of order) {
    const { x, width } = labels[i] as { x: number; width: number };
    if (x < left - 1 || x > right) continue;
    for (const end of [false, true]) {
      const [from, to] = end ? [x - width, x] : [x, x + width];
      if (!free(from, to)) continue;
      taken.push([from, to]);
      placed[i] = { x: end ? x - 6 : x + 6, end };
      break;
    }
  }
  return placed;
}
