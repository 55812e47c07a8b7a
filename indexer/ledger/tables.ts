import type {
  Bucket,
  ChallengeKind,
  ChallengeState,
  CheckpointStatus,
  CreditKind,
  EndCause,
  Hex,
  JobStatus,
  Outcome,
  SlashKind,
  VerifierStatus,
} from "./rows.ts";

/** Every table's row. Optional facts are null, never absent, so that a row compares field by field. */
export interface Tables {
  /** One row (id 1): where the ledger stands and the sums over everything. */
  total: {
    id: number;
    events: number;
    /** hash chain over every event's raw log: two parties with one digest have read the same logs */
    digest: Hex;
    block: number;
    timestamp: number;
    locked: bigint;
    claimable: bigint;
    bonds: bigint;
    reserved: bigint;
    deposited: bigint;
    withdrawn: bigint;
    jobs: number;
    openJobs: number;
    completedJobs: number;
    settledJobs: number;
    providers: number;
    verifiers: number;
    leases: number;
    evictions: number;
    checkpoints: number;
    refusals: number;
    stepsAccepted: number;
    providerPay: bigint;
    verifierFees: bigint;
    protocolFees: bigint;
    refunds: bigint;
    slashed: bigint;
  };
  /** Everything that happened, in chain order. */
  journal: {
    seq: number;
    block: number;
    timestamp: number;
    txHash: Hex;
    txFrom: Hex;
    logIndex: number;
    contract: string;
    name: string;
    jobId: bigint | null;
    checkpointId: bigint | null;
    fence: number | null;
    /** the party it is mostly about */
    account: Hex | null;
    /** as decoded; whole numbers of more than 32 bits as decimal strings */
    args: Record<string, unknown>;
    /** SHA-256 over the previous digest and this raw log */
    digest: Hex;
  };
  /** Every movement of money, in double entry: the amounts of one `seq` sum to zero. */
  posting: {
    seq: number;
    line: number;
    bucket: Bucket;
    /** whose claimable or bond it is; for outside: whose wallet */
    account: Hex | null;
    /** whose budget it is, or the job it came from */
    jobId: bigint | null;
    kind: string;
    amount: bigint;
    block: number;
    timestamp: number;
  };
  /** Every address that an event names, and as what. */
  mention: { address: Hex; seq: number; role: string; jobId: bigint | null; block: number; timestamp: number };
  account: {
    address: Hex;
    claimable: bigint;
    bond: bigint;
    /** the part of `bond` that leases and challenges hold */
    reserved: bigint;
    deposited: bigint;
    earned: bigint;
    refunded: bigint;
    slashed: bigint;
    withdrawn: bigint;
    firstSeq: number;
    block: number;
  };
  job: {
    id: bigint;
    client: Hex;
    status: JobStatus;
    cancelled: boolean;
    draining: boolean;
    drainUntil: number | null;
    metTarget: boolean | null;
    templateId: number;
    configId: number;
    arbiter: Hex;
    treasury: Hex;
    specHash: Hex;
    genesisHash: Hex;
    eligibilityRoot: Hex;
    totalSteps: number;
    checkpointInterval: number;
    maxPricePerStep: bigint;
    verifierFee: bigint;
    leaseDuration: number;
    segmentTimeout: number;
    pulseTimeoutMs: number;
    auctionRamp: number;
    verdictTimeout: number;
    /** with the shifts of upheld disputes */
    deadline: number;
    gracePeriod: number;
    disputeWindow: number;
    budget: bigint;
    locked: bigint;
    providerPay: bigint;
    verifierFees: bigint;
    cancelFees: bigint;
    protocolFee: bigint;
    refund: bigint;
    /** accepted, not yet paid: to providers, to seats */
    owedPay: bigint;
    owedFees: bigint;
    headId: bigint | null;
    headStep: number;
    lastScore: number | null;
    checkpointCount: number;
    pending: number;
    refusals: number;
    contestedFrom: bigint | null;
    /** newest fence, 0 before the first lease */
    fence: number;
    holder: Hex | null;
    /** the live lease's, 0 when none is live; a passive end is seen by the next call, so compare it with the time */
    leaseExpiresAt: number;
    openSince: number;
    handOvers: number;
    /** who sits now, and the `seq` of each seating; empty before the draw */
    sitting: Hex[];
    seatSeqs: number[];
    postedAt: number;
    closingAt: number | null;
    judgedUntil: number | null;
    completedAt: number | null;
    settledAt: number | null;
    postedSeq: number;
    block: number;
  };
  lease: {
    jobId: bigint;
    fence: number;
    provider: Hex;
    payout: Hex;
    pricePerStep: bigint;
    live: boolean;
    cause: EndCause | null;
    acquiredAt: number;
    expiresAt: number;
    endedAt: number | null;
    /** when the chain noticed */
    endSeenAt: number | null;
    /** who held the job before, null for the first lease */
    previousProvider: Hex | null;
    /** the step it went on from, known with its first commit */
    fromStep: number | null;
    lastStep: number | null;
    commits: number;
    stepsAccepted: number;
    stepsRefused: number;
    paid: bigint;
    bondHeld: bigint;
    bondLost: bigint;
    seq: number;
    block: number;
  };
  checkpoint: {
    id: bigint;
    jobId: bigint;
    index: number;
    fence: number;
    provider: Hex;
    /** null: genesis */
    parentId: bigint | null;
    step: number;
    /** since the parent: what is paid */
    steps: number;
    stateHash: Hex;
    traceRoot: Hex;
    offSchedule: boolean;
    status: CheckpointStatus;
    outcome: Outcome | null;
    metTarget: boolean | null;
    /** median of the deciding votes' scores, in 1e-6 */
    score: number | null;
    pay: bigint;
    owedFees: bigint;
    paid: bigint;
    feesPaid: bigint;
    contested: boolean;
    committedAt: number;
    judgeableAt: number | null;
    decidedAt: number | null;
    /** accepted: payable from here on, if not contested */
    maturesAt: number | null;
    appealUntil: number | null;
    paidAt: number | null;
    voters: Hex[];
    seq: number;
    block: number;
  };
  vote: {
    checkpointId: bigint;
    verifier: Hex;
    jobId: bigint;
    seat: number;
    outcome: Outcome;
    metTarget: boolean;
    score: number;
    evidenceHash: Hex;
    /** null until the checkpoint is decided */
    agreed: boolean | null;
    /** seconds from judgeable to cast */
    latency: number;
    fee: bigint;
    castAt: number;
    seq: number;
    block: number;
  };
  seat: {
    jobId: bigint;
    seat: number;
    verifier: Hex;
    /** null while it sits, or when it left with the job */
    replacedBy: Hex | null;
    seatedAt: number;
    leftAt: number | null;
    /** of the seating event: a verifier can come back to a seat */
    seq: number;
    block: number;
  };
  attestation: {
    jobId: bigint;
    fence: number;
    verifier: Hex;
    seat: number;
    attestedAtMs: bigint;
    seq: number;
    block: number;
  };
  eviction: {
    jobId: bigint;
    fence: number;
    provider: Hex;
    evictedAt: number;
    seq: number;
    block: number;
  };
  payout: {
    seq: number;
    line: number;
    jobId: bigint;
    checkpointId: bigint | null;
    kind: CreditKind;
    /** who may withdraw it */
    account: Hex;
    /** who earned it: the provider behind a payout wallet, else the account itself */
    party: Hex;
    amount: bigint;
    timestamp: number;
    block: number;
  };
  /** A dispute of an accepted checkpoint or an appeal against a refusal; a checkpoint has one at most. */
  challenge: {
    checkpointId: bigint;
    jobId: bigint;
    kind: ChallengeKind;
    state: ChallengeState;
    opener: Hex;
    bond: bigint;
    reasonHash: Hex;
    openedAt: number;
    arbiterUntil: number;
    closedAt: number | null;
    cutFrom: bigint | null;
    /** of the opening event */
    seq: number;
    block: number;
  };
  slashing: {
    seq: number;
    account: Hex;
    beneficiary: Hex;
    kind: SlashKind;
    jobId: bigint | null;
    amount: bigint;
    reserved: boolean;
    timestamp: number;
    block: number;
  };
  bondChange: {
    seq: number;
    account: Hex;
    /** Deposited, Reserved, Released, Slashed, Returned */
    kind: string;
    jobId: bigint | null;
    amount: bigint;
    bondAfter: bigint;
    reservedAfter: bigint;
    timestamp: number;
    block: number;
  };
  withdrawal: { seq: number; account: Hex; recipient: Hex; amount: bigint; timestamp: number; block: number };
  provider: {
    address: Hex;
    name: string;
    pricePerStep: bigint;
    payout: Hex;
    deviceHash: Hex;
    encryptionKey: Hex;
    /** self-reported */
    metadata: string;
    accepting: boolean;
    exitAt: number | null;
    exited: boolean;
    registeredAt: number;
    leaseCount: number;
    liveLeases: number;
    leaseSeconds: number;
    /** leases taken over from another provider, and lost to another by eviction, expiry or stall */
    takeOvers: number;
    handOvers: number;
    evictionCount: number;
    checkpointCount: number;
    stepsAccepted: number;
    stepsRefused: number;
    refusals: number;
    unavailable: number;
    stepsPaid: number;
    earned: bigint;
    owed: bigint;
    bondLost: bigint;
    lastActiveAt: number;
    block: number;
  };
  verifier: {
    address: Hex;
    verifierId: number;
    endpoint: string;
    encryptionKey: Hex;
    minFee: bigint;
    templateMask: number;
    status: VerifierStatus;
    activeFrom: number;
    /** fee and mask apply to draws from here on */
    termsFrom: number;
    exitAt: number | null;
    registeredAt: number;
    seatCount: number;
    sitting: number;
    voteCount: number;
    decided: number;
    disagreements: number;
    latencySum: number;
    latencyMax: number;
    missedSeats: number;
    faults: number;
    earned: bigint;
    bondLost: bigint;
    lastVoteAt: number | null;
    block: number;
  };
  /** A provider's standing on one job. */
  standing: { jobId: bigint; provider: Hex; barred: boolean; coolingUntil: number; block: number };
  template: { id: number; name: string; minVerifierFee: bigint; approved: boolean; jobs: number; block: number };
  jobConfig: { id: number; arbiter: Hex; treasury: Hex; namedAt: number; block: number };
  day: {
    /** days since 1970-01-01 UTC */
    day: number;
    events: number;
    jobsPosted: number;
    jobsSettled: number;
    checkpoints: number;
    stepsAccepted: number;
    stepsRefused: number;
    evictions: number;
    budgets: bigint;
    providerPay: bigint;
    verifierFees: bigint;
    protocolFees: bigint;
    refunds: bigint;
    slashed: bigint;
    withdrawn: bigint;
    block: number;
  };
  providerDay: {
    provider: Hex;
    day: number;
    stepsAccepted: number;
    stepsRefused: number;
    leases: number;
    leaseSeconds: number;
    earned: bigint;
    block: number;
  };
  verifierDay: {
    verifier: Hex;
    day: number;
    votes: number;
    disagreements: number;
    latencySum: number;
    earned: bigint;
    block: number;
  };
}
export type TableName = keyof Tables;
export type Row<T extends TableName> = Tables[T];

