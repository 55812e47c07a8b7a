// Over 150 lines: the node's states and the moves between them are kept in one place, where they can be read against the README's diagram.
import type { StepReport } from "@gpuchain/sdk/compute";
import { isGpuchainError, type Logger, sleep } from "@gpuchain/sdk/daemon";
import type { LogLine } from "@gpuchain/sdk/gateway";
import type { Hex } from "@gpuchain/sdk/records";
import type { ChainClock } from "./chain/chainClock.ts";
import type { JobTracker } from "./chain/jobTracker.ts";
import { isHeld, type JobView, leaseEndsAt } from "./chain/jobView.ts";
import type { Transactions } from "./chain/transactions.ts";
import type { NodeJournal } from "./journal/nodeJournal.ts";
import { type Bidder, bidAt } from "./lease/bidAt.ts";
import { createLeaseLog } from "./leaseLog.ts";
import type { Standby } from "./standby.ts";
import type { ComputeHost } from "./trainer/computeHost.ts";
import { type LeaseRun, startLeaseRun } from "./trainer/leaseRun.ts";
import type { Pulses } from "./uplink/pulses.ts";
import type { Sessions } from "./uplink/sessions.ts";
import { storeSegment } from "./uplink/storeSegment.ts";

export type NodeState = "idle" | "warming" | "training" | "committing" | "draining";

export interface WorkerParameters {
  readonly me: Bidder;
  readonly tracker: JobTracker;
  readonly clock: ChainClock;
  readonly transactions: Transactions;
  readonly journal: NodeJournal;
  readonly standby: Standby;
  readonly host: ComputeHost;
  readonly pulses: () => Pulses;
  readonly sessions: Sessions;
  readonly drainMs: number;
  /** why the owner's limits allow no work now, in words */
  readonly heldOff?: () => string | undefined;
  /** Frees what ended leases still hold of the bond; whether there was anything. */
  readonly freeBond: () => Promise<boolean>;
  /** hard end: nothing is finished any more */
  readonly signal: AbortSignal;
  /** @param tokens of a step, in a job that has any */
  readonly onStep: (run: LeaseRun, step: StepReport, tokens: number | undefined) => void;
  /** Takes a line of a lease's log for whoever follows the job. */
  readonly tell: (job: bigint, fence: bigint, line: LogLine) => void;
  readonly log: Logger;
}

export interface Worker {
  /** Looks at everything again: a block came, something became ready, a timer went off. */
  wake(touched?: Iterable<bigint>): void;
  /** Takes no new lease and gives back the one it has, after the work that pays. */
  drain(): Promise<void>;
  setPaused(paused: boolean): Promise<void>;
  /** a gateway's word that it is about to evict us, or links that went down */
  proveLife(job?: bigint): void;
  /** Gives the job at hand back for good: this machine is not for it. */
  leave(reason: string): void;
  readonly state: NodeState;
  readonly run: LeaseRun | undefined;
  /** what is waited for, for people, and until when in chain time */
  readonly waiting: { readonly for: string; readonly until?: number };
  /** the job that this node stands by for, or works on */
  readonly job: JobView | undefined;
}

/** Obstacles to a bid that time alone removes: how long they are given, in seconds of chain time. */
const OBSTACLES: Readonly<Record<string, number>> = {
  BondTooSmall: 60,
  GAS_LOW: 60,
  GAS_OVER_PAY: 60,
  NotOffering: 30,
  NoCommittee: 10,
  CoolingDown: 2,
};
/** How long a job is left alone whose training failed here, in chain time. */
const FAILED_REST_SECONDS = 600;
/** Obstacles that stay. */
const FOR_GOOD = new Set(["ProviderBarred", "NotEligible", "ClientCannotLease", "SeatedVerifierCannotLease"]);

