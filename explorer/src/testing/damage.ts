// One value somewhere in a JSON document replaced by another, as a bad disk, a bug or a liar would.
import fc from "fast-check";

const OTHER: readonly unknown[] = [
  ...[null, true, "", "x", "-1", "1e9", "0x", "0xzz", "\u202e", "9".repeat(90), String(2n ** 256n - 1n)],
  ...[0, -1, 0.5, 1e15, 1e300, -1e300, Number.MAX_SAFE_INTEGER, [], {}, [null], { a: 1 }],
];

export interface Damage {
  /** where, as a share of the document's values */
  readonly at: number;
  /** what stands there then, as a share of what may */
  readonly what: number;
  /** it is of the same kind as what stood there: a number for a number */
  readonly alike: boolean;
}

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
export const damages: fc.Arbitrary<Damage> = fc.record({ at: share, what: share, alike: fc.boolean() });

/** A copy of `document` with one value changed; every value is as likely to be it, those of few siblings no less. */
export function damage<T>(document: T, { at, what, alike }: Damage): T {
  const copy = structuredClone(document);
  let node = copy as Record<string, unknown>;
  let place = at;
  for (;;) {
    const keys = Object.keys(node);
    const index = Math.floor(place * keys.length);
    const key = keys[index];
    if (key === undefined) return copy;
    place = place * keys.length - index;
    const inner = node[key];
    const deeper = typeof inner === "object" && inner !== null && Object.keys(inner).length > 0;
    if (!deeper || place < 0.05) {
      const near = typeof inner === "number" ? [inner + 1, inner * 1e6, inner / 2] : [];
      const may = alike ? [...near, ...OTHER.filter((other) => typeof other === typeof inner)] : OTHER;
      node[key] = may[Math.floor(what * may.length)];
      return copy;
    }
    node = inner as Record<string, unknown>;
  }
}
