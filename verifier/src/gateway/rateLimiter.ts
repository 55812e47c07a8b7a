import { GatewayError } from "@gpuchain/sdk/gateway";

export interface RateLimiter {
  /** Takes from the caller's bucket. @throws GatewayError `TOO_MANY_REQUESTS` when it is empty */
  take(who: string, cost?: number): void;
}

const MAX_BUCKETS = 100_000;

/** Token buckets, one a caller: `burst` at once, `perSecond` in the long run. */
export function createRateLimiter({
  perSecond,
  burst,
  now = () => performance.now(),
}: {
  perSecond: number;
  burst: number;
  now?: () => number;
}): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take(who, cost = 1) {
      const at = now();
      const bucket = buckets.get(who);
      const tokens = Math.min(burst, (bucket?.tokens ?? burst) + ((bucket ? at - bucket.at : 0) * perSecond) / 1000);
      if (tokens < cost)
        throw new GatewayError("TOO_MANY_REQUESTS", `More than ${perSecond} requests a second from ${who}.`, {
          status: 429,
          hint: "Slow down and try again.",
        });
      buckets.delete(who);
      buckets.set(who, { tokens: tokens - cost, at });
      // Least recently used first: a full bucket that is forgotten loses nothing.
      if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value ?? "");
    },
  };
}
