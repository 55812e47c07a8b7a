// The tables of ledger/tables.ts as the database sees them, their indexes and relations. Indexed columns, and only those, can be
// filtered and ordered by over GraphQL, so no query scans a table that grows. Long because a schema reads best in one piece.
import { index, onchainEnum, onchainTable, primaryKey, relations } from "ponder";
import {
  buckets,
  challengeKinds,
  challengeStates,
  checkpointStatuses,
  creditKinds,
  endCauses,
  jobStatuses,
  outcomes,
  slashKinds,
  verifierStatuses,
} from "./ledger/rows.ts";

export const bucket = onchainEnum("bucket", buckets);
export const jobStatus = onchainEnum("job_status", jobStatuses);
export const endCause = onchainEnum("end_cause", endCauses);
export const checkpointStatus = onchainEnum("checkpoint_status", checkpointStatuses);
export const outcome = onchainEnum("outcome", outcomes);
export const creditKind = onchainEnum("credit_kind", creditKinds);
export const slashKind = onchainEnum("slash_kind", slashKinds);
export const challengeKind = onchainEnum("challenge_kind", challengeKinds);
export const challengeState = onchainEnum("challenge_state", challengeStates);
export const verifierStatus = onchainEnum("verifier_status", verifierStatuses);

export const total = onchainTable("total", (p) => ({
  id: p.integer().primaryKey(),
  events: p.integer().notNull(),
  digest: p.hex().notNull(),
  block: p.integer().notNull(),
  timestamp: p.integer().notNull(),
  locked: p.bigint().notNull(),
  claimable: p.bigint().notNull(),
  bonds: p.bigint().notNull(),
  reserved: p.bigint().notNull(),
  deposited: p.bigint().notNull(),
  withdrawn: p.bigint().notNull(),
  jobs: p.integer().notNull(),
  openJobs: p.integer().notNull(),
  completedJobs: p.integer().notNull(),
  settledJobs: p.integer().notNull(),
  providers: p.integer().notNull(),
  verifiers: p.integer().notNull(),
  leases: p.integer().notNull(),
  evictions: p.integer().notNull(),
  checkpoints: p.integer().notNull(),
  refusals: p.integer().notNull(),
  stepsAccepted: p.integer().notNull(),
  providerPay: p.bigint().notNull(),
  verifierFees: p.bigint().notNull(),
  protocolFees: p.bigint().notNull(),
  refunds: p.bigint().notNull(),
  slashed: p.bigint().notNull(),
}));

export const journal = onchainTable(
  "journal",
  (p) => ({
    seq: p.integer().primaryKey(),
    block: p.integer().notNull(),
    timestamp: p.integer().notNull(),
    txHash: p.hex().notNull(),
    txFrom: p.hex().notNull(),
    logIndex: p.integer().notNull(),
    contract: p.text().notNull(),
    name: p.text().notNull(),
    jobId: p.bigint(),
    checkpointId: p.bigint(),
    fence: p.integer(),
    account: p.hex(),
    args: p.json().$type<Record<string, unknown>>().notNull(),
    digest: p.hex().notNull(),
  }),
  (t) => ({
    byBlock: index().on(t.block),
    byTimestamp: index().on(t.timestamp),
    byTx: index().on(t.txHash),
    bySender: index().on(t.txFrom, t.seq),
    byName: index().on(t.name, t.seq),
    byJob: index().on(t.jobId, t.seq),
    byCheckpoint: index().on(t.checkpointId, t.seq),
    byAccount: index().on(t.account, t.seq),
  }),
);

export const posting = onchainTable(
  "posting",
  (p) => ({
    seq: p.integer().notNull(),
    line: p.integer().notNull(),
    bucket: bucket().notNull(),
    account: p.hex(),
    jobId: p.bigint(),
    kind: p.text().notNull(),
    amount: p.bigint().notNull(),
    block: p.integer().notNull(),
    timestamp: p.integer().notNull(),
  }),
  (t) => ({
    pk: primaryKey({ columns: [t.seq, t.line] }),
    byAccount: index().on(t.account, t.seq),
    byJob: index().on(t.jobId, t.seq),
    byKind: index().on(t.kind, t.seq),
    byBucket: index().on(t.bucket, t.seq),
    byBlock: index().on(t.block),
    byTimestamp: index().on(t.timestamp),
  }),
);