/** Primary keys. */
export const keys = {
  total: ["id"],
  journal: ["seq"],
  posting: ["seq", "line"],
  mention: ["address", "seq"],
  account: ["address"],
  job: ["id"],
  lease: ["jobId", "fence"],
  checkpoint: ["id"],
  vote: ["checkpointId", "verifier"],
  seat: ["jobId", "seat", "seq"],
  attestation: ["jobId", "fence", "verifier"],
  eviction: ["jobId", "fence"],
  payout: ["seq", "line"],
  challenge: ["checkpointId"],
  slashing: ["seq"],
  bondChange: ["seq"],
  withdrawal: ["seq"],
  provider: ["address"],
  verifier: ["address"],
  standing: ["jobId", "provider"],
  template: ["id"],
  jobConfig: ["id"],
  day: ["day"],
  providerDay: ["provider", "day"],
  verifierDay: ["verifier", "day"],
} as const satisfies { [T in TableName]: readonly (keyof Tables[T] & string)[] };

export type Key<T extends TableName> = Pick<Tables[T], (typeof keys)[T][number] & keyof Tables[T]>;

export const tableNames = Object.keys(keys) as TableName[];

/** Rows that are written once: their hash is enough to recognise them. */
export const appendOnly: ReadonlySet<TableName> = new Set([
  "journal",
  "posting",
  "mention",
  "payout",
  "slashing",
  "bondChange",
  "withdrawal",
  "jobConfig",
]);

/** A key as one string, for maps. */
export function keyText<T extends TableName>(table: T, key: Key<T>): string {
  return keys[table].map((column) => String(key[column as keyof Key<T>])).join(":");
}
