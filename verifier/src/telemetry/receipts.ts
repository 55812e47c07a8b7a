import type { Journal, Logger } from "@gpuchain/sdk/daemon";
import { canonicalJson } from "@gpuchain/sdk/records";
import type { LocalAccount } from "viem";
import type { BookJob, BookLease, JobBook } from "../chain/jobBook.ts";
import type { PulseHub } from "../pulse/hub.ts";

/** One hand-over of a run, as one seat saw it. Times are this verifier's wall clock in epoch milliseconds. */
export interface RecoveryReceipt {
  readonly version: 1;
  readonly chainId: number;
  readonly jobs: string;
  readonly job: string;
  /** the lease that ended, and the one that went on */
  readonly fence: number;
  readonly nextFence: number;
  readonly from: string;
  readonly to: string;
  readonly cause: string;
  /** last beat, end of the connection or, for other causes, the end of the lease */
  readonly silentAt: number;
  /** when this seat signed the eviction; null for other causes */
  readonly signedAt: number | null;
  readonly endedAt: number;
  readonly acquiredAt: number;
  readonly firstStepAt: number;
  readonly phases: {
    readonly silentToEnded: number;
    readonly endedToAcquired: number;
    readonly acquiredToFirstStep: number;
  };
  readonly endedBlock: number;
  readonly acquiredBlock: number;
  /** last step heard of from the old holder, and the step that the new one went on from */
  readonly lastStep: number | null;
  readonly resumedFrom: number;
  readonly stepsLost: number | null;
  /** base units of USDC that the hand-over itself moved: none, whatever the cause (a squatter's forfeit has its own event) */
  readonly moneyMoved: string;
  readonly verifier: string;
}

export interface SignedReceipt {
  readonly receipt: RecoveryReceipt;
  /** EIP-191 signature over the receipt's canonical JSON (RFC 8785) */
  readonly signature: string;
}

export interface Receipts {
  /** Notes what changed; called after every block. */
  review(): void;
  noteSigned(job: bigint, fence: bigint): void;
  of(job: bigint): SignedReceipt[];
  subscribe(listener: (receipt: SignedReceipt) => void): () => void;
}

type HandOver = {
  endedAt: number;
  silentAt: number;
  signedAt: number | undefined;
  lastStep: number | undefined;
  acquiredAt: number | undefined;
  next: BookLease | undefined;
};

