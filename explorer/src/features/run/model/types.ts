/** The state of one run at one moment, as told by chain events (facts) and by what workers said of themselves. */

export type EndCause = "released" | "expired" | "stalled" | "evicted" | "refused" | "unavailable" | "jobClosed";
export type Outcome = "accept" | "refuse" | "unavailable";
export type CheckpointStatus =
  | "pending"
  | "accepted"
  | "paid"
  | "refused"
  | "final"
  | "overturned"
  | "unavailable"
  | "void"
  | "orphaned"
  | "cut";

export interface Moment {
  /** ms into the run */
  readonly t: number;
  readonly block: number;
  readonly tx: string;
}

export interface LeaseInfo {
  readonly fence: number;
  readonly provider: string;
  readonly price: bigint;
  readonly start: Moment;
  /** seconds of chain time */
  expiresAt: number;
  end: (Moment & { cause: EndCause }) | undefined;
  /** ms into the run of its last commit */
  lastCommitT: number | undefined;
}

export interface Vote {
  readonly verifier: string;
  readonly seat: number;
  readonly outcome: Outcome;
  readonly metTarget: boolean;
  /** 1e-6 of the template's metric */
  readonly score: number;
  readonly evidenceHash: string;
  readonly at: Moment;
}

/** One gate's finding by one verifier, as it said. */
export interface Finding {
  readonly t: number;
  readonly verifier: string;
  readonly gate: "integrity" | "replay" | "quality";
  readonly ok: boolean;
  readonly reason: string | undefined;
  readonly interval: { from: number; to: number } | undefined;
  readonly distance: { params: number; m: number } | undefined;
  readonly limit: { params: number; m: number } | undefined;
  readonly committed: string | undefined;
  readonly replayed: string | undefined;
  readonly accuracy: number | undefined;
  readonly balancedAccuracy: number | undefined;
  readonly nll: number | undefined;
}

export interface CheckpointInfo {
  readonly id: string;
  readonly index: number;
  readonly parentId: string;
  readonly step: number;
  /** step of its parent: it covers (from, step] */
  readonly from: number;
  readonly fence: number;
  readonly provider: string;
  readonly stateHash: string;
  readonly traceRoot: string;
  readonly committed: Moment;
  status: CheckpointStatus;
  votes: Vote[];
  findings: Finding[];
  decided: Moment | undefined;
  /** owed to its provider once accepted */
  pay: bigint;
  paid: Moment | undefined;
  appealUntil: number | undefined;
}

export interface RunMoney {
  budget: bigint;
  credited: { providerPay: bigint; verifierFee: bigint; cancelFee: bigint; protocolFee: bigint; refund: bigint };
  /** base units by account, from this job's budget */
  byAccount: Map<string, bigint>;
  /** rounds and other forfeits that came out of bonds because of this job */
  slashed: { account: string; to: string; amount: bigint; kind: number; at: Moment }[];
}

export interface Receipt {
  readonly t: number;
  readonly cause: EndCause;
  readonly from: string;
  readonly to: string | undefined;
  readonly fence: number;
  readonly nextFence: number | undefined;
  readonly phases: readonly { name: string; ms: number }[];
  readonly atStep: number | undefined;
  readonly resumedFrom: number | undefined;
  readonly stepsLost: number | undefined;
  /** worked out by this page from events, or measured and told by a worker */
  readonly told: boolean;
}

export type Tone = "plain" | "good" | "bad";

/** A moment worth a mark on the timeline. */
export interface KeyEvent {
  readonly t: number;
  readonly title: string;
  readonly detail: string;
  readonly tone: Tone;
  readonly tx: string | undefined;
  /** 0: changes the run's course; 1: worth a line; 2: routine */
  readonly rank: 0 | 1 | 2;
}

export interface LogLine {
  /** its place in the run's log */
  readonly n: number;
  readonly t: number;
  readonly source: string;
  readonly text: string;
  readonly tone: Tone;
}

export type JobStatus = "unposted" | "open" | "draining" | "closing" | "completed" | "settled";

export interface RunState {
  t: number;
  block: number | undefined;
  /** seconds, the newest block's own */
  timestamp: number | undefined;
  /** `t` of the newest block */
  blockT: number;
  status: JobStatus;
  client: string | undefined;
  metTarget: boolean | undefined;
  seats: readonly string[];
  leases: LeaseInfo[];
  checkpoints: CheckpointInfo[];
  headStep: number;
  openSince: number | undefined;
  barred: Set<string>;
  money: RunMoney;
  receipts: Receipt[];
  pulses: Map<
    string,
    { verifier: string; provider: string; state: string; since: number; lastBeatT: number | undefined }
  >;
  phases: Map<string, { phase: string; since: number }>;
  faults: { t: number; fault: string; party: string; step: number | undefined; text: string | undefined }[];
  events: KeyEvent[];
  log: LogLine[];
  reserves: { held: bigint; owed: bigint; block: number; t: number } | undefined;
}

/** What a run is, before anything happens in it. */
export interface RunMeta {
  readonly jobId: string;
  readonly title: string;
  readonly steps: number;
  readonly interval: number;
  readonly budget: bigint;
  readonly maxPrice: bigint;
  readonly verifierFee: bigint;
  /** seconds */
  readonly leaseDuration: number;
  readonly segmentTimeout: number;
  readonly auctionRamp: number;
  readonly pulseTimeoutMs: number;
  readonly client: string;
  readonly specHash: string;
  readonly blockTimeMs: number;
  readonly chainName: string;
  /** labels by lower-case address; a provider's index (1…) picks its texture */
  readonly parties: ReadonlyMap<string, Party>;
}

export interface Party {
  readonly address: string;
  readonly role: "client" | "provider" | "verifier" | "treasury" | "arbiter";
  readonly name: string;
  readonly description: string | undefined;
  readonly device: string | undefined;
  /** 1, 2, 3 … for providers in order of appearance, 0 for everybody else */
  readonly index: number;
  readonly price: bigint | undefined;
  readonly payout: string | undefined;
}
