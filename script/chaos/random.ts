/** Numbers that look random and are the same for the same seed, so that one command plays a story again. */
export interface Random {
  /** in [0, 1) */
  next(): number;
  /** a whole number from `min` to `max`, both included */
  integer(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  shuffle<T>(items: readonly T[]): T[];
}

/** Mulberry32 over a mix of the seeds. */
export function createRandom(...seeds: readonly number[]): Random {
  let word = 0x9e3779b9;
  for (const seed of seeds) word = Math.imul(word ^ (seed + 1), 0x85ebca6b) ^ (word >>> 13);
  const next = (): number => {
    word = (word + 0x6d2b79f5) >>> 0;
    let t = Math.imul(word ^ (word >>> 15), word | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    pick: (items) => {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    shuffle: (items) => {
      const left = [...items];
      return items.map(() => left.splice(integer(0, left.length - 1), 1)[0] as (typeof items)[number]);
    },
  };
}