/** Writes a signed receipt for every hand-over, from the end of one lease to the first step of the next. */
export function createReceipts({
  book,
  hub,
  journal,
  account,
  chainId,
  contract,
  log,
  now = Date.now,
}: {
  book: JobBook;
  hub: PulseHub;
  journal: Journal;
  account: LocalAccount;
  chainId: number;
  contract: string;
  log: Logger;
  now?: () => number;
}): Receipts {
  const open = new Map<string, HandOver>();
  const seen = new Set<string>();
  const signedAt = new Map<string, number>();
  const lastSteps = new Map<string, number>();
  const listeners = new Set<(receipt: SignedReceipt) => void>();
  const keyOf = (job: bigint, fence: bigint) => `${job}/${fence}`;

  const finish = async (job: BookJob, lease: BookLease, handOver: HandOver, firstStep: number): Promise<void> => {
    const { next, acquiredAt } = handOver;
    if (next === undefined || acquiredAt === undefined) return;
    const firstStepAt = now();
    const resumedFrom = firstStep - 1;
    const receipt: RecoveryReceipt = {
      version: 1,
      chainId,
      jobs: contract,
      job: String(job.id),
      fence: Number(lease.fence),
      nextFence: Number(next.fence),
      from: lease.provider,
      to: next.provider,
      cause: lease.cause ?? "None",
      silentAt: handOver.silentAt,
      signedAt: handOver.signedAt ?? null,
      endedAt: handOver.endedAt,
      acquiredAt,
      firstStepAt,
      phases: {
        silentToEnded: handOver.endedAt - handOver.silentAt,
        endedToAcquired: acquiredAt - handOver.endedAt,
        acquiredToFirstStep: firstStepAt - acquiredAt,
      },
      endedBlock: Number(lease.endedBlock ?? 0n),
      acquiredBlock: Number(next.acquiredBlock),
      lastStep: handOver.lastStep ?? null,
      resumedFrom,
      stepsLost: handOver.lastStep === undefined ? null : Math.max(0, handOver.lastStep - resumedFrom),
      moneyMoved: "0",
      verifier: book.self,
    };
    const signature = await account.signMessage({ message: canonicalJson(receipt) });
    const signed = { receipt, signature };
    journal.run(
      "INSERT INTO receipt (job, fence, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      receipt.job,
      String(lease.fence),
      JSON.stringify(signed),
    );
    log.info({ event: "receipt", ...receipt }, `the run moved from ${receipt.from} to ${receipt.to}`);
    for (const listener of listeners) listener(signed);
  };

  /** A step report under some fence: news of the old holder, or the first step of the new one. */
  const onStep = (jobId: bigint, fence: bigint, step: number): void => {
    const key = keyOf(jobId, fence);
    const first = !lastSteps.has(key);
    lastSteps.set(key, Math.max(step, lastSteps.get(key) ?? 0));
    if (!first) return;
    const job = book.jobs.get(jobId);
    for (const [openKey, handOver] of open) {
      if (handOver.next?.fence !== fence || !openKey.startsWith(`${jobId}/`)) continue;
      open.delete(openKey);
      const lease = job?.leases.get(BigInt(openKey.split("/")[1] ?? 0));
      if (job !== undefined && lease !== undefined)
        finish(job, lease, handOver, step).catch((error: unknown) =>
          log.warn({ err: error }, "receipt could not be written"),
        );
    }
  };

  hub.subscribe({
    onBeat: (address, { jobId, fence, step }) => {
      // Beats say how far the old holder got; the first step of a new one is told by its telemetry, step by step.
      if (jobId === undefined || fence === undefined || step === undefined) return;
      const key = keyOf(jobId, fence);
      const known = lastSteps.get(key);
      if (known !== undefined && book.jobs.get(jobId)?.leases.get(fence)?.provider === address)
        lastSteps.set(key, Math.max(known, step));
    },
    onTelemetry: (address, { jobId, fence, steps }) => {
      const lease = book.jobs.get(jobId)?.leases.get(fence);
      if (lease?.provider !== address) return;
      for (const { step } of steps) onStep(jobId, fence, step);
    },
  });

  let started = false;
  return {
    review() {
      // What ended before this process began to watch was seen by others.
      if (!started)
        for (const job of book.active())
          for (const { live, fence } of job.leases.values()) if (!live) seen.add(keyOf(job.id, fence));
      started = true;
      for (const job of book.active()) {
        for (const lease of job.leases.values()) {
          const key = keyOf(job.id, lease.fence);
          if (!lease.live && !seen.has(key)) {
            seen.add(key);
            const pulse = hub.pulse(lease.provider);
            const silentFor = pulse === undefined ? 0 : performance.now() - (pulse.closedAt ?? pulse.lastBeatAt);
            const endedAt = now();
            open.set(key, {
              endedAt,
              silentAt:
                lease.cause === "Evicted" || lease.cause === "Expired" ? Math.round(endedAt - silentFor) : endedAt,
              signedAt: signedAt.get(key),
              lastStep: lastSteps.get(key),
              acquiredAt: undefined,
              next: undefined,
            });
          }
        }
        // A node that sends no telemetry shows its first work by its first commit.
        for (const { fence, parent, step } of job.checkpoints.values())
          if (!lastSteps.has(keyOf(job.id, fence))) {
            onStep(job.id, fence, 1 + (parent === 0n ? 0 : (job.checkpoints.get(parent)?.step ?? 0)));
            lastSteps.set(keyOf(job.id, fence), step);
          }
        const current = book.lease(job);
        if (current === undefined) continue;
        const previous = open.get(keyOf(job.id, current.fence - 1n));
        if (previous !== undefined && previous.next === undefined) {
          previous.next = current;
          previous.acquiredAt = now();
        }
      }
    },
    noteSigned(job, fence) {
      const key = keyOf(job, fence);
      if (!signedAt.has(key)) signedAt.set(key, now());
    },
    of: (job) =>
      journal
        .all<{ body: string }>("SELECT body FROM receipt WHERE job = ? ORDER BY CAST(fence AS INTEGER)", String(job))
        .map(({ body }) => JSON.parse(body) as SignedReceipt),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