export const mention = onchainTable(
  "mention",
  (p) => ({
    address: p.hex().notNull(),
    seq: p.integer().notNull(),
    role: p.text().notNull(),
    jobId: p.bigint(),
    block: p.integer().notNull(),
    timestamp: p.integer().notNull(),
  }),
  (t) => ({
    pk: primaryKey({ columns: [t.address, t.seq] }),
    byRole: index().on(t.role),
    byJob: index().on(t.jobId),
    byBlock: index().on(t.block),
    byTimestamp: index().on(t.timestamp),
  }),
);

export const account = onchainTable(
  "account",
  (p) => ({
    address: p.hex().primaryKey(),
    claimable: p.bigint().notNull(),
    bond: p.bigint().notNull(),
    reserved: p.bigint().notNull(),
    deposited: p.bigint().notNull(),
    earned: p.bigint().notNull(),
    refunded: p.bigint().notNull(),
    slashed: p.bigint().notNull(),
    withdrawn: p.bigint().notNull(),
    firstSeq: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    byClaimable: index().on(t.claimable),
    byBond: index().on(t.bond),
    byEarned: index().on(t.earned),
    byFirstSeq: index().on(t.firstSeq),
    byBlock: index().on(t.block),
  }),
);

export const job = onchainTable(
  "job",
  (p) => ({
    id: p.bigint().primaryKey(),
    client: p.hex().notNull(),
    status: jobStatus().notNull(),
    cancelled: p.boolean().notNull(),
    draining: p.boolean().notNull(),
    drainUntil: p.integer(),
    metTarget: p.boolean(),
    templateId: p.integer().notNull(),
    configId: p.integer().notNull(),
    arbiter: p.hex().notNull(),
    treasury: p.hex().notNull(),
    specHash: p.hex().notNull(),
    genesisHash: p.hex().notNull(),
    eligibilityRoot: p.hex().notNull(),
    totalSteps: p.integer().notNull(),
    checkpointInterval: p.integer().notNull(),
    maxPricePerStep: p.bigint().notNull(),
    verifierFee: p.bigint().notNull(),
    leaseDuration: p.integer().notNull(),
    segmentTimeout: p.integer().notNull(),
    pulseTimeoutMs: p.integer().notNull(),
    auctionRamp: p.integer().notNull(),
    verdictTimeout: p.integer().notNull(),
    deadline: p.integer().notNull(),
    gracePeriod: p.integer().notNull(),
    disputeWindow: p.integer().notNull(),
    budget: p.bigint().notNull(),
    locked: p.bigint().notNull(),
    providerPay: p.bigint().notNull(),
    verifierFees: p.bigint().notNull(),
    cancelFees: p.bigint().notNull(),
    protocolFee: p.bigint().notNull(),
    refund: p.bigint().notNull(),
    owedPay: p.bigint().notNull(),
    owedFees: p.bigint().notNull(),
    headId: p.bigint(),
    headStep: p.integer().notNull(),
    lastScore: p.doublePrecision(),
    checkpointCount: p.integer().notNull(),
    pending: p.integer().notNull(),
    refusals: p.integer().notNull(),
    contestedFrom: p.bigint(),
    fence: p.integer().notNull(),
    holder: p.hex(),
    leaseExpiresAt: p.integer().notNull(),
    openSince: p.integer().notNull(),
    handOvers: p.integer().notNull(),
    sitting: p.hex().array().notNull(),
    seatSeqs: p.integer().array().notNull(),
    postedAt: p.integer().notNull(),
    closingAt: p.integer(),
    judgedUntil: p.integer(),
    completedAt: p.integer(),
    settledAt: p.integer(),
    postedSeq: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    byClient: index().on(t.client, t.id),
    byStatus: index().on(t.status, t.id),
    byDraining: index().on(t.draining),
    byTemplate: index().on(t.templateId, t.id),
    bySpec: index().on(t.specHash),
    byPrice: index().on(t.maxPricePerStep),
    byDeadline: index().on(t.deadline),
    byExpiry: index().on(t.leaseExpiresAt),
    byHolder: index().on(t.holder),
    byPosted: index().on(t.postedAt),
    byBudget: index().on(t.budget),
    byEligibility: index().on(t.eligibilityRoot),
    byPending: index().on(t.pending),
    byBlock: index().on(t.block),
  }),
);

