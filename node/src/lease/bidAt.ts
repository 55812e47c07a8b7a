import { type Address, type JobView, leaseEndsAt, openSince } from "../chain/jobView.ts";
import { eligibleAt } from "./eligibleAt.ts";

export interface Bidder {
  readonly address: Address;
  readonly payout: Address;
  readonly price: bigint;
}

/** When a job can be taken, or what is waited for. */
export type BidTime = { readonly at: number } | { readonly waitingFor: string; readonly until?: number };

/**
 * First block timestamp at which this node may acquire the job's lease.
 *
 * @param now chain time, in seconds
 * @param coolingUntil chain time before which this node may not lease it; `Infinity` when it is barred
 */
export function bidAt(job: JobView, me: Bidder, now: number, coolingUntil: number): BidTime {
  const { terms } = job;
  if (job.status !== "Open") return { waitingFor: "the job is over" };
  if (job.draining) return { waitingFor: "the job takes no new lease: cancelled or disputed" };
  if (now >= terms.deadline) return { waitingFor: "the job's deadline has passed" };
  if (me.price > terms.maxPricePerStep) return { waitingFor: "the job pays less a step than our price" };
  if (coolingUntil === Number.POSITIVE_INFINITY)
    return { waitingFor: "barred from this job after a refused checkpoint" };
  if (terms.client === me.address) return { waitingFor: "our own job" };
  if (job.seats.some(({ verifier }) => verifier === me.address)) return { waitingFor: "we judge this job" };
  const since = openSince(job, now);
  if (since === undefined) return { waitingFor: "another provider holds the lease", until: leaseEndsAt(job) };
  const at = eligibleAt({ ...terms, openSince: since }, me.price);
  if (at === undefined) return { waitingFor: "the job pays less a step than our price" };
  return { at: Math.max(at, coolingUntil) };
}
