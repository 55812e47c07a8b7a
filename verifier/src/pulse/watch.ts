import type { Logger } from "@gpuchain/sdk/daemon";
import type { BookJob, BookLease, JobBook } from "../chain/jobBook.ts";
import { goneAt } from "./goneAt.ts";
import type { PulseHub } from "./hub.ts";

export interface Gone {
  readonly job: BookJob;
  readonly lease: BookLease;
  readonly cause: string;
  /** ms of silence when it was decided */
  readonly silentMs: number;
}

export interface PulseWatchParameters {
  readonly book: JobBook;
  readonly hub: PulseHub;
  /** end of this process's own last stall, by `performance.now()` */
  readonly stallEnd: () => number;
  /** whether this verifier can trust what it sees: fresh chain, somebody else alive; the reason when not */
  readonly health: (job: BookJob) => Promise<{ ok: boolean; reason: string }>;
  /** whether the chain feed has caught up: before that a lease may be long over */
  readonly ready: () => boolean;
  /** milliseconds between blocks, as observed */
  readonly blockMs: () => number;
  readonly onGone: (gone: Gone) => void;
  readonly log: Logger;
  readonly now?: () => number;
}

export interface PulseWatch {
  /** Looks at all leases anew; called after every block and every edge of a pulse. */
  review(): void;
  close(): void;
}

/** A seat signs again while its node stays gone, because attestations age. */
const SIGN_AGAIN_MS = 5_000;
const UNHEALTHY_RETRY_MS = 250;

type Watched = {
  since: number;
  renewals: number;
  /** of the lease, on chain: what was signed before it is void */
  lastActionAt: number;
  renewedAt: number;
  signedAt: number;
  timer: NodeJS.Timeout | undefined;
  checking: boolean;
  toldUnhealthy: boolean;
};

/**
 * Watches the leaseholder of every job on which this verifier sits, and says when one counts as gone. Timers are set to the very moment
 * at which that becomes true, so nothing waits for a polling tick.
 */
export function createPulseWatch(parameters: PulseWatchParameters): PulseWatch {
  const { book, hub, log, now = () => performance.now() } = parameters;
  const watched = new Map<string, Watched>();

  const judge = (job: BookJob, lease: BookLease, entry: Watched) =>
    goneAt({
      pulse: hub.pulse(lease.provider),
      pulseTimeoutMs: job.terms.pulseTimeoutMs,
      watchedSince: entry.since,
      stallEnd: parameters.stallEnd(),
      renewedAt: entry.renewedAt,
      renewalGraceMs: Math.max(4 * job.terms.pulseTimeoutMs, 3 * parameters.blockMs()),
      inFlightMs: 2 * parameters.blockMs(),
    });

  const look = (job: BookJob, lease: BookLease, entry: Watched): void => {
    clearTimeout(entry.timer);
    const verdict = judge(job, lease, entry);
    const again = entry.signedAt === 0 ? 0 : entry.signedAt + SIGN_AGAIN_MS;
    const due = Math.max(verdict.at, again);
    const at = now();
    if (at < due) {
      entry.timer = setTimeout(() => look(job, lease, entry), Math.ceil(due - at));
      return;
    }
    if (!entry.checking) void decide(job, lease, entry, verdict);
  };

  const decide = async (job: BookJob, lease: BookLease, entry: Watched, verdict: ReturnType<typeof goneAt>) => {
    entry.checking = true;
    const health = await parameters.health(job).catch((error: unknown) => ({ ok: false, reason: String(error) }));
    entry.checking = false;
    if (watched.get(keyOf(job, lease)) !== entry || !lease.live) return;
    // The check took a moment, in which the node may have come back.
    const still = judge(job, lease, entry);
    if (still.at > now()) return look(job, lease, entry);
    if (!health.ok) {
      if (!entry.toldUnhealthy)
        log.warn(
          {
            event: "eviction.withheld",
            job: String(job.id),
            fence: Number(lease.fence),
            provider: lease.provider,
            reason: health.reason,
          },
          "the leaseholder looks gone, but this verifier cannot trust its own eyes",
        );
      entry.toldUnhealthy = true;
      entry.timer = setTimeout(() => look(job, lease, entry), UNHEALTHY_RETRY_MS);
      return;
    }
    entry.toldUnhealthy = false;
    entry.signedAt = now();
    parameters.onGone({ job, lease, cause: verdict.cause, silentMs: Math.round(now() - verdict.since) });
    look(job, lease, entry);
  };

  const review = (): void => {
    if (!parameters.ready()) return;
    const current = new Set<string>();
    for (const job of book.active()) {
      const lease = book.lease(job);
      if (!lease?.live || book.seatOf(job) === undefined) continue;
      const key = keyOf(job, lease);
      current.add(key);
      let entry = watched.get(key);
      if (entry === undefined) {
        entry = {
          since: now(),
          renewals: lease.renewals,
          lastActionAt: lease.lastActionAt,
          renewedAt: 0,
          signedAt: 0,
          timer: undefined,
          checking: false,
          toldUnhealthy: false,
        };
        watched.set(key, entry);
      }
      if (lease.renewals > entry.renewals) {
        entry.renewals = lease.renewals;
        entry.renewedAt = now();
      }
      // The last commit of a killed node is mined after its death, and may be newer than the seats' statements.
      if (lease.lastActionAt !== entry.lastActionAt) {
        entry.lastActionAt = lease.lastActionAt;
        entry.signedAt = 0;
      }
      look(job, lease, entry);
    }
    for (const [key, entry] of watched) {
      if (current.has(key)) continue;
      clearTimeout(entry.timer);
      watched.delete(key);
    }
  };

  const unsubscribe = hub.subscribe({
    onEdge: (address) => {
      const concerned = book.active().some((job) => book.lease(job)?.provider === address);
      if (concerned) review();
    },
  });
  return {
    review,
    close: () => {
      unsubscribe();
      for (const entry of watched.values()) clearTimeout(entry.timer);
      watched.clear();
    },
  };
}

const keyOf = (job: BookJob, lease: BookLease): string => `${job.id}/${lease.fence}`;
