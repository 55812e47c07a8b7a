import type { Hex } from "@gpuchain/sdk/records";

export type Address = Hex;

/** Terms of a job as the node uses them. Times in seconds unless named otherwise, money in base units. */
export interface JobTerms {
  readonly client: Address;
  readonly specHash: Hex;
  readonly genesisHash: Hex;
  /** of the providers that may lease it; undefined: anybody may */
  readonly eligibilityRoot: Hex | undefined;
  readonly totalSteps: number;
  readonly checkpointInterval: number;
  readonly maxPricePerStep: bigint;
  readonly verifierFee: bigint;
  readonly leaseDuration: number;
  readonly segmentTimeout: number;
  readonly pulseTimeoutMs: number;
  readonly auctionRamp: number;
  readonly deadline: number;
  readonly gracePeriod: number;
}

export type JobStatus = "Open" | "Closing" | "Completed" | "Settled";

/** The newest lease and the auction for the next, as of one block's timestamp. */
export interface LeaseView {
  /** 0 before the first lease */
  readonly fence: bigint;
  /** live and within its time at that block */
  readonly live: boolean;
  readonly provider: Address | undefined;
  readonly price: bigint;
  readonly expiresAt: number;
  /** when it stalls unless it commits; 0 while that clock stands still (queue full) */
  readonly stallsAt: number;
  /** it has committed */
  readonly committed: boolean;
  /** the auction's start once the lease is over */
  readonly openSince: number;
}

export interface CheckpointView {
  readonly id: bigint;
  /** 0 is genesis */
  readonly index: number;
  readonly parent: number;
  readonly fence: bigint;
  readonly step: number;
  readonly stateHash: Hex;
  readonly traceRoot: Hex;
}

/** A job as the chain stood at one block. */
export interface JobView {
  readonly id: bigint;
  /** block of this reading */
  readonly block: bigint;
  readonly terms: JobTerms;
  readonly status: JobStatus;
  /** cancelled or disputed: no acquire, no renewal */
  readonly draining: boolean;
  readonly lease: LeaseView;
  /** the newest accepted checkpoint, or genesis */
  readonly head: CheckpointView;
  /** the newest checkpoint that can still be accepted; the head where none waits */
  readonly tail: CheckpointView;
  /** undecided checkpoints that can still be accepted, in order */
  readonly pending: readonly bigint[];
  /** three seats sit */
  readonly drawn: boolean;
  /** `seatCommittee` would do something now */
  readonly seatsCallable: boolean;
  readonly seats: readonly Seat[];
}

export interface Seat {
  readonly verifier: Address;
  /** base URL of its gateway */
  readonly endpoint: string;
}

/** Most undecided checkpoints; a release may add one. */
export const MAX_PENDING = 8;

/** When the job's newest lease is over if nobody acts, in chain time. */
export function leaseEndsAt({ lease }: Pick<JobView, "lease">): number {
  return lease.stallsAt === 0 ? lease.expiresAt : Math.min(lease.expiresAt, lease.stallsAt);
}

/** Whether the lease holds at chain time `now`: intervals are half-open. */
export const isHeld = (job: Pick<JobView, "lease">, now: number): boolean => job.lease.live && now < leaseEndsAt(job);

/** Since when the job is open for the next lease, seen from chain time `now`; undefined while it is held. */
export function openSince(job: Pick<JobView, "lease">, now: number): number | undefined {
  if (isHeld(job, now)) return undefined;
  return job.lease.live ? leaseEndsAt(job) : job.lease.openSince;
}

/** Whether `step` must be a checkpoint: a multiple of the interval, or the last step. */
export const isCheckpointStep = (terms: Pick<JobTerms, "checkpointInterval" | "totalSteps">, step: number): boolean =>
  step > 0 && (step % terms.checkpointInterval === 0 || step === terms.totalSteps);
