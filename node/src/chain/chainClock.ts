/** A head as it reached us. */
export interface Head {
  readonly number: bigint;
  /** block timestamp, in seconds */
  readonly timestamp: number;
}

export interface ChainClock {
  observe(head: Head): void;
  /** chain time now, in seconds: the last head's timestamp plus what our own clock says has passed since */
  now(): number;
  /** least timestamp that the next block is expected to carry, in whole seconds */
  nextTimestamp(): number;
  /** seconds between blocks, as seen lately; undefined before the second head */
  readonly blockSeconds: number | undefined;
  /** `monotonicMs` at which chain time will reach `timestamp` */
  reachedAt(timestamp: number): number;
  readonly last: Head | undefined;
  monotonicMs(): number;
}

const WINDOW = 16;

/**
 * Chain time between blocks. Only differences of our own clock are used, so a wrong system clock changes nothing, and while the RPC is
 * out the clock runs on: a lease lapses whether or not anybody tells us.
 *
 * @param monotonicMs a clock that never jumps, in ms
 */
export function createChainClock(monotonicMs: () => number): ChainClock {
  const heads: (Head & { at: number })[] = [];
  const last = () => heads.at(-1);
  const blockSeconds = () => {
    const first = heads[0];
    const latest = last();
    if (first === undefined || latest === undefined || latest.number === first.number) return undefined;
    return (latest.timestamp - first.timestamp) / Number(latest.number - first.number);
  };
  const now = () => {
    const latest = last();
    if (latest === undefined) return 0;
    return latest.timestamp + Math.max(0, monotonicMs() - latest.at) / 1000;
  };
  return {
    monotonicMs,
    observe(head) {
      const latest = last();
      // A reorganisation: what was learnt from abandoned blocks is dropped.
      if (latest !== undefined && head.number <= latest.number) heads.length = 0;
      heads.push({ ...head, at: monotonicMs() });
      if (heads.length > WINDOW) heads.shift();
    },
    now,
    nextTimestamp() {
      const latest = last();
      if (latest === undefined) return 0;
      // Rounded down, so that a transaction is not sent a block early, where it would only burn gas.
      return Math.max(latest.timestamp + Math.floor((blockSeconds() ?? 0) + 1e-6), Math.floor(now()));
    },
    get blockSeconds() {
      return blockSeconds();
    },
    reachedAt(timestamp) {
      const latest = last();
      return latest === undefined ? monotonicMs() : latest.at + (timestamp - latest.timestamp) * 1000;
    },
    get last() {
      return last();
    },
  };
}
