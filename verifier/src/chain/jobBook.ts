import {
  type EndCause,
  endCauses,
  enumName,
  type FeedBlock,
  type GpuchainEvent,
  type GpuchainEventArgs,
} from "@gpuchain/sdk/chain";
import type { Hex } from "@gpuchain/sdk/records";
import type { KeepingLedger } from "../keeping/keepingLedger.ts";

export type JobTerms = GpuchainEventArgs<"JobPosted">["terms"];

export interface BookLease {
  readonly fence: bigint;
  /** lower case, like every address in this book */
  readonly provider: string;
  readonly price: bigint;
  readonly acquiredAt: number;
  readonly acquiredBlock: bigint;
  expiresAt: number;
  /** chain time of the last acquire, commit or renewal, in seconds */
  lastActionAt: number;
  renewals: number;
  live: boolean;
  cause: EndCause | undefined;
  endedAt: number | undefined;
  endedBlock: bigint | undefined;
}

export type BookCheckpointStatus =
  | "Pending"
  | "Accepted"
  | "Refused"
  | "Unavailable"
  | "Void"
  | "Orphaned"
  | "Paid"
  | "Cut"
  | "Final"
  | "Overturned";

export interface BookCheckpoint {
  readonly id: bigint;
  readonly index: bigint;
  readonly job: bigint;
  readonly fence: bigint;
  readonly provider: string;
  /** 0 is genesis */
  readonly parent: bigint;
  readonly step: number;
  readonly stateHash: Hex;
  readonly traceRoot: Hex;
  readonly commitBlock: bigint;
  readonly commitBlockHash: Hex;
  /** chain time, seconds */
  readonly committedAt: number;
  status: BookCheckpointStatus;
  /** since when its verdict clock runs; 0 while others are before it */
  judgeableAt: number;
  decidedAt: number | undefined;
  /** Refused: until when an appeal may open */
  appealUntil: number | undefined;
  readonly votes: Map<string, { outcome: number; metTarget: boolean }>;
}

export interface BookJob {
  readonly id: bigint;
  readonly client: string;
  readonly terms: JobTerms;
  status: "Open" | "Closing" | "Completed" | "Settled";
  deadline: number;
  drainUntil: number | undefined;
  judgedUntil: number | undefined;
  settledAt: number | undefined;
  contested: boolean;
  /** the last dispute that ended for the chain: when, and the newest checkpoint that it made mature */
  upheld: { at: number; throughId: bigint } | undefined;
  /** three addresses in seat order, once drawn */
  seats: readonly string[] | undefined;
  anchorBlock: bigint | undefined;
  /** 0 to 2: the seat being replaced */
  replacing: number | undefined;
  fence: bigint;
  readonly leases: Map<bigint, BookLease>;
  readonly checkpoints: Map<bigint, BookCheckpoint>;
  /** id of the accepted head; 0 is genesis */
  head: bigint;
  /** hashes that stand on chain: states and trace roots */
  readonly committed: Set<string>;
}

export interface BookVerifier {
  readonly address: string;
  readonly id: number;
  endpoint: string;
  /** X25519 */
  encryptionKey: Hex;
  active: boolean;
  /** it has asked for its exit */
  leaving: boolean;
}

const lower = (address: string): string => address.toLowerCase();
const indexOf = (checkpointId: bigint): bigint => checkpointId & 0xffffffffn;
/** Genesis may be named by 0 or by `jobId << 32`. */
const parentOf = (id: bigint): bigint => (indexOf(id) === 0n ? 0n : id);
const nil = `0x${"0".repeat(64)}`;

/**
 * The chain as this verifier knows it: a projection of all events so far, rebuilt from them after a reorganisation. Everything else in
 * the daemon acts on this state, not on single events, so that a restart, a gap or a repeat changes nothing.
 */
export class JobBook implements KeepingLedger {
  readonly jobs = new Map<bigint, BookJob>();
  readonly verifiers = new Map<string, BookVerifier>();
  /** jobs on which this verifier has or had a seat that still holds up its exit */
  readonly memberships = new Set<bigint>();
  readonly self: string;
  /** newest block applied */
  block = 0n;
  timestamp = 0;
  #applied: FeedBlock[] = [];

