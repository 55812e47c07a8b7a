// The contracts' enums by the order of their members; see contracts/src/Types.sol.

function names<const Names extends readonly string[]>(...list: Names) {
  return list;
}

export const jobStatuses = names("None", "Open", "Closing", "Completed", "Settled");
export type JobStatus = (typeof jobStatuses)[number];

export const endCauses = names(
  "None",
  "Released",
  "Expired",
  "Stalled",
  "Evicted",
  "Refused",
  "Unavailable",
  "JobClosed",
);
export type EndCause = (typeof endCauses)[number];

export const checkpointStatuses = names(
  "None",
  "Pending",
  "Accepted",
  "Refused",
  "Unavailable",
  "Void",
  "Orphaned",
  "Paid",
  "Cut",
  "Final",
  "Overturned",
);
export type CheckpointStatus = (typeof checkpointStatuses)[number];

export const outcomes = names("None", "Accept", "Refuse", "Unavailable");
export type Outcome = (typeof outcomes)[number];

export const verifierStatuses = names("None", "Active", "Suspended", "Exiting");
export type VerifierStatus = (typeof verifierStatuses)[number];

export const creditKinds = names("ProviderPay", "VerifierFee", "CancelFee", "ProtocolFee", "Refund");
export type CreditKind = (typeof creditKinds)[number];

export const slashKinds = names(
  "Round",
  "Squat",
  "MissedSeat",
  "CutVote",
  "OverturnedVote",
  "Equivocation",
  "ChallengeLost",
);
export type SlashKind = (typeof slashKinds)[number];

export const challengeKinds = names("None", "Dispute", "Appeal");
export type ChallengeKind = (typeof challengeKinds)[number];

export const challengeStates = names("None", "Open", "Upheld", "Cut", "Granted", "Rejected", "Lapsed");
export type ChallengeState = (typeof challengeStates)[number];

/** What stands in the way of a lease, see `canAcquire`. */
export const acquireBlocks = names(
  "None",
  "JobNotOpen",
  "Draining",
  "PastDeadline",
  "LeaseHeld",
  "SameBlockAsEviction",
  "NotOffering",
  "IsClient",
  "Barred",
  "CoolingDown",
  "NotEligible",
  "SeatedVerifier",
  "PriceAboveCeiling",
  "BondTooSmall",
  "NoCommittee",
);
export type AcquireBlock = (typeof acquireBlocks)[number];

/** The name of an enum's value as it comes from the chain; throws on one this version does not know. */
export function enumName<Name extends string>(list: readonly Name[], value: number): Name {
  const name = list[value];
  if (name === undefined) throw new RangeError(`unknown value ${value}, expected one of ${list.join(", ")}`);
  return name;
}

/** The value of an enum's name as the chain takes it. */
export function enumValue<Name extends string>(list: readonly Name[], name: Name): number {
  return list.indexOf(name);
}
