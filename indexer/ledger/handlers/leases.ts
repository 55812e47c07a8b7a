import type { jobsAbi } from "../abi.ts";
import { type EndCause, endCauses, type Hex } from "../rows.ts";
import { nameOf, type SomeHandlers } from "./handler.ts";

/** `until` of a provider that may never lease a job again: the greatest uint40. */
const FOREVER = 2 ** 40 - 1;
const MAX_TIME = 2 ** 31 - 1;

/** Ends in which the work went to somebody else's hands against the holder's wish. */
const LOST: ReadonlySet<EndCause> = new Set(["Expired", "Stalled", "Evicted"]);

/** Who holds a job, under which fence, and why that ended. */
export const leaseHandlers: SomeHandlers<
  typeof jobsAbi,
  "LeaseAcquired" | "LeaseRenewed" | "EvictionCast" | "LeaseEnded" | "LeaseBondReleased" | "ProviderCooling"
> = {
  async LeaseAcquired(entry, { jobId, fence, provider, pricePerStep, expiresAt }) {
    Object.assign(entry, { jobId, fence, account: provider });
    const { payout } = await entry.get("provider", { address: provider });
    const previous = await entry.store.find("lease", { jobId, fence: fence - 1 });
    const previousProvider: Hex | null = previous?.provider ?? null;
    const takesOver = previousProvider !== null && previousProvider !== provider;
    await entry.store.insert("lease", {
      ...{ jobId, fence, provider, payout, pricePerStep, live: true, cause: null, acquiredAt: entry.now, expiresAt },
      ...{ endedAt: null, endSeenAt: null, previousProvider, fromStep: null, lastStep: null, commits: 0 },
      ...{ stepsAccepted: 0, stepsRefused: 0, paid: 0n, bondHeld: 0n, bondLost: 0n },
      ...{ seq: entry.seq, block: entry.block },
    });
    await entry.edit("job", { id: jobId }, (job) => ({
      ...{ fence, holder: provider, leaseExpiresAt: expiresAt, handOvers: job.handOvers + (takesOver ? 1 : 0) },
    }));
    await entry.edit("provider", { address: provider }, (row) => ({
      leaseCount: row.leaseCount + 1,
      liveLeases: row.liveLeases + 1,
      takeOvers: row.takeOvers + (takesOver ? 1 : 0),
      lastActiveAt: entry.now,
    }));
    await entry.providerToday(provider, { leases: 1 });
    entry.total({ leases: 1 });
  },

  async LeaseRenewed(entry, { jobId, fence, expiresAt }) {
    const { provider } = await entry.get("lease", { jobId, fence });
    Object.assign(entry, { jobId, fence, account: provider });
    await entry.edit("lease", { jobId, fence }, { expiresAt });
    await entry.edit("job", { id: jobId }, { leaseExpiresAt: expiresAt });
    await entry.edit("provider", { address: provider }, { lastActiveAt: entry.now });
    entry.mention(provider, "holder");
  },

  async EvictionCast(entry, { jobId, fence, verifier, seat, attestedAt }) {
    Object.assign(entry, { jobId, fence, account: verifier });
    await entry.store.insert("attestation", {
      ...{ jobId, fence, verifier, seat, attestedAtMs: attestedAt },
      ...{ seq: entry.seq, block: entry.block },
    });
  },

  async LeaseEnded(entry, { jobId, fence, provider, cause: code, endedAt, openSince }) {
    Object.assign(entry, { jobId, fence, account: provider });
    const cause = nameOf(endCauses, code - 1);
    const { acquiredAt } = await entry.get("lease", { jobId, fence });
    const seconds = Math.max(0, endedAt - acquiredAt);
    await entry.edit("lease", { jobId, fence }, { live: false, cause, endedAt, endSeenAt: entry.now });
    await entry.edit("job", { id: jobId }, { holder: null, leaseExpiresAt: 0, openSince });
    await entry.edit("provider", { address: provider }, (row) => ({
      liveLeases: row.liveLeases - 1,
      leaseSeconds: row.leaseSeconds + seconds,
      handOvers: row.handOvers + (LOST.has(cause) ? 1 : 0),
      evictionCount: row.evictionCount + (cause === "Evicted" ? 1 : 0),
    }));
    await entry.providerToday(provider, { leaseSeconds: seconds });
    if (cause === "Evicted") {
      await entry.store.insert("eviction", {
        ...{ jobId, fence, provider, evictedAt: entry.now },
        ...{ seq: entry.seq, block: entry.block },
      });
      entry.total({ evictions: 1 });
      entry.today({ evictions: 1 });
    }
  },

  async LeaseBondReleased(entry, { jobId, fence, provider }) {
    Object.assign(entry, { jobId, fence, account: provider });
    await entry.edit("lease", { jobId, fence }, { bondHeld: 0n });
  },

  async ProviderCooling(entry, { jobId, provider, until }) {
    Object.assign(entry, { jobId, account: provider });
    const standing = { barred: until >= FOREVER, coolingUntil: Math.min(until, MAX_TIME) };
    await entry.put("standing", { jobId, provider, ...standing, block: entry.block }, standing);
  },
};