export function createWorker(parameters: WorkerParameters): Worker {
  const { me, tracker, clock, transactions, journal, standby, host, sessions, signal, log } = parameters;
  let current: { run: LeaseRun; drained?: Promise<void>; ending?: Promise<void> } | undefined;
  let starting: bigint | undefined;
  let paused = journal.setting("paused") === "1";
  let stopping = false;
  let waiting: Worker["waiting"] = { for: "the chain" };
  let focus: bigint | undefined;
  let bidding = false;
  let timer: NodeJS.Timeout | undefined;
  let renewing = false;
  let lifeProvedAt = Number.NEGATIVE_INFINITY;
  const abandoned = new Set<string>();
  const heldBack = new Map<bigint, number>();
  /** jobs whose training failed here */
  const failedBefore = new Set<bigint>();
  const unseatedSince = new Map<bigint, bigint>();
  const attempts = new Map<string, number>();

  const isMine = (job: JobView) => job.lease.live && job.lease.provider === me.address;
  const key = (job: JobView) => `${job.id}:${job.lease.fence}`;

  // ----- looking around ------------------------------------------------------------------------------------------------

  const touched = new Set<bigint>();
  let looking = false;
  let again = false;
  const wake = (ids: Iterable<bigint> = []) => {
    for (const id of ids) touched.add(id);
    again = true;
    if (!looking && !signal.aborted) void look();
  };

  const look = async () => {
    looking = true;
    while (again && !signal.aborted) {
      again = false;
      const ids = [...touched];
      touched.clear();
      try {
        await Promise.all(ids.map((id) => tracker.refresh(id)));
        step();
      } catch (error) {
        for (const id of ids) touched.add(id);
        if (!signal.aborted) log.warn({ err: error }, "could not look at the jobs; trying again with the next block");
      }
    }
    looking = false;
  };

  const step = () => {
    if (current !== undefined) supervise(current);
    if (current !== undefined || starting !== undefined) return;
    const mine = tracker.active().find((job) => isMine(job) && !abandoned.has(key(job)));
    if (mine !== undefined && !signal.aborted) void adopt(mine);
    else standBy();
  };

  // ----- working -------------------------------------------------------------------------------------------------------

  /** A lease of ours that nobody serves yet: just acquired, or left by an earlier process. */
  const adopt = async (job: JobView) => {
    starting = job.id;
    focus = job.id;
    const { fence, price } = job.lease;
    journal.leaseAcquired({ job: job.id, fence, price, since: Math.floor(clock.now()) });
    pointPulses(job);
    const context = createLeaseLog(log, { job: job.id, fence }, (line) => parameters.tell(job.id, fence, line));
    try {
      const prepared = await standby.prepared(job);
      const { model, training } = prepared.spec;
      const tokens = "sequence" in model ? model.sequence * training.batch : undefined;
      const view = () => tracker.view(job.id) ?? job;
      if (!isMine(view()) || view().lease.fence !== fence) return;
      const run = startLeaseRun({
        job: job.id,
        fence,
        price,
        view,
        now: clock.now,
        traceInterval: prepared.spec.checkpoint.traceInterval,
        compute: () => host.open(job.id, prepared.request),
        chooseBase: async () => standby.chooseBase((await tracker.refresh(job.id)) ?? view()),
        files: prepared.files,
        journal,
        store: async (item, abort) => {
          const bytes = await prepared.files.read(item.state);
          if (bytes === undefined) throw new Error(`the state at step ${item.step} is gone from disk`);
          const began = performance.now();
          await storeSegment({
            job: job.id,
            fence,
            item,
            bytes,
            endpoints: () => view().seats.map(({ endpoint }) => endpoint),
            sessions,
            signal: AbortSignal.any([abort, signal]),
            log: context,
          });
          context.info(
            {
              event: "checkpoint.stored",
              step: item.step,
              stateHash: item.state,
              ms: Math.round(performance.now() - began),
            },
            `step ${item.step} stored by two seats`,
          );
        },
        commit: (item, parentId) =>
          transactions.commit({
            job: job.id,
            fence,
            parentId,
            step: item.step,
            stateHash: item.state,
            traceRoot: item.root,
            release: item.release,
            deadline: leaseEndsAt(view()),
          }),
        release: () => transactions.release(view()),
        onStep: (report) => {
          if (current !== undefined) parameters.onStep(current.run, report, tokens);
        },
        distrust: ({ stateHash }) => standby.distrust(stateHash),
        onLost: (reason, how) => {
          if (how === "leave") leaveToOthers(job.id, reason);
          if (how === "rest") restFrom(job.id, reason);
          void giveBack(job.id, fence, reason);
        },
        log: context,
      });
      current = { run };
      lifeProvedAt = clock.now();
      parameters.pulses().beat();
    } catch (error) {
      context.error({ err: error }, "this lease cannot be served");
      await giveBack(job.id, fence, "it cannot be served");
    } finally {
      starting = undefined;
      wake([job.id]);
    }
  };

  const leaveToOthers = (id: bigint, reason: string) => {
    log.warn({ event: "job.left", job: id.toString(), reason }, `this job is left to others: ${reason}`);
    standby.refuse(id, reason);
  };

  /** A lease that ends without a checkpoint costs bond: a job whose training does not work here is not leased again at once, nor a third time. */
  const restFrom = (id: bigint, reason: string) => {
    if (failedBefore.has(id)) leaveToOthers(id, reason);
    failedBefore.add(id);
    heldBack.set(id, clock.now() + FAILED_REST_SECONDS);
  };

  /** Ends work on a lease that the chain may still show as ours, and hands it back if so. */
  const giveBack = async (id: bigint, fence: bigint, reason: string) => {
    abandoned.add(`${id}:${fence}`);
    if (current?.run.job === id && current.run.fence === fence) await endRun(reason);
    try {
      const job = await tracker.refresh(id);
      if (job !== undefined && isMine(job) && job.lease.fence === fence) await transactions.release(job);
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: error, job: id.toString() }, "could not hand the lease back; it will expire");
    }
    wake([id]);
  };

  const endRun = async (reason: string) => {
    if (current === undefined) return;
    const ended = current;
    ended.ending ??= ended.run.end(reason);
    await ended.ending;
    if (current === ended) current = undefined;
    wake();
  };

  const supervise = (held: NonNullable<typeof current>) => {
    const { run } = held;
    const job = tracker.view(run.job);
    if (job === undefined || job.lease.fence !== run.fence || !isMine(job)) {
      void endRun("the lease is over");
      return;
    }
    pointPulses(job);
    run.onView();
    if ((stopping || paused || parameters.heldOff?.() !== undefined || job.draining) && held.drained === undefined)
      held.drained = run
        .drain(parameters.drainMs)
        .catch((error: unknown) => log.warn({ err: error }, "the lease could not be handed back; it will expire"))
        .finally(() => wake([job.id]));
    keepAlive(job);
    sweep(job);
    if (!job.drawn && job.seatsCallable) seat(job);
    waiting = { for: `step ${run.step} of ${job.terms.totalSteps}`, until: leaseEndsAt(job) };
  };

  /** A commit renews the lease; between far ones, and while the last verdicts are awaited, this does. */
  const keepAlive = (job: JobView) => {
    const { expiresAt } = job.lease;
    const blocks = clock.blockSeconds ?? 1;
    const margin = Math.max(job.terms.leaseDuration / 3, 2.5 * blocks);
    const isLow = expiresAt - clock.now() < margin;
    const seats = job.seats.map(({ endpoint }) => endpoint);
    const silent = seats.length > 0 && parameters.pulses().connected(seats) <= seats.length - 2;
    const proof = silent && clock.now() - lifeProvedAt > job.terms.leaseDuration / 3;
    if (isLow || proof) renew(job, isLow ? "it would expire" : "two seats cannot hear our pulse");
  };

  const renew = (job: JobView, why: string) => {
    if (renewing || job.draining || !isHeld(job, clock.now())) return;
    renewing = true;
    lifeProvedAt = clock.now();
    log.debug({ job: job.id.toString(), fence: job.lease.fence.toString() }, `renewing the lease: ${why}`);
    transactions
      .renew(job)
      .catch((error: unknown) => log.warn({ err: error, job: job.id.toString() }, "could not renew the lease"))
      .finally(() => {
        renewing = false;
        wake([job.id]);
      });
  };

  /** Verifiers seat themselves; where none does, the one who needs the seats helps. */
  const seat = (job: JobView) => {
    const since = unseatedSince.get(job.id) ?? tracker.block;
    unseatedSince.set(job.id, since);
    if (tracker.block < since + 3n) return;
    unseatedSince.set(job.id, tracker.block);
    transactions
      .seatCommittee(job.id, tracker.block)
      .catch((error: unknown) => log.debug({ err: error }, "somebody else seated the committee"))
      .finally(() => wake([job.id]));
  };

  // ----- standing by ---------------------------------------------------------------------------------------------------

  let dropped = 0;
  /** Frees the disk of what is left here of jobs that are over, of an earlier process's too. */
  const dropEnded = () => {
    if (tracker.settled === dropped) return;
    dropped = tracker.settled;
    standby
      .dropEnded(tracker.isSettled)
      .catch((error: unknown) => log.warn({ err: error }, "could not remove what is left of jobs that are over"));
  };

  const standBy = () => {
    clearTimeout(timer);
    dropEnded();
    const heldOff = parameters.heldOff?.();
    if (stopping || paused || heldOff !== undefined) {
      waiting = { for: stopping ? "the end" : paused ? "resume" : `the owner's limits: ${heldOff}` };
      focus = undefined;
      parameters.pulses().point([]);
      return;
    }
    const now = clock.now();
    const jobs = tracker.active().map((job) => {
      const unfit = standby.unfit(job.id);
      const until = Math.max(tracker.coolingUntil(job.id), heldBack.get(job.id) ?? 0);
      return { job, time: unfit === undefined ? bidAt(job, me, now, until) : { waitingFor: unfit } };
    });
    const options = jobs.filter(({ time }) => "at" in time || time.until !== undefined);
    // Those that can be made ready first; open jobs before held ones; then the one at hand, so that its graphs need not be compiled anew; then
    // the oldest.
    const rank = ({ job, time }: (typeof options)[number]) =>
      (standby.setback(job.id) === undefined ? 0 : 4) + ("at" in time ? 0 : 2) + (job.id === focus ? 0 : 1);
    const best = options.sort((a, b) => rank(a) - rank(b) || Number(a.job.id - b.job.id))[0];
    focus = best?.job.id;
    if (best === undefined) {
      const refused = jobs.at(-1);
      const why = refused !== undefined && "waitingFor" in refused.time ? refused.time.waitingFor : undefined;
      waiting = { for: why === undefined ? "a job that fits" : `a job that fits (job ${refused?.job.id}: ${why})` };
      parameters.pulses().point([]);
      return;
    }
    const { job, time } = best;
    pointPulses(job);
    standby.keep(job);
    sweep(job);
    if (!("at" in time)) {
      waiting = { for: time.waitingFor, ...(time.until === undefined ? {} : { until: time.until }) };
      if (time.until !== undefined) wakeAt(time.until);
      return;
    }
    waiting = standby.isReady(job) ? { for: `job ${job.id} at our price`, until: time.at } : { for: filesOf(job) };
    if (!standby.isReady(job) || bidding) return;
    const next = clock.nextTimestamp();
    if (time.at <= next) void bid(job, Math.max(Math.ceil(time.at), next));
    else wakeAt(time.at);
  };

  const filesOf = (job: JobView): string => {
    const setback = standby.setback(job.id);
    return `the files of job ${job.id}${setback === undefined ? "" : ` (${setback.reason})`}`;
  };

  /** For chains that make a block only when there is something to put into it. */
  const wakeAt = (timestamp: number) => {
    clearTimeout(timer);
    const inMs = Math.max(20, clock.reachedAt(timestamp) - clock.monotonicMs());
    timer = setTimeout(() => wake(), Math.min(inMs, 60_000));
  };

  const bid = async (job: JobView, at: number) => {
    bidding = true;
    const attempt = attempts.get(key(job)) ?? 0;
    attempts.set(key(job), attempt + 1);
    try {
      await transactions.assertAffordable(job, me.price);
      await transactions.acquire(job, standby.eligibility(job.id), at, attempt);
    } catch (error) {
      if (!signal.aborted) onBidFailed(job, attempt, error);
    } finally {
      bidding = false;
      wake([job.id]);
    }
  };

  const onBidFailed = (job: JobView, attempt: number, error: unknown) => {
    const bidFor = { job: job.id.toString(), fence: (job.lease.fence + 1n).toString(), attempt };
    const fields = { ...bidFor, err: error };
    const name = isGpuchainError(error) ? String(error.data.errorName ?? error.code) : "";
    if (FOR_GOOD.has(name)) {
      heldBack.set(job.id, Number.POSITIVE_INFINITY);
      log.warn(fields, "this job is not for us");
      return;
    }
    const wait = OBSTACLES[name];
    // Ended leases may hold what this one needs.
    if (name === "BondTooSmall") void freeBond(job);
    if (wait !== undefined) {
      heldBack.set(job.id, clock.now() + wait);
      log.warn(fields, "cannot take the lease now");
      return;
    }
    // Somebody was faster or cheaper, or the block came a second early: that is what an auction is.
    heldBack.set(job.id, clock.now() + Math.min(1, clock.blockSeconds ?? 1));
    log.info(
      { event: "lease.lost", ...bidFor, reason: name || String(error) },
      "another took the lease, or it was too early",
    );
  };

  const freeBond = async (job: JobView) => {
    try {
      if (!(await parameters.freeBond())) return;
      heldBack.delete(job.id);
      wake([job.id]);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, "could not free the bond of ended leases");
    }
  };

  // ----- both ----------------------------------------------------------------------------------------------------------

  const pointPulses = (job: JobView) => parameters.pulses().point(job.seats.map(({ endpoint }) => endpoint));

  let sweeping = false;
  let swept = "";
  const sweep = (job: JobView) => {
    const state = `${job.head.id}:${job.tail.id}`;
    if (sweeping || state === swept) return;
    sweeping = true;
    swept = state;
    const live = collectSegments(job);
    standby
      .sweep(job, live)
      .catch((error: unknown) => log.warn({ err: error }, "could not remove old states"))
      .finally(() => {
        sweeping = false;
      });
  };

  /** Forgets segments that lead to nothing any more; returns the states that the others name. */
  const collectSegments = (job: JobView): Set<Hex> => {
    const pending = job.pending.flatMap((id) => tracker.checkpoint(id)?.stateHash ?? []);
    const roots = new Set<Hex>([job.head.stateHash, ...pending]);
    const segments = journal.segments(job.id);
    for (let grew = true; grew; ) {
      grew = false;
      for (const parent of segments) {
        if (!roots.has(parent)) continue;
        for (const leaf of journal.leaves(job.id, parent)) {
          if (!leaf.checkpoint || roots.has(leaf.stateHash)) continue;
          roots.add(leaf.stateHash);
          grew = true;
        }
      }
    }
    for (const parent of segments) if (!roots.has(parent)) journal.dropSegment(job.id, parent);
    return new Set([...roots, ...journal.tracedStates(job.id), ...(current?.run.liveStates() ?? [])]);
  };

  const settled = async () => {
    while (current !== undefined || starting !== undefined) {
      if (signal.aborted) return;
      await current?.drained;
      // The chain says when it is over; a lease that could not be handed back expires.
      await sleep(50, signal).catch(() => undefined);
    }
  };

  return {
    wake,
    get state() {
      if (current === undefined) return starting === undefined ? "idle" : "warming";
      return current.run.phase === "ended" ? "idle" : current.run.phase;
    },
    get run() {
      return current?.run;
    },
    get waiting() {
      return waiting;
    },
    get job() {
      return focus === undefined ? undefined : tracker.view(focus);
    },
    proveLife(id) {
      const job = current === undefined ? undefined : tracker.view(current.run.job);
      if (job !== undefined && (id === undefined || id === job.id)) {
        if (id === undefined) keepAlive(job);
        else renew(job, "a seat is about to evict us");
      }
    },
    leave(reason) {
      const run = current?.run;
      if (run === undefined) return;
      leaveToOthers(run.job, reason);
      void giveBack(run.job, run.fence, reason);
    },
    async drain() {
      stopping = true;
      wake();
      await settled();
    },
    async setPaused(value) {
      paused = value;
      journal.set("paused", value ? "1" : "0");
      wake();
      if (value) await settled();
    },
  };
}
