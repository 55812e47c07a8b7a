// What the model of the money rules remembers. Accounts and jobs go by name; money is in base units of USDC, times are seconds.

export type Outcome = "Accept" | "Refuse" | "Unavailable";
export type CheckpointStatus = "Pending" | "Accepted" | "Refused" | "Appealed" | "Final" | "Overturned" | "Dropped";

export interface Account {
  wallet: bigint;
  claimable: bigint;
  bond: bigint;
  reserved: bigint;
}

export interface Provider {
  payout: string;
  price: bigint;
  exitAt?: number;
  gone?: boolean;
}

export interface Verifier {
  status: "active" | "suspended" | "exiting" | "gone";
  exitAt?: number;
}

export interface Vote {
  seat: number;
  verifier: string;
  outcome: Outcome;
  metTarget: boolean;
}

export interface Checkpoint {
  lease: number;
  /** position in the job's list, from 1; 0 is genesis */
  parent: number;
  step: number;
  steps: number;
  offSchedule: boolean;
  status: CheckpointStatus;
  decidedAt: number;
  votes: Vote[];
  paid?: boolean;
}

export interface Lease {
  provider: string;
  price: bigint;
  acquiredAt: number;
  lastActionAt: number;
  expiresAt: number;
  /** from here the segment's clock runs; undefined while the queue is full */
  segmentStart: number | undefined;
  commits: number[];
  ended?: "passive" | "other";
  /** what it still holds of its provider's bond */
  held: bigint;
  released?: boolean;
  refusalWaits?: boolean;
}

export interface Seat {
  verifier: string;
  seatedAt: number;
}

export interface Challenge {
  kind: "dispute" | "appeal";
  opener: string;
  openedAt: number;
  bond: bigint;
  open: boolean;
}

export interface Terms {
  totalSteps: number;
  interval: number;
  maxPrice: bigint;
  fee: bigint;
  leaseDuration: number;
  segmentTimeout: number;
  ramp: number;
  verdictTimeout: number;
  deadline: number;
  grace: number;
  window: number;
  budget: bigint;
}

export interface Job {
  client: string;
  terms: Terms;
  deadline: number;
  status: "Open" | "Closing" | "Completed" | "Settled";
  locked: bigint;
  openSince: number;
  cancelled?: boolean;
  /** a round of fees is due if nothing is committed until the end */
  roundDue?: boolean;
  closedAt?: number;
  metTarget?: boolean;
  /** the anchor of the first draw, and who could be drawn then */
  anchor?: { block: number; candidates: string[] };
  seats: Seat[];
  /** everybody who ever held a seat; true once the seat was given back */
  members: Record<string, boolean>;
  replacing?: { seat: number; block: number; candidates: string[] } | undefined;
  leases: Lease[];
  evictedInBlock?: number;
  checkpoints: Checkpoint[];
  head: number;
  /** when the checkpoint at the front of the queue came to be judged */
  judgeableAt: number;
  barred: string[];
  evictions: Record<string, number>;
  coolingUntil: Record<string, number>;
  contested?: { from: number; since: number } | undefined;
  /** when the last dispute was ruled for the chain */
  ruledAt?: number;
  /** accepted checkpoints up to here are mature whatever their window */
  maturedThrough: number;
  cutFrom?: number;
  nextToPay: number;
  providerPay: bigint;
  challenges: Record<number, Challenge>;
}

export interface Limits {
  minVerifierBond: bigint;
  appealWindow: number;
  arbiterPeriod: number;
  unbondingPeriod: number;
  longCoolDown: number;
  shortCoolDown: number;
}

export interface State {
  now: number;
  block: number;
  accounts: Record<string, Account>;
  providers: Record<string, Provider>;
  verifiers: Record<string, Verifier>;
  jobs: Job[];
}
