import { describe, expect, it } from "vitest";
import type { Claim } from "./claims.ts";
import type { KeptJob } from "./keepingLedger.ts";
import { whyDrop } from "./retention.ts";

const DAY = 86_400;
const claim: Claim = {
  sha256: `0x${"ab".repeat(32)}`,
  job: 1n,
  purpose: "checkpoint",
  fence: 2n,
  owner: "0xp",
  size: 10,
  restricted: false,
  at: 0,
};
const job: KeptJob = {
  client: "0xc",
  specHash: "0x",
  genesisHash: "0x",
  budget: 0n,
  settledAt: undefined,
  seated: true,
};

describe("retention", () => {
  const why = (
    changes: Partial<Claim>,
    world: {
      job?: Partial<KeptJob> | undefined;
      committed?: boolean;
      fence?: "live" | "pending" | "over";
      now?: number;
      chainTime?: number;
    } = {},
  ) =>
    whyDrop(
      { ...claim, ...changes },
      {
        ledger: {
          job: () => ("job" in world && world.job === undefined ? undefined : { ...job, ...world.job }),
          isVerifier: () => false,
          fence: () => ({ provider: "0xp", state: world.fence ?? "live" }),
          isCommitted: () => world.committed ?? true,
        },
        chainHashesOf: ({ sha256 }) => [sha256],
        chainTime: () => world.chainTime ?? 0,
        retentionSeconds: 7 * DAY,
        now: () => world.now ?? 10 * DAY * 1000,
      },
    );

  it("keeps everything of a job that is not settled, however old: an open challenge may ask for it", () => {
    for (const purpose of ["checkpoint", "trace", "state", "client"] as const) expect(why({ purpose })).toBeUndefined();
  });

  it("keeps a settled job for its days, then lets it go", () => {
    const settled = { job: { settledAt: 1_000 } };
    expect(why({}, { ...settled, chainTime: 1_000 + 7 * DAY })).toBeUndefined();
    expect(why({}, { ...settled, chainTime: 1_001 + 7 * DAY })).toMatch(/settled/);
  });

  it("drops uncommitted bytes once their fence is over, client blobs of others' jobs, and what no chain knows", () => {
    expect(why({}, { committed: false })).toBeUndefined();
    expect(why({}, { committed: false, fence: "over", now: 60_000 })).toBeUndefined();
    for (const purpose of ["checkpoint", "trace"] as const)
      expect(why({ purpose }, { committed: false, fence: "over" })).toMatch(/never committed/);
    expect(why({ purpose: "client" }, { job: { seated: false } })).toMatch(/other verifiers/);
    expect(why({ purpose: "client" }, { job: { seated: undefined } })).toBeUndefined();
    expect(why({}, { job: undefined, now: 60_000 })).toBeUndefined();
    expect(why({}, { job: undefined })).toMatch(/not on this chain/);
  });
});