export const lease = onchainTable(
  "lease",
  (p) => ({
    jobId: p.bigint().notNull(),
    fence: p.integer().notNull(),
    provider: p.hex().notNull(),
    payout: p.hex().notNull(),
    pricePerStep: p.bigint().notNull(),
    live: p.boolean().notNull(),
    cause: endCause(),
    acquiredAt: p.integer().notNull(),
    expiresAt: p.integer().notNull(),
    endedAt: p.integer(),
    endSeenAt: p.integer(),
    previousProvider: p.hex(),
    fromStep: p.integer(),
    lastStep: p.integer(),
    commits: p.integer().notNull(),
    stepsAccepted: p.integer().notNull(),
    stepsRefused: p.integer().notNull(),
    paid: p.bigint().notNull(),
    bondHeld: p.bigint().notNull(),
    bondLost: p.bigint().notNull(),
    seq: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    pk: primaryKey({ columns: [t.jobId, t.fence] }),
    byProvider: index().on(t.provider, t.seq),
    byLive: index().on(t.live),
    byCause: index().on(t.cause, t.seq),
    byAcquired: index().on(t.acquiredAt),
    bySeq: index().on(t.seq),
    byBlock: index().on(t.block),
  }),
);

export const checkpoint = onchainTable(
  "checkpoint",
  (p) => ({
    id: p.bigint().primaryKey(),
    jobId: p.bigint().notNull(),
    index: p.integer().notNull(),
    fence: p.integer().notNull(),
    provider: p.hex().notNull(),
    parentId: p.bigint(),
    step: p.integer().notNull(),
    steps: p.integer().notNull(),
    stateHash: p.hex().notNull(),
    traceRoot: p.hex().notNull(),
    offSchedule: p.boolean().notNull(),
    status: checkpointStatus().notNull(),
    outcome: outcome(),
    metTarget: p.boolean(),
    score: p.doublePrecision(),
    pay: p.bigint().notNull(),
    owedFees: p.bigint().notNull(),
    paid: p.bigint().notNull(),
    feesPaid: p.bigint().notNull(),
    contested: p.boolean().notNull(),
    committedAt: p.integer().notNull(),
    judgeableAt: p.integer(),
    decidedAt: p.integer(),
    maturesAt: p.integer(),
    appealUntil: p.integer(),
    paidAt: p.integer(),
    voters: p.hex().array().notNull(),
    seq: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    byJob: index().on(t.jobId, t.id),
    byLease: index().on(t.jobId, t.fence),
    byFence: index().on(t.fence),
    byIndex: index().on(t.index),
    byProvider: index().on(t.provider, t.seq),
    byParent: index().on(t.parentId),
    byStatus: index().on(t.status, t.seq),
    byState: index().on(t.stateHash),
    byMaturity: index().on(t.maturesAt),
    byStep: index().on(t.step),
    bySeq: index().on(t.seq),
    byBlock: index().on(t.block),
  }),
);

export const vote = onchainTable(
  "vote",
  (p) => ({
    checkpointId: p.bigint().notNull(),
    verifier: p.hex().notNull(),
    jobId: p.bigint().notNull(),
    seat: p.integer().notNull(),
    outcome: outcome().notNull(),
    metTarget: p.boolean().notNull(),
    score: p.doublePrecision().notNull(),
    evidenceHash: p.hex().notNull(),
    agreed: p.boolean(),
    latency: p.integer().notNull(),
    fee: p.bigint().notNull(),
    castAt: p.integer().notNull(),
    seq: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    pk: primaryKey({ columns: [t.checkpointId, t.verifier] }),
    byVerifier: index().on(t.verifier, t.seq),
    byJob: index().on(t.jobId, t.seq),
    byOutcome: index().on(t.outcome, t.seq),
    byAgreed: index().on(t.agreed, t.seq),
    bySeq: index().on(t.seq),
    byBlock: index().on(t.block),
  }),
);

export const seat = onchainTable(
  "seat",
  (p) => ({
    jobId: p.bigint().notNull(),
    seat: p.integer().notNull(),
    verifier: p.hex().notNull(),
    replacedBy: p.hex(),
    seatedAt: p.integer().notNull(),
    leftAt: p.integer(),
    seq: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    pk: primaryKey({ columns: [t.jobId, t.seat, t.seq] }),
    byVerifier: index().on(t.verifier, t.seq),
    byLeft: index().on(t.leftAt),
    bySeq: index().on(t.seq),
    byBlock: index().on(t.block),
  }),
);

