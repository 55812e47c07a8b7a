import type { CheckpointView, JobTerms, JobView, LeaseView } from "../chain/jobView.ts";

/** Parts of a {@link JobView} that a test cares for. */
export type JobViewPart = Partial<Omit<JobView, "terms" | "lease">> & {
  readonly terms?: Partial<JobTerms>;
  readonly lease?: Partial<LeaseView>;
};

const nil = `0x${"0".repeat(64)}` as const;

export const checkpointView = (part: Partial<CheckpointView> = {}): CheckpointView => ({
  id: 1n << 32n,
  index: 0,
  parent: 0,
  fence: 0n,
  step: 0,
  stateHash: nil,
  traceRoot: nil,
  ...part,
});

/** A job as the demo posts it, fresh, with what the test says. */
export function jobView({ terms, lease, ...part }: JobViewPart = {}): JobView {
  return {
    id: 1n,
    block: 10n,
    status: "Open",
    draining: false,
    head: checkpointView(),
    tail: checkpointView(),
    pending: [],
    drawn: false,
    seatsCallable: false,
    seats: [],
    ...part,
    terms: {
      client: "0x00000000000000000000000000000000000000cc",
      specHash: nil,
      genesisHash: nil,
      eligibilityRoot: undefined,
      totalSteps: 400,
      checkpointInterval: 50,
      maxPricePerStep: 3000n,
      verifierFee: 10_000n,
      leaseDuration: 30,
      segmentTimeout: 90,
      pulseTimeoutMs: 500,
      auctionRamp: 6,
      deadline: 10_000,
      gracePeriod: 600,
      ...terms,
    },
    lease: {
      fence: 1n,
      live: false,
      provider: undefined,
      price: 0n,
      expiresAt: 0,
      stallsAt: 0,
      committed: false,
      openSince: 0,
      ...lease,
    },
  };
}
