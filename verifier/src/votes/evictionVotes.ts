import { type Deployment, isRevert, recoverEviction, signEviction } from "@gpuchain/sdk/chain";
import type { Journal, Logger } from "@gpuchain/sdk/daemon";
import { encodeWire, GatewayError, type SignedEvictionMessage } from "@gpuchain/sdk/gateway";
import type { LocalAccount } from "viem";
import type { BookJob, JobBook } from "../chain/jobBook.ts";
import type { Transactions } from "../chain/transactions.ts";
import type { Gone } from "../pulse/watch.ts";
import type { ChainClock } from "./chainClock.ts";
import type { Peers } from "./peers.ts";

export interface EvictionVotesParameters {
  readonly account: LocalAccount;
  readonly deployment: Deployment;
  readonly book: JobBook;
  readonly journal: Journal;
  readonly peers: Peers;
  readonly clock: ChainClock;
  readonly transactions: Transactions;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export interface EvictionVotes {
  /** This verifier has seen the leaseholder go: signs, tells the peers, and sends the pair once there is one. */
  sign(gone: Gone): Promise<void>;
  /** A peer's statement. @throws GatewayError when it is not signed by who it says */
  receive(message: SignedEvictionMessage): Promise<void>;
  /** Drops what no longer matters; called after every block. */
  review(): void;
}

/** An attestation is valid for 30 s of chain time; older ones are not sent. */
const VALID_MS = 25_000;
const MAX_LEASES = 10_000;
const LOWER_SEAT_MS = 60;

/** Collects seats' statements that a leaseholder is gone, and puts the first pair on chain. */
export function createEvictionVotes(parameters: EvictionVotesParameters): EvictionVotes {
  const { account, deployment, book, journal, peers, clock, transactions, signal, log } = parameters;
  const statements = new Map<string, Map<string, SignedEvictionMessage>>();
  const scheduled = new Map<string, NodeJS.Timeout>();
  const self = account.address.toLowerCase();
  const keyOf = (jobId: bigint, fence: number | bigint) => `${jobId}/${fence}`;

  const leaseOf = (jobId: bigint, fence: number) => {
    const job = book.jobs.get(jobId);
    const lease = job?.leases.get(BigInt(fence));
    return job !== undefined && lease?.live ? { job, lease } : undefined;
  };

  /** Fresh statements of sitting members about a lease that lives, in seat order. */
  const pair = (jobId: bigint, fence: number): SignedEvictionMessage[] => {
    const held = leaseOf(jobId, fence);
    if (held === undefined) return [];
    const now = BigInt(clock.nowMs());
    return [...(statements.get(keyOf(jobId, fence))?.values() ?? [])]
      .filter(({ verifier, attestedAt }) => {
        const after = BigInt(held.lease.lastActionAt) * 1000n;
        return book.seatOf(held.job, verifier) !== undefined && attestedAt > after && now - attestedAt < VALID_MS;
      })
      .sort((a, b) => (book.seatOf(held.job, a.verifier) ?? 0) - (book.seatOf(held.job, b.verifier) ?? 0))
      .slice(0, 2);
  };

  const send = async (jobId: bigint, fence: number): Promise<void> => {
    const evictions = pair(jobId, fence);
    if (evictions.length < 2) return;
    const fields = { job: String(jobId), fence, seats: evictions.map(({ verifier }) => verifier) };
    log.info({ event: "eviction.sent", ...fields }, "two seats agree that the leaseholder is gone");
    try {
      const { receipt } = await transactions.evictLease(jobId, fence, evictions);
      log.info(
        { event: "eviction.mined", ...fields, block: Number(receipt.blockNumber), hash: receipt.transactionHash },
        "lease evicted",
      );
    } catch (error) {
      if (signal.aborted) return;
      // The other seat's transaction was first, or the lease ended in the meantime: the book may hear of it after the receipt.
      if (isRevert(error)) await new Promise((resolve) => setTimeout(resolve, clock.blockMs));
      if (isRevert(error) && leaseOf(jobId, fence) === undefined)
        log.debug({ ...fields, err: error }, "the lease was over already");
      else log.warn({ ...fields, err: error }, "eviction failed");
    }
  };

  /**
   * The lower seat of the pair sends; another one a block later, if that did not help. A seat waits a moment for the seats below it,
   * which are about to see the same, so that not all of them pay for the same transaction.
   */
  const schedule = (job: BookJob, fence: number, waitedForLower = false): void => {
    const key = keyOf(job.id, fence);
    const evictions = pair(job.id, fence);
    if (evictions.length < 2 || scheduled.has(key)) return;
    const first = evictions[0]?.verifier === self;
    const seat = book.seatOf(job) ?? 0;
    const wait = first
      ? waitedForLower
        ? 0
        : seat * LOWER_SEAT_MS
      : Math.ceil((0.2 + Math.max(1, seat)) * clock.blockMs);
    const timer = setTimeout(() => {
      scheduled.delete(key);
      if (first && !waitedForLower && wait > 0) schedule(job, fence, true);
      else void send(job.id, fence);
    }, wait);
    scheduled.set(key, timer);
  };

  const keep = (message: SignedEvictionMessage): void => {
    const key = keyOf(message.jobId, message.fence);
    const known = statements.get(key) ?? new Map<string, SignedEvictionMessage>();
    const before = known.get(message.verifier);
    if (before === undefined || before.attestedAt < message.attestedAt) known.set(message.verifier, message);
    statements.delete(key);
    statements.set(key, known);
    if (statements.size > MAX_LEASES) statements.delete(statements.keys().next().value ?? "");
  };

  return {
    async sign({ job, lease, cause, silentMs }) {
      const fence = Number(lease.fence);
      const attestedAt = BigInt(Math.max(clock.nowMs(), lease.lastActionAt * 1000 + 1));
      const signed = await signEviction(deployment, account, { jobId: job.id, fence, attestedAt });
      const message: SignedEvictionMessage = { kind: "eviction", verifier: self as `0x${string}`, ...signed };
      journal.run(
        "INSERT INTO eviction (job, fence, attested_at, message) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        String(job.id),
        String(fence),
        String(attestedAt),
        encodeWire(message),
      );
      log.info(
        {
          event: "eviction.signed",
          job: String(job.id),
          fence,
          provider: lease.provider,
          attestedAt: Number(attestedAt),
          cause,
          silentMs,
        },
        "the leaseholder is gone",
      );
      keep(message);
      peers.broadcast(
        job,
        message,
        () => leaseOf(job.id, fence) !== undefined && clock.nowMs() - Number(attestedAt) < VALID_MS,
      );
      schedule(job, fence);
    },
    async receive(message) {
      const signer = (await recoverEviction(deployment, message)).toLowerCase();
      if (signer !== message.verifier || !book.isVerifier(signer))
        throw new GatewayError("FORBIDDEN", `This eviction is not signed by verifier ${message.verifier}.`, {
          status: 403,
        });
      log.debug(
        { job: String(message.jobId), fence: message.fence, verifier: signer },
        "a peer says the leaseholder is gone",
      );
      keep(message);
      const held = leaseOf(message.jobId, message.fence);
      if (held !== undefined && book.seatOf(held.job) !== undefined) schedule(held.job, message.fence);
    },
    review() {
      for (const [key, known] of statements) {
        const [first] = known.values();
        const job = first && book.jobs.get(first.jobId);
        const lease = first && job?.leases.get(BigInt(first.fence));
        if (lease !== undefined && !lease.live) {
          statements.delete(key);
          clearTimeout(scheduled.get(key));
          scheduled.delete(key);
        } else if (first !== undefined && job !== undefined) schedule(job, first.fence);
      }
    },
  };
}