/** One counted attestation of an eviction: which seat signed it, and for which moment. */
export const attestation = onchainTable(
  "attestation",
  (p) => ({
    jobId: p.bigint().notNull(),
    fence: p.integer().notNull(),
    verifier: p.hex().notNull(),
    seat: p.integer().notNull(),
    attestedAtMs: p.bigint().notNull(),
    seq: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    pk: primaryKey({ columns: [t.jobId, t.fence, t.verifier] }),
    byVerifier: index().on(t.verifier, t.seq),
    byBlock: index().on(t.block),
  }),
);

export const eviction = onchainTable(
  "eviction",
  (p) => ({
    jobId: p.bigint().notNull(),
    fence: p.integer().notNull(),
    provider: p.hex().notNull(),
    evictedAt: p.integer().notNull(),
    seq: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    pk: primaryKey({ columns: [t.jobId, t.fence] }),
    byProvider: index().on(t.provider, t.seq),
    bySeq: index().on(t.seq),
    byBlock: index().on(t.block),
  }),
);

export const payout = onchainTable(
  "payout",
  (p) => ({
    seq: p.integer().notNull(),
    line: p.integer().notNull(),
    jobId: p.bigint().notNull(),
    checkpointId: p.bigint(),
    kind: creditKind().notNull(),
    account: p.hex().notNull(),
    party: p.hex().notNull(),
    amount: p.bigint().notNull(),
    timestamp: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    pk: primaryKey({ columns: [t.seq, t.line] }),
    byJob: index().on(t.jobId, t.seq),
    byCheckpoint: index().on(t.checkpointId),
    byAccount: index().on(t.account, t.seq),
    byParty: index().on(t.party, t.seq),
    byKind: index().on(t.kind, t.seq),
    byTimestamp: index().on(t.timestamp),
    byBlock: index().on(t.block),
  }),
);

export const challenge = onchainTable(
  "challenge",
  (p) => ({
    checkpointId: p.bigint().primaryKey(),
    jobId: p.bigint().notNull(),
    kind: challengeKind().notNull(),
    state: challengeState().notNull(),
    opener: p.hex().notNull(),
    bond: p.bigint().notNull(),
    reasonHash: p.hex().notNull(),
    openedAt: p.integer().notNull(),
    arbiterUntil: p.integer().notNull(),
    closedAt: p.integer(),
    cutFrom: p.bigint(),
    seq: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    byJob: index().on(t.jobId, t.seq),
    byKind: index().on(t.kind, t.seq),
    byState: index().on(t.state, t.seq),
    byOpener: index().on(t.opener, t.seq),
    bySeq: index().on(t.seq),
    byBlock: index().on(t.block),
  }),
);

export const slashing = onchainTable(
  "slashing",
  (p) => ({
    seq: p.integer().primaryKey(),
    account: p.hex().notNull(),
    beneficiary: p.hex().notNull(),
    kind: slashKind().notNull(),
    jobId: p.bigint(),
    amount: p.bigint().notNull(),
    reserved: p.boolean().notNull(),
    timestamp: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    byAccount: index().on(t.account, t.seq),
    byBeneficiary: index().on(t.beneficiary, t.seq),
    byKind: index().on(t.kind, t.seq),
    byJob: index().on(t.jobId, t.seq),
    byTimestamp: index().on(t.timestamp),
    byBlock: index().on(t.block),
  }),
);

export const bondChange = onchainTable(
  "bond_change",
  (p) => ({
    seq: p.integer().primaryKey(),
    account: p.hex().notNull(),
    kind: p.text().notNull(),
    jobId: p.bigint(),
    amount: p.bigint().notNull(),
    bondAfter: p.bigint().notNull(),
    reservedAfter: p.bigint().notNull(),
    timestamp: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    byAccount: index().on(t.account, t.seq),
    byKind: index().on(t.kind, t.seq),
    byJob: index().on(t.jobId, t.seq),
    byTimestamp: index().on(t.timestamp),
    byBlock: index().on(t.block),
  }),
);