  constructor(self: string) {
    this.self = lower(self);
  }

  apply(block: FeedBlock): void {
    this.block = block.blockNumber;
    this.timestamp = Number(block.timestamp);
    if (block.events.length > 0) this.#applied.push(block);
    for (const event of block.events) this.#event(event, Number(block.timestamp));
    for (const job of this.jobs.values()) this.#expire(job);
  }

  /** Forgets everything after `block` and builds the rest anew. */
  rewind(block: bigint): void {
    const kept = this.#applied.filter(({ blockNumber }) => blockNumber <= block);
    this.#applied = [];
    this.jobs.clear();
    this.verifiers.clear();
    this.memberships.clear();
    for (const item of kept) this.apply(item);
    this.block = block;
  }

  /** Jobs that may still change. */
  active(): BookJob[] {
    return [...this.jobs.values()].filter(({ status }) => status !== "Settled");
  }

  checkpoint(id: bigint): BookCheckpoint | undefined {
    return this.jobs.get(id >> 32n)?.checkpoints.get(id);
  }

  lease(job: BookJob): BookLease | undefined {
    return job.leases.get(job.fence);
  }

  /** Own seat, 0 to 2, or undefined. */
  seatOf(job: BookJob, address = this.self): number | undefined {
    const seat = job.seats?.indexOf(lower(address)) ?? -1;
    return seat < 0 ? undefined : seat;
  }

  /**
   * Pending checkpoints that can still be accepted, in the order they were committed. Those behind a refused one are dead before the
   * chain says so: it passes over them lazily.
   */
  pending(job: BookJob): BookCheckpoint[] {
    const alive = new Set([job.head]);
    return [...job.checkpoints.values()].filter(({ id, parent, status }) => {
      if (status !== "Pending" || !alive.has(parent)) return false;
      alive.add(id);
      return true;
    });
  }

  /** When an accepted checkpoint matures unless it is contested, chain seconds; 0: it has matured by a ruling. */
  maturesAt(job: BookJob, { id, decidedAt = 0 }: BookCheckpoint): number {
    if (job.upheld !== undefined && id <= job.upheld.throughId) return 0;
    return Math.max(decidedAt, job.upheld?.at ?? 0) + job.terms.disputeWindow;
  }

  /** Whether a verdict on it counts now: nothing earlier is pending and its parent is the head. */
  isJudgeable(checkpoint: BookCheckpoint): boolean {
    const job = this.jobs.get(checkpoint.job);
    return job !== undefined && this.pending(job)[0]?.id === checkpoint.id && checkpoint.parent === job.head;
  }

  peersOf(job: BookJob): BookVerifier[] {
    return (job.seats ?? [])
      .filter((address) => address !== this.self)
      .map((address) => this.verifiers.get(address))
      .filter((verifier) => verifier !== undefined);
  }

  // KeepingLedger ---------------------------------------------------------------------------------------------------------------------

  job(id: bigint) {
    const job = this.jobs.get(id);
    return (
      job && {
        client: job.client,
        specHash: job.terms.specHash,
        genesisHash: job.terms.genesisHash,
        budget: job.terms.budget,
        settledAt: job.settledAt,
        seated: job.seats && this.seatOf(job) !== undefined,
      }
    );
  }

  isVerifier(address: string): boolean {
    return this.verifiers.has(lower(address));
  }

  fence(id: bigint, fence: bigint) {
    const job = this.jobs.get(id);
    const lease = job?.leases.get(fence);
    if (job === undefined || lease === undefined) return undefined;
    const pending = this.pending(job).some((checkpoint) => checkpoint.fence === fence);
    return {
      provider: lease.provider,
      state: lease.live ? ("live" as const) : pending ? ("pending" as const) : ("over" as const),
    };
  }

  isCommitted(job: bigint, hash: Hex): boolean {
    return this.jobs.get(job)?.committed.has(hash) ?? false;
  }

  // Events ----------------------------------------------------------------------------------------------------------------------------

