// Shapes of every table's rows. Money is in base units of USDC (6 decimals), times are block timestamps in seconds, `seq` counts
// the events of the deployment from 1 in chain order. ponder.schema.ts declares the same tables to the database; a type test
// in src/schema.check.ts holds the two together.

export type Hex = `0x${string}`;

export const jobStatuses = ["Open", "Closing", "Completed", "Settled"] as const;
export const endCauses = ["Released", "Expired", "Stalled", "Evicted", "Refused", "Unavailable", "JobClosed"] as const;
export const checkpointStatuses = [
  "Pending",
  "Accepted",
  "Refused",
  "Appealed",
  "Unavailable",
  "Void",
  "Orphaned",
  "Paid",
  "Cut",
  "Final",
  "Overturned",
] as const;
export const outcomes = ["Accept", "Refuse", "Unavailable"] as const;
export const creditKinds = ["ProviderPay", "VerifierFee", "CancelFee", "ProtocolFee", "Refund"] as const;
export const slashKinds = [
  "Round",
  "Squat",
  "MissedSeat",
  "CutVote",
  "OverturnedVote",
  "Equivocation",
  "ChallengeLost",
] as const;
export const challengeKinds = ["Dispute", "Appeal"] as const;
export const challengeStates = ["Open", "Upheld", "Cut", "Granted", "Rejected", "Lapsed"] as const;
export const verifierStatuses = ["Active", "Suspended", "Exiting", "Exited"] as const;
/** Where money lies. `outside` is everybody's wallets: what left it must equal what the other three hold. */
export const buckets = ["locked", "claimable", "bond", "outside"] as const;

export type JobStatus = (typeof jobStatuses)[number];
export type EndCause = (typeof endCauses)[number];
export type CheckpointStatus = (typeof checkpointStatuses)[number];
export type Outcome = (typeof outcomes)[number];
export type CreditKind = (typeof creditKinds)[number];
export type SlashKind = (typeof slashKinds)[number];
export type ChallengeKind = (typeof challengeKinds)[number];
export type ChallengeState = (typeof challengeStates)[number];
export type VerifierStatus = (typeof verifierStatuses)[number];
export type Bucket = (typeof buckets)[number];