export const withdrawal = onchainTable(
  "withdrawal",
  (p) => ({
    seq: p.integer().primaryKey(),
    account: p.hex().notNull(),
    recipient: p.hex().notNull(),
    amount: p.bigint().notNull(),
    timestamp: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    byAccount: index().on(t.account, t.seq),
    byRecipient: index().on(t.recipient, t.seq),
    byTimestamp: index().on(t.timestamp),
    byBlock: index().on(t.block),
  }),
);

export const provider = onchainTable(
  "provider",
  (p) => ({
    address: p.hex().primaryKey(),
    name: p.text().notNull(),
    pricePerStep: p.bigint().notNull(),
    payout: p.hex().notNull(),
    deviceHash: p.hex().notNull(),
    encryptionKey: p.hex().notNull(),
    metadata: p.text().notNull(),
    accepting: p.boolean().notNull(),
    exitAt: p.integer(),
    exited: p.boolean().notNull(),
    registeredAt: p.integer().notNull(),
    leaseCount: p.integer().notNull(),
    liveLeases: p.integer().notNull(),
    leaseSeconds: p.integer().notNull(),
    takeOvers: p.integer().notNull(),
    handOvers: p.integer().notNull(),
    evictionCount: p.integer().notNull(),
    checkpointCount: p.integer().notNull(),
    stepsAccepted: p.integer().notNull(),
    stepsRefused: p.integer().notNull(),
    refusals: p.integer().notNull(),
    unavailable: p.integer().notNull(),
    stepsPaid: p.integer().notNull(),
    earned: p.bigint().notNull(),
    owed: p.bigint().notNull(),
    bondLost: p.bigint().notNull(),
    lastActiveAt: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    byName: index().on(t.name),
    byPrice: index().on(t.pricePerStep),
    byPayout: index().on(t.payout),
    byAccepting: index().on(t.accepting),
    byExited: index().on(t.exited),
    byRegistered: index().on(t.registeredAt),
    byLive: index().on(t.liveLeases),
    bySteps: index().on(t.stepsAccepted),
    byEarned: index().on(t.earned),
    byActive: index().on(t.lastActiveAt),
    byBlock: index().on(t.block),
  }),
);

