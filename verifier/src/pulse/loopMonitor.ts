export interface LoopMonitor {
  /** `performance.now()` at the end of the last stall; 0 if there was none */
  readonly lastStallEnd: number;
  /** worst delay of a timer since the last call, in ms */
  takeMaxDelay(): number;
  close(): void;
}

const TICK_MS = 50;

/**
 * Watches this process's own timers. A process that was itself stopped, swapped out or starved has seen nobody's beats: silence that it
 * measured over such a gap is its own.
 */
export function createLoopMonitor(stallMs = 200, now: () => number = () => performance.now()): LoopMonitor {
  let expected = now() + TICK_MS;
  let lastStallEnd = 0;
  let maxDelay = 0;
  const timer = setInterval(() => {
    const at = now();
    const delay = at - expected;
    maxDelay = Math.max(maxDelay, delay);
    if (delay > stallMs) lastStallEnd = at;
    expected = at + TICK_MS;
  }, TICK_MS);
  return {
    get lastStallEnd() {
      // A stall that is going on right now: the tick that would notice it may be queued behind the very timer that asks.
      const at = now();
      if (at - expected > stallMs) {
        lastStallEnd = at;
        maxDelay = Math.max(maxDelay, at - expected);
        expected = at;
      }
      return lastStallEnd;
    },
    takeMaxDelay() {
      const worst = maxDelay;
      maxDelay = 0;
      return worst;
    },
    close: () => clearInterval(timer),
  };
}
