import { describe, expect, it } from "vitest";
import { createRateLimiter } from "./rateLimiter.ts";

describe("rate limiter", () => {
  it("lets a burst through, then what the rate gives, for each caller by itself", () => {
    let now = 0;
    const limiter = createRateLimiter({ perSecond: 2, burst: 3, now: () => now });
    const takes = (who: string, times: number) =>
      Array.from({ length: times }, () => {
        try {
          limiter.take(who);
          return true;
        } catch (error) {
          expect(error).toMatchObject({ code: "TOO_MANY_REQUESTS", status: 429 });
          return false;
        }
      });
    expect(takes("a", 4)).toEqual([true, true, true, false]);
    expect(takes("b", 3)).toEqual([true, true, true]);
    now = 1_000;
    expect(takes("a", 3)).toEqual([true, true, false]);
    now = 60_000;
    expect(takes("a", 4)).toEqual([true, true, true, false]);
  });
});