export const verifier = onchainTable(
  "verifier",
  (p) => ({
    address: p.hex().primaryKey(),
    verifierId: p.integer().notNull(),
    endpoint: p.text().notNull(),
    encryptionKey: p.hex().notNull(),
    minFee: p.bigint().notNull(),
    templateMask: p.integer().notNull(),
    status: verifierStatus().notNull(),
    activeFrom: p.integer().notNull(),
    termsFrom: p.integer().notNull(),
    exitAt: p.integer(),
    registeredAt: p.integer().notNull(),
    seatCount: p.integer().notNull(),
    sitting: p.integer().notNull(),
    voteCount: p.integer().notNull(),
    decided: p.integer().notNull(),
    disagreements: p.integer().notNull(),
    latencySum: p.integer().notNull(),
    latencyMax: p.integer().notNull(),
    missedSeats: p.integer().notNull(),
    faults: p.integer().notNull(),
    earned: p.bigint().notNull(),
    bondLost: p.bigint().notNull(),
    lastVoteAt: p.integer(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    byNumber: index().on(t.verifierId),
    byStatus: index().on(t.status),
    byFee: index().on(t.minFee),
    byRegistered: index().on(t.registeredAt),
    byVotes: index().on(t.voteCount),
    byEarned: index().on(t.earned),
    byFaults: index().on(t.faults),
    byBlock: index().on(t.block),
  }),
);

export const standing = onchainTable(
  "standing",
  (p) => ({
    jobId: p.bigint().notNull(),
    provider: p.hex().notNull(),
    barred: p.boolean().notNull(),
    coolingUntil: p.integer().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({
    pk: primaryKey({ columns: [t.jobId, t.provider] }),
    byProvider: index().on(t.provider),
    byBarred: index().on(t.barred),
    byBlock: index().on(t.block),
  }),
);

export const template = onchainTable("template", (p) => ({
  id: p.integer().primaryKey(),
  name: p.text().notNull(),
  minVerifierFee: p.bigint().notNull(),
  approved: p.boolean().notNull(),
  jobs: p.integer().notNull(),
  block: p.integer().notNull(),
}));

export const jobConfig = onchainTable("job_config", (p) => ({
  id: p.integer().primaryKey(),
  arbiter: p.hex().notNull(),
  treasury: p.hex().notNull(),
  namedAt: p.integer().notNull(),
  block: p.integer().notNull(),
}));

export const day = onchainTable("day", (p) => ({
  day: p.integer().primaryKey(),
  events: p.integer().notNull(),
  jobsPosted: p.integer().notNull(),
  jobsSettled: p.integer().notNull(),
  checkpoints: p.integer().notNull(),
  stepsAccepted: p.integer().notNull(),
  stepsRefused: p.integer().notNull(),
  evictions: p.integer().notNull(),
  budgets: p.bigint().notNull(),
  providerPay: p.bigint().notNull(),
  verifierFees: p.bigint().notNull(),
  protocolFees: p.bigint().notNull(),
  refunds: p.bigint().notNull(),
  slashed: p.bigint().notNull(),
  withdrawn: p.bigint().notNull(),
  block: p.integer().notNull(),
}));

export const providerDay = onchainTable(
  "provider_day",
  (p) => ({
    provider: p.hex().notNull(),
    day: p.integer().notNull(),
    stepsAccepted: p.integer().notNull(),
    stepsRefused: p.integer().notNull(),
    leases: p.integer().notNull(),
    leaseSeconds: p.integer().notNull(),
    earned: p.bigint().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({ pk: primaryKey({ columns: [t.provider, t.day] }), byDay: index().on(t.day), byBlock: index().on(t.block) }),
);

export const verifierDay = onchainTable(
  "verifier_day",
  (p) => ({
    verifier: p.hex().notNull(),
    day: p.integer().notNull(),
    votes: p.integer().notNull(),
    disagreements: p.integer().notNull(),
    latencySum: p.integer().notNull(),
    earned: p.bigint().notNull(),
    block: p.integer().notNull(),
  }),
  (t) => ({ pk: primaryKey({ columns: [t.verifier, t.day] }), byDay: index().on(t.day), byBlock: index().on(t.block) }),
);

export const jobRelations = relations(job, ({ one, many }) => ({
  clientAccount: one(account, { fields: [job.client], references: [account.address] }),
  template: one(template, { fields: [job.templateId], references: [template.id] }),
  head: one(checkpoint, { fields: [job.headId], references: [checkpoint.id], relationName: "head" }),
  holderProvider: one(provider, { fields: [job.holder], references: [provider.address] }),
  timeline: many(journal),
  leases: many(lease),
  checkpoints: many(checkpoint, { relationName: "jobCheckpoints" }),
  votes: many(vote),
  seats: many(seat),
  evictions: many(eviction),
  payouts: many(payout),
  postings: many(posting),
  challenges: many(challenge),
  slashings: many(slashing),
  standings: many(standing),
}));

export const journalRelations = relations(journal, ({ one, many }) => ({
  job: one(job, { fields: [journal.jobId], references: [job.id] }),
  checkpoint: one(checkpoint, { fields: [journal.checkpointId], references: [checkpoint.id] }),
  postings: many(posting),
}));

export const postingRelations = relations(posting, ({ one }) => ({
  event: one(journal, { fields: [posting.seq], references: [journal.seq] }),
  job: one(job, { fields: [posting.jobId], references: [job.id] }),
  owner: one(account, { fields: [posting.account], references: [account.address] }),
}));

export const mentionRelations = relations(mention, ({ one }) => ({
  event: one(journal, { fields: [mention.seq], references: [journal.seq] }),
  subject: one(account, { fields: [mention.address], references: [account.address] }),
}));

export const accountRelations = relations(account, ({ one, many }) => ({
  provider: one(provider, { fields: [account.address], references: [provider.address] }),
  verifier: one(verifier, { fields: [account.address], references: [verifier.address] }),
  postings: many(posting),
  mentions: many(mention),
  withdrawals: many(withdrawal),
  bondChanges: many(bondChange),
  jobs: many(job),
}));

export const leaseRelations = relations(lease, ({ one, many }) => ({
  job: one(job, { fields: [lease.jobId], references: [job.id] }),
  holder: one(provider, { fields: [lease.provider], references: [provider.address] }),
  eviction: one(eviction, { fields: [lease.jobId, lease.fence], references: [eviction.jobId, eviction.fence] }),
  checkpoints: many(checkpoint, { relationName: "leaseCheckpoints" }),
}));

export const checkpointRelations = relations(checkpoint, ({ one, many }) => ({
  job: one(job, { fields: [checkpoint.jobId], references: [job.id], relationName: "jobCheckpoints" }),
  lease: one(lease, {
    fields: [checkpoint.jobId, checkpoint.fence],
    references: [lease.jobId, lease.fence],
    relationName: "leaseCheckpoints",
  }),
  by: one(provider, { fields: [checkpoint.provider], references: [provider.address], relationName: "by" }),
  parent: one(checkpoint, { fields: [checkpoint.parentId], references: [checkpoint.id], relationName: "tree" }),
  children: many(checkpoint, { relationName: "tree" }),
  votes: many(vote),
  payouts: many(payout),
  challenge: one(challenge, { fields: [checkpoint.id], references: [challenge.checkpointId] }),
}));

export const voteRelations = relations(vote, ({ one }) => ({
  checkpoint: one(checkpoint, { fields: [vote.checkpointId], references: [checkpoint.id] }),
  job: one(job, { fields: [vote.jobId], references: [job.id] }),
  by: one(verifier, { fields: [vote.verifier], references: [verifier.address] }),
}));

export const seatRelations = relations(seat, ({ one }) => ({
  job: one(job, { fields: [seat.jobId], references: [job.id] }),
  sitter: one(verifier, { fields: [seat.verifier], references: [verifier.address] }),
}));

export const evictionRelations = relations(eviction, ({ one, many }) => ({
  job: one(job, { fields: [eviction.jobId], references: [job.id] }),
  evicted: one(provider, { fields: [eviction.provider], references: [provider.address] }),
  attestations: many(attestation),
}));

export const attestationRelations = relations(attestation, ({ one }) => ({
  eviction: one(eviction, {
    fields: [attestation.jobId, attestation.fence],
    references: [eviction.jobId, eviction.fence],
  }),
  signer: one(verifier, { fields: [attestation.verifier], references: [verifier.address] }),
}));

export const payoutRelations = relations(payout, ({ one }) => ({
  job: one(job, { fields: [payout.jobId], references: [job.id] }),
  checkpoint: one(checkpoint, { fields: [payout.checkpointId], references: [checkpoint.id] }),
  toProvider: one(provider, { fields: [payout.party], references: [provider.address] }),
  toVerifier: one(verifier, { fields: [payout.party], references: [verifier.address] }),
}));

export const challengeRelations = relations(challenge, ({ one }) => ({
  job: one(job, { fields: [challenge.jobId], references: [job.id] }),
  checkpoint: one(checkpoint, { fields: [challenge.checkpointId], references: [checkpoint.id] }),
}));

export const slashingRelations = relations(slashing, ({ one }) => ({
  job: one(job, { fields: [slashing.jobId], references: [job.id] }),
  slashedProvider: one(provider, { fields: [slashing.account], references: [provider.address] }),
  slashedVerifier: one(verifier, { fields: [slashing.account], references: [verifier.address] }),
}));

export const bondChangeRelations = relations(bondChange, ({ one }) => ({
  owner: one(account, { fields: [bondChange.account], references: [account.address] }),
}));

export const withdrawalRelations = relations(withdrawal, ({ one }) => ({
  owner: one(account, { fields: [withdrawal.account], references: [account.address] }),
}));

export const providerRelations = relations(provider, ({ one, many }) => ({
  account: one(account, { fields: [provider.address], references: [account.address] }),
  leases: many(lease),
  checkpoints: many(checkpoint, { relationName: "by" }),
  evictions: many(eviction),
  payouts: many(payout),
  slashings: many(slashing),
  standings: many(standing),
  days: many(providerDay),
}));

export const verifierRelations = relations(verifier, ({ one, many }) => ({
  account: one(account, { fields: [verifier.address], references: [account.address] }),
  votes: many(vote),
  seats: many(seat),
  payouts: many(payout),
  slashings: many(slashing),
  days: many(verifierDay),
}));

export const standingRelations = relations(standing, ({ one }) => ({
  job: one(job, { fields: [standing.jobId], references: [job.id] }),
  holder: one(provider, { fields: [standing.provider], references: [provider.address] }),
}));

export const providerDayRelations = relations(providerDay, ({ one }) => ({
  of: one(provider, { fields: [providerDay.provider], references: [provider.address] }),
}));

export const verifierDayRelations = relations(verifierDay, ({ one }) => ({
  of: one(verifier, { fields: [verifierDay.verifier], references: [verifier.address] }),
}));
