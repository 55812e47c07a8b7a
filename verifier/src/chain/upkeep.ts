import type { GpuchainClient } from "@gpuchain/sdk/chain";
import { isRevert } from "@gpuchain/sdk/chain";
import type { Logger } from "@gpuchain/sdk/daemon";
import type { BookJob, JobBook } from "./jobBook.ts";
import type { Transactions } from "./transactions.ts";

export interface UpkeepParameters {
  readonly book: JobBook;
  readonly read: Pick<GpuchainClient["read"], "getPayOutStatus" | "isClosable" | "getSeats">;
  readonly transactions: Transactions;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export interface Upkeep {
  /** Looks for steps that are due; called after every block. */
  review(): void;
}

/** Mature checkpoints that make a payout worth its gas before the job ends. */
const PAY_OUT_BATCH = 8;
/** A provider does not wait longer than this for what has matured, in seconds. */
const PAY_OUT_AFTER = 600;
/** Jobs whose end nothing announces are looked at this often, in seconds. */
const LOOK_EVERY = 30;

/**
 * Takes the steps that anyone may take and nobody would otherwise: drawing seats, closing, paying out, settling refusals, replacing silent
 * seats. All verifiers run it; they take turns by block, so that one transaction is sent and the others are there when it is not.
 */
export function createUpkeep({ book, read, transactions, signal, log }: UpkeepParameters): Upkeep {
  const due = new Map<string, bigint>();
  const busy = new Set<string>();
  const lookedAt = new Map<bigint, number>();

  /** Blocks that this verifier lets pass before it acts: its place in an order that differs from job to job. */
  const turn = (job: BookJob): bigint => {
    const roster = (
      job.seats ?? [...book.verifiers.values()].filter(({ active }) => active).map(({ address }) => address)
    ).toSorted();
    const place = roster.indexOf(book.self);
    if (place < 0) return BigInt(roster.length);
    return (BigInt(place) - (job.id % BigInt(roster.length)) + BigInt(roster.length)) % BigInt(roster.length);
  };

  /** Calls `act` once `name` has been due for this verifier's turn. */
  const when = (name: string, job: BookJob, act: () => Promise<unknown>): void => {
    const since = due.get(name) ?? book.block;
    due.set(name, since);
    if (book.block < since + turn(job) || busy.has(name)) return;
    busy.add(name);
    act()
      .then(() => log.info({ event: "upkeep", job: String(job.id), step: name }, "done"))
      .catch((error: unknown) => {
        if (signal.aborted) return;
        // Another party was first, or the chain disagrees about the time: looked at again with a later block.
        if (isRevert(error)) log.debug({ err: error, step: name }, "not due after all");
        else log.warn({ err: error, step: name }, "upkeep failed");
      })
      .finally(() => {
        busy.delete(name);
        due.delete(name);
      });
  };

  const settle = async (job: BookJob): Promise<void> => {
    const { mature, settles } = await read.getPayOutStatus({ jobId: job.id });
    const waiting = [...job.checkpoints.values()].filter(({ status }) => status === "Accepted");
    const since = waiting[0] === undefined ? book.timestamp : book.maturesAt(job, waiting[0]);
    const old = book.timestamp - since > PAY_OUT_AFTER;
    if (!settles && mature < PAY_OUT_BATCH && !(mature > 0n && old)) return;
    // The cursor moves with each payout, so the first unpaid checkpoint and the status name the occasion.
    const occasion = `${waiting[0]?.index ?? 0n}-${job.checkpoints.size}-${job.status}`;
    when(`pay:${job.id}:${occasion}`, job, () => transactions.payOut(job.id, occasion));
  };

  const lookAround = async (job: BookJob): Promise<void> => {
    if (job.status === "Open" && (await read.isClosable({ jobId: job.id })))
      when(`close:${job.id}`, job, () => transactions.close(job.id));
    if (book.seatOf(job) === undefined) return;
    const { seats } = await read.getSeats({ jobId: job.id });
    for (const [seat, view] of seats.entries()) {
      if (!view.replaceable || view.verifier.toLowerCase() === book.self) continue;
      const occasion = `${view.verifier}-${book.pending(job)[0]?.id ?? 0n}`;
      when(`replace:${job.id}:${seat}`, job, () => transactions.replaceSeat(job.id, seat, occasion));
    }
  };

  const review = (job: BookJob): void => {
    const now = book.timestamp;
    if (job.anchorBlock !== undefined && book.block > job.anchorBlock) {
      const { anchorBlock, replacing } = job;
      if (job.seats === undefined) when(`seat:${job.id}`, job, () => transactions.seatCommittee(job.id, anchorBlock));
      else if (replacing !== undefined)
        when(`seat:${job.id}:${replacing}`, job, () =>
          transactions.replaceSeat(job.id, replacing, `draw-${anchorBlock}`),
        );
    }
    for (const { id, status, appealUntil } of job.checkpoints.values())
      if (status === "Refused" && appealUntil !== undefined && now >= appealUntil)
        when(`settle:${id}`, job, () => transactions.settleRefusal(id));

    const drained = job.status === "Open" && job.drainUntil !== undefined && now >= job.drainUntil;
    const over = job.status === "Open" && now >= job.deadline + job.terms.gracePeriod;
    const leaseOver = job.drainUntil !== undefined && !book.lease(job)?.live;
    const mayPay =
      job.status !== "Open" ||
      [...job.checkpoints.values()].some(
        (checkpoint) => checkpoint.status === "Accepted" && now >= book.maturesAt(job, checkpoint),
      );
    const longAgo = now - (lookedAt.get(job.id) ?? now - LOOK_EVERY) >= LOOK_EVERY;
    if (longAgo) lookedAt.set(job.id, now);
    const look = async (): Promise<void> => {
      if (drained || over || leaseOver || longAgo) await lookAround(job);
      if (mayPay) await settle(job);
    };
    look().catch((error: unknown) => {
      if (!signal.aborted) log.debug({ err: error, job: String(job.id) }, "could not look at the job");
    });
  };

  /** A verifier that leaves gives its seats back as soon as it may: its unbonding time begins with the last of them. */
  const giveSeatsBack = (): void => {
    if (!book.verifiers.get(book.self)?.leaving) return;
    for (const id of book.memberships) {
      const job = book.jobs.get(id);
      if (job === undefined || (job.status !== "Settled" && book.seatOf(job) !== undefined)) continue;
      const votes = book.pending(job)[0]?.votes;
      if (votes?.has(book.self)) continue;
      when(`release-seats:${id}`, job, () => transactions.releaseSeats(id));
    }
  };

  return {
    review() {
      for (const job of book.active()) review(job);
      giveSeatsBack();
    },
  };
}
