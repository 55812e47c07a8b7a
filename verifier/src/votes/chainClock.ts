export interface ChainClock {
  /** Tells of a new head: its timestamp in seconds. */
  saw(timestamp: number): void;
  /** Chain time now, in ms: the newest head's, plus what has passed here since; no wall clock takes part. */
  nowMs(): number;
  /** milliseconds between blocks, as observed; 2,000 before two were seen */
  readonly blockMs: number;
  /** `performance.now()` when the newest head was seen; -Infinity before the first */
  readonly headAt: number;
}

const WINDOW = 8;

/**
 * The chain's clock as seen from here. On a local chain block timestamps run ahead of or behind the machine's clock, and a verifier's own
 * clock may be wrong: attestations are dated by what the contract will compare them with.
 */
export function createChainClock(now: () => number = () => performance.now()): ChainClock {
  let timestamp = 0;
  let headAt = Number.NEGATIVE_INFINITY;
  const gaps: number[] = [];
  return {
    saw(seconds) {
      const at = now();
      if (Number.isFinite(headAt)) {
        gaps.push(at - headAt);
        if (gaps.length > WINDOW) gaps.shift();
      }
      timestamp = Math.max(timestamp, seconds);
      headAt = at;
    },
    nowMs: () => (Number.isFinite(headAt) ? timestamp * 1000 + Math.floor(now() - headAt) : 0),
    get blockMs() {
      if (gaps.length < 2) return 2_000;
      const sorted = [...gaps].sort((a, b) => a - b);
      return Math.max(50, sorted[Math.floor(sorted.length / 2)] ?? 2_000);
    },
    get headAt() {
      return headAt;
    },
  };
}
