// Chance that can be repeated: the same seed tells the same story.

export interface Random {
  /** a whole number, both ends included */
  int(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T | undefined;
}

/** Mulberry32: 32 bits of state, good enough to choose moves. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return { int, chance: (probability) => next() < probability, pick: (list) => list[int(0, list.length - 1)] };
}