  /** A lease whose time is over is over, whether or not a call has seen it. */
  #expire(job: BookJob): void {
    const lease = this.lease(job);
    if (!lease?.live || lease.expiresAt > this.timestamp) return;
    lease.live = false;
    lease.cause = "Expired";
    lease.endedAt = lease.expiresAt;
  }

  #decide(id: bigint, status: BookCheckpointStatus, at: number): BookCheckpoint | undefined {
    const checkpoint = this.checkpoint(id);
    if (checkpoint !== undefined) {
      checkpoint.status = status;
      checkpoint.decidedAt ??= at;
    }
    return checkpoint;
  }

  #event(event: GpuchainEvent, at: number): void {
    switch (event.eventName) {
      case "JobPosted": {
        const { jobId, client, terms } = event.args;
        this.jobs.set(jobId, {
          id: jobId,
          client: lower(client),
          terms,
          status: "Open",
          deadline: terms.deadline,
          drainUntil: undefined,
          judgedUntil: undefined,
          settledAt: undefined,
          contested: false,
          upheld: undefined,
          seats: undefined,
          anchorBlock: undefined,
          replacing: undefined,
          fence: 0n,
          leases: new Map(),
          checkpoints: new Map(),
          head: 0n,
          committed: new Set([terms.genesisHash]),
        });
        return;
      }
      case "CheckpointCommitted":
        this.#committed(event, at);
        return;
      case "VerdictCast": {
        const { checkpointId, verifier, outcome, metTarget } = event.args;
        this.checkpoint(checkpointId)?.votes.set(lower(verifier), { outcome, metTarget });
        return;
      }
      case "CheckpointAccepted": {
        const job = this.jobs.get(event.args.jobId);
        this.#decide(event.args.checkpointId, "Accepted", at);
        if (job !== undefined) job.head = event.args.checkpointId;
        return;
      }
      case "CheckpointRefused": {
        const checkpoint = this.#decide(event.args.checkpointId, "Refused", at);
        if (checkpoint !== undefined) checkpoint.appealUntil = event.args.appealUntil;
        return;
      }
      case "CheckpointUnavailable":
        this.#decide(event.args.checkpointId, "Unavailable", at);
        return;
      case "CheckpointVoided":
        this.#decide(event.args.checkpointId, "Void", at);
        return;
      case "CheckpointOrphaned":
        this.#decide(event.args.checkpointId, "Orphaned", at);
        return;
      case "CheckpointPaid":
        this.#decide(event.args.checkpointId, "Paid", at);
        return;
      case "RefusalFinal":
        this.#decide(event.args.checkpointId, "Final", at);
        return;
      case "RefusalOverturned":
        this.#decide(event.args.checkpointId, "Overturned", at);
        return;
      case "CheckpointJudgeable": {
        const checkpoint = this.checkpoint(event.args.checkpointId);
        if (checkpoint !== undefined) checkpoint.judgeableAt = event.args.judgeableAt;
        return;
      }
      case "ChainCut": {
        const job = this.jobs.get(event.args.jobId);
        if (job === undefined) return;
        for (const checkpoint of job.checkpoints.values())
          if (checkpoint.id >= event.args.fromId && checkpoint.status === "Accepted") checkpoint.status = "Cut";
        job.head = parentOf(event.args.headId);
        job.status = "Closing";
        job.contested = false;
        return;
      }
      case "VerifierRegistered": {
        const { verifier, verifierId, profile } = event.args;
        const address = lower(verifier);
        this.verifiers.set(address, {
          address,
          id: verifierId,
          endpoint: profile.endpoint,
          encryptionKey: profile.encryptionKey,
          active: true,
          leaving: false,
        });
        return;
      }
      case "VerifierUpdated": {
        const verifier = this.verifiers.get(lower(event.args.verifier));
        if (verifier === undefined) return;
        verifier.endpoint = event.args.profile.endpoint;
        verifier.encryptionKey = event.args.profile.encryptionKey;
        return;
      }
      case "VerifierSuspended":
      case "VerifierResumed": {
        const verifier = this.verifiers.get(lower(event.args.verifier));
        if (verifier !== undefined) verifier.active = event.eventName === "VerifierResumed";
        return;
      }
      case "ExitRequested": {
        const verifier = this.verifiers.get(lower(event.args.account));
        if (verifier !== undefined) Object.assign(verifier, { active: false, leaving: true });
        return;
      }
      case "Exited":
        this.verifiers.delete(lower(event.args.account));
        return;
      default:
        if ("jobId" in event.args) this.#jobEvent(event, at);
    }
  }

  #jobEvent(event: GpuchainEvent, at: number): void {
    const id = "jobId" in event.args ? event.args.jobId : undefined;
    const job = id === undefined ? undefined : this.jobs.get(id);
    if (job === undefined) return;
    switch (event.eventName) {
      case "SeatsAnchored":
        job.anchorBlock = BigInt(event.args.anchorBlock);
        job.replacing = event.args.seat < 3 ? event.args.seat : undefined;
        return;
      case "CommitteeSeated":
        job.seats = event.args.verifiers.map(lower);
        job.anchorBlock = undefined;
        if (this.seatOf(job) !== undefined) this.memberships.add(job.id);
        return;
      case "SeatReplaced":
        job.seats = job.seats?.with(event.args.seat, lower(event.args.verifier));
        job.anchorBlock = undefined;
        job.replacing = undefined;
        if (this.seatOf(job) !== undefined) this.memberships.add(job.id);
        return;
      case "SeatReleased":
        if (lower(event.args.verifier) === this.self) this.memberships.delete(job.id);
        return;
      case "LeaseAcquired": {
        const fence = BigInt(event.args.fence);
        job.fence = fence;
        job.leases.set(fence, {
          fence,
          provider: lower(event.args.provider),
          price: event.args.pricePerStep,
          acquiredAt: at,
          acquiredBlock: event.blockNumber,
          expiresAt: event.args.expiresAt,
          lastActionAt: at,
          renewals: 0,
          live: true,
          cause: undefined,
          endedAt: undefined,
          endedBlock: undefined,
        });
        return;
      }
      case "LeaseRenewed": {
        const lease = job.leases.get(BigInt(event.args.fence));
        if (lease === undefined) return;
        lease.expiresAt = event.args.expiresAt;
        lease.lastActionAt = at;
        lease.renewals++;
        return;
      }
      case "LeaseEnded": {
        const lease = job.leases.get(BigInt(event.args.fence));
        if (lease === undefined) return;
        lease.live = false;
        lease.cause = enumName(endCauses, event.args.cause);
        lease.endedAt = event.args.endedAt;
        lease.endedBlock = event.blockNumber;
        return;
      }
      case "JobCancelled":
        job.drainUntil = event.args.drainUntil;
        return;
      case "ChainContested":
        job.contested = true;
        job.drainUntil = event.args.drainUntil;
        return;
      case "ChainUpheld":
        job.contested = false;
        job.drainUntil = undefined;
        job.deadline = event.args.newDeadline;
        job.upheld = { at, throughId: event.args.throughId };
        return;
      case "JobClosing":
        job.status = "Closing";
        job.judgedUntil = event.args.judgedUntil;
        return;
      case "JobCompleted":
        job.status = "Completed";
        return;
      case "JobSettled":
        job.status = "Settled";
        job.settledAt = at;
        return;
      default:
        return;
    }
  }

  #committed(event: Extract<GpuchainEvent, { eventName: "CheckpointCommitted" }>, at: number): void {
    const { checkpointId, jobId, fence, parentId, step, stateHash, traceRoot, judgeableAt, expiresAt } = event.args;
    const job = this.jobs.get(jobId);
    const lease = job?.leases.get(BigInt(fence));
    if (job === undefined || lease === undefined) return;
    lease.expiresAt = expiresAt;
    lease.lastActionAt = at;
    job.committed.add(stateHash);
    if (traceRoot !== nil) job.committed.add(traceRoot);
    job.checkpoints.set(checkpointId, {
      id: checkpointId,
      index: indexOf(checkpointId),
      job: jobId,
      fence: BigInt(fence),
      provider: lease.provider,
      parent: parentOf(parentId),
      step,
      stateHash,
      traceRoot,
      commitBlock: event.blockNumber,
      commitBlockHash: event.blockHash,
      committedAt: at,
      status: "Pending",
      judgeableAt,
      decidedAt: undefined,
      appealUntil: undefined,
      votes: new Map(),
    });
  }
}
