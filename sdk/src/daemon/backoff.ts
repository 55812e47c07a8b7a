import { sleep } from "./sleep.ts";

export interface BackoffOptions {
  /** First wait, milliseconds. Default 250. */
  baseMs?: number;
  /** Growth from one wait to the next. Default 2. */
  factor?: number;
  /** Longest wait, milliseconds. Default 30,000. */
  maxMs?: number;
  /** Share of the wait that is random, 0 to 1, so that many clients do not return at once. Default 0.2. */
  jitter?: number;
  /** Source of randomness in [0, 1). */
  random?: () => number;
}

export interface Backoff {
  /** The next wait in milliseconds; each call grows it. */
  next(): number;
  /** Starts over after a success. */
  reset(): void;
}

/** Exponential waits with jitter. */
export function backoff(options: BackoffOptions = {}): Backoff {
  const { baseMs = 250, factor = 2, maxMs = 30_000, jitter = 0.2, random = Math.random } = options;
  let wait = baseMs;
  return {
    next() {
      const current = Math.min(wait, maxMs);
      wait = Math.min(wait * factor, maxMs);
      return Math.round(current * (1 - jitter * random()));
    },
    reset() {
      wait = baseMs;
    },
  };
}

export interface RetryOptions extends BackoffOptions {
  signal?: AbortSignal | undefined;
  /** Whether this error is worth another try. Default: all. */
  isRetryable?: (error: unknown) => boolean;
  /** Told before each wait. */
  onRetry?: (error: unknown, waitMs: number, attempt: number) => void;
  /** How long this error asks us to wait at least, e.g. a Retry-After header. */
  atLeastMs?: (error: unknown) => number;
  /** Gives up after this many tries. Default: never. */
  attempts?: number;
}

/** Runs `task` until it succeeds, fails for good, has been tried `attempts` times, or the signal aborts. */
export async function retry<T>(task: (attempt: number) => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { signal, isRetryable = () => true, onRetry, atLeastMs, attempts = Number.POSITIVE_INFINITY } = options;
  const waits = backoff(options);
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await task(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= attempts || !isRetryable(error)) throw error;
      const waitMs = Math.max(waits.next(), atLeastMs?.(error) ?? 0);
      onRetry?.(error, waitMs, attempt);
      await sleep(waitMs, signal);
    }
  }
}
