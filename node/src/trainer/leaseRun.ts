// Over 150 lines because one lease is one story: base, segments, commits, voids and drain share the state that is kept here.
import type { Compute, StepReport, TracePoint, TrainingRun } from "@gpuchain/sdk/compute";
import { backoff, isGpuchainError, type Logger, sleep } from "@gpuchain/sdk/daemon";
import type { Hex } from "@gpuchain/sdk/records";
import { type CheckpointView, isCheckpointStep, type JobView, leaseEndsAt, MAX_PENDING } from "../chain/jobView.ts";
import type { JournalLeaf, NodeJournal } from "../journal/nodeJournal.ts";
import { type CommitItem, type CommitQueue, type Committed, createCommitQueue } from "./commitQueue.ts";
import { recoverSegments, type Segment } from "./recoverSegments.ts";
import type { StateFiles } from "./stateFiles.ts";

export type RunPhase = "warming" | "training" | "committing" | "draining" | "ended";

export interface LeaseRunParameters {
  readonly job: bigint;
  readonly fence: bigint;
  readonly price: bigint;
  /** the job as it stood at the newest block read */
  readonly view: () => JobView;
  /** chain time now, in seconds */
  readonly now: () => number;
  readonly traceInterval: number;
  /** the training process with this job open; a dead one is replaced */
  readonly compute: () => Promise<Compute>;
  /** the newest checkpoint on which this lease may build and whose bytes are here, checked */
  readonly chooseBase: () => Promise<CheckpointView>;
  /** Training on this checkpoint of another lease gave numbers that are none: the next base is to be another. */
  readonly distrust: (base: CheckpointView) => void;
  readonly files: StateFiles;
  readonly journal: NodeJournal;
  readonly store: (item: CommitItem, signal: AbortSignal) => Promise<void>;
  readonly commit: (item: CommitItem, parentId: bigint) => Promise<{ id: bigint; block: bigint }>;
  readonly release: () => Promise<void>;
  readonly onStep: (step: StepReport) => void;
  /**
   * The lease cannot be served any longer although the chain still shows it as ours.
   *
   * @param job where the training does not work: `rest` from it for a while, or `leave` it for good
   */
  readonly onLost: (reason: string, job?: "rest" | "leave") => void;
  readonly log: Logger;
}

export interface LeaseRun {
  readonly job: bigint;
  readonly fence: bigint;
  readonly phase: RunPhase;
  /** last finished step */
  readonly step: number;
  /** commits of this lease, mined */
  readonly commits: number;
  /** states that must stay on disk: what is not yet committed, and the segments' trace points */
  liveStates(): Set<Hex>;
  /** something about the job changed on chain */
  onView(): void;
  /** finishes what pays, releases the lease; resolves when the lease is over or the time is up */
  drain(timeoutMs: number): Promise<void>;
  /** the lease is over: stops at the next step boundary, commits nothing more */
  end(reason: string): Promise<void>;
}

/** Without a step for this long, or for many times the slowest step so far, the training process counts as hung. */
const HUNG_MS = 120_000;
const HUNG_STEPS = 30;
/** A process that does not stop at its next step boundary within this time is ended. */
const STOP_MS = 30_000;
/** Failed starts of the training process in a row, after which the lease is given back. */
const MAX_FAILURES = 4;
const LEASE_OVER = new Set([
  "StaleFence",
  "LeaseExpired",
  "NotHolder",
  "LeaseNotLive",
  "WrongStatus",
  "DeadlinePassed",
]);
const DISK_FULL_WAIT_MS = 500;
const PARENT_GONE = new Set(["WrongParent", "WrongStep"]);

/**
 * Trains under one lease from its base to the last step. Checkpoints go to the chain by themselves while training goes on; when the work
 * below is voided it starts again from the newest checkpoint that stands.
 */
export function startLeaseRun(parameters: LeaseRunParameters): LeaseRun {
  const { job, fence, price, view, files, journal, log } = parameters;
  const waits = backoff({ baseMs: 200, maxMs: 5_000 });
  const abort = new AbortController();
  let phase: RunPhase = "warming";
  let step = 0;
  let commits = 0;
  let failures = 0;
  /** rises with every new base: what older runs still report is ignored */
  let generation = 0;
  let run: TrainingRun | undefined;
  let active: Compute | undefined;
  let watchdog: NodeJS.Timeout | undefined;
  let slowestMs = 0;
  let queue: CommitQueue | undefined;
  let segment: { parent: Hex; parentStep: number; leaves: JournalLeaf[] } | undefined;
  let unsaved: JournalLeaf[] = [];
  let saveTimer: NodeJS.Timeout | undefined;
  /** the newest checkpoint of our line, and the block from which the chain must know it */
  let tip: { id: bigint; block: bigint } = { id: 0n, block: 0n };
  let paused = false;
  let draining = false;
  const stepWatchers = new Set<() => void>();
  const viewWatchers = new Set<() => void>();

  const { totalSteps } = view().terms;
  const isOver = () => phase === "ended";

  const save = () => {
    clearTimeout(saveTimer);
    saveTimer = undefined;
    if (segment !== undefined && unsaved.length > 0) journal.appendLeaves(job, segment.parent, unsaved);
    unsaved = [];
  };

  const pushSegment = (finished: Segment, release = false) => {
    const item = queue?.push(finished, release);
    if (item === undefined) return;
    journal.recordCheckpoint({
      job,
      fence,
      step: item.step,
      parent: item.parent,
      state: item.state,
      root: item.root,
      steps: item.step - item.parentStep,
      price,
    });
    steer();
  };

  const onTrace = (point: TracePoint) => {
    if (segment === undefined || isOver()) return;
    const checkpoint = isCheckpointStep(view().terms, point.leaf.step);
    const leaf = { ...point.leaf, checkpoint };
    segment.leaves.push(leaf);
    unsaved.push(leaf);
    if (!checkpoint) {
      // Many tiny steps share one write; what a crash takes of it is trained again.
      saveTimer ??= setTimeout(save, 100);
      return;
    }
    save();
    const finished = segment;
    segment = { parent: leaf.stateHash, parentStep: leaf.step, leaves: [] };
    pushSegment(finished);
  };

  const onCommitted = (committed: Committed, current: boolean) => {
    commits++;
    if (current) tip = { id: committed.id, block: committed.block };
    journal.checkpointCommitted({ job, fence, step: committed.step, state: committed.state }, committed.id);
    log.info(
      {
        event: "checkpoint.committed",
        checkpoint: committed.id.toString(),
        step: committed.step,
        stateHash: committed.state,
        block: Number(committed.block),
      },
      `checkpoint at step ${committed.step} committed`,
    );
    steer();
  };

  const onCommitFailed = (error: unknown, item: CommitItem) => {
    if (isOver()) return;
    const name = isGpuchainError(error) ? String(error.data.errorName ?? error.code) : "";
    if (LEASE_OVER.has(name) || name === "INTENT_EXPIRED" || name === "SEATS_REFUSE") {
      log.warn({ err: error, step: item.step }, `step ${item.step} cannot be committed: the lease is over`);
      parameters.onLost(name);
      return;
    }
    const why = PARENT_GONE.has(name) ? "what this work builds on no longer stands" : "the commit failed";
    log.warn({ err: error, step: item.step }, `${why}; starting again from the newest checkpoint`);
    // Nothing can be sent before it is journalled.
    void restart(generation, name === "DISK_FULL" ? DISK_FULL_WAIT_MS : 0);
  };

  /** Holds training while the queue is full, so that no more work is at risk than the chain can take. */
  const steer = () => {
    const ahead = (queue?.size ?? 0) + view().pending.length;
    const hold = ahead >= MAX_PENDING;
    if (hold !== paused) {
      paused = hold;
      if (hold) run?.pause();
      else run?.resume();
      watch();
      log.debug({ ahead }, hold ? "training holds: the queue of undecided checkpoints is full" : "training goes on");
    }
    if (phase === "training" || phase === "committing") phase = step >= totalSteps || hold ? "committing" : "training";
  };

  const room = async (item: CommitItem, signal: AbortSignal) => {
    const most = item.release ? MAX_PENDING : MAX_PENDING - 1;
    while (view().pending.length > most) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        viewWatchers.add(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  };

  let builtOn: CheckpointView | undefined;
  const begin = async (): Promise<void> => {
    const mine = ++generation;
    const base = await parameters.chooseBase();
    if (mine !== generation || isOver()) return;
    builtOn = base;
    const found = await recoverSegments(
      ...([journal, files, job] as const),
      { hash: base.stateHash, step: base.step },
      { traceInterval: parameters.traceInterval, checkpointInterval: view().terms.checkpointInterval, totalSteps },
    );
    const compute = await parameters.compute();
    if (mine !== generation || isOver()) return;
    tip = { id: base.index === 0 ? 0n : base.id, block: 0n };
    queue = createCommitQueue({
      baseId: tip.id,
      store: parameters.store,
      room,
      commit: (item, parentId) => parameters.commit(item, parentId),
      onCommitted: (committed) => onCommitted(committed, mine === generation),
      onFailed: (error, item) => {
        if (mine === generation) onCommitFailed(error, item);
      },
      log,
    });
    segment = { ...found.current, leaves: [...found.current.leaves] };
    unsaved = [];
    paused = false;
    step = found.resume.step;
    phase = draining ? "draining" : "training";
    log.info(
      {
        event: "train.resumed",
        fromStep: found.resume.step,
        parent: base.id.toString(),
        parentStep: base.step,
        stateHash: found.resume.state,
      },
      `training from step ${found.resume.step}, on ${base.index === 0 ? "genesis" : `checkpoint ${base.index}`}`,
    );
    for (const finished of found.finished) pushSegment(finished);
    if (step >= totalSteps) return;
    const started = compute.train({
      parentPath: found.resume.step === 0 ? "genesis" : files.path(found.resume.state),
      toStep: totalSteps,
      traceInterval: parameters.traceInterval,
      checkpointInterval: view().terms.checkpointInterval,
      outDir: files.directory,
      onStep: (report) => {
        if (mine !== generation || isOver()) return;
        step = report.step;
        slowestMs = Math.max(slowestMs, report.ms);
        watch();
        parameters.onStep(report);
        for (const watcher of stepWatchers) watcher();
      },
      onTrace: (point) => {
        if (mine !== generation) return;
        // Progress that lasts: what comes before a trace point is lost with the process.
        failures = 0;
        onTrace(point);
      },
    });
    run = started;
    active = compute;
    watch();
    steer();
    started.done.then(
      () => {
        clearTimeout(watchdog);
        steer();
      },
      (error: unknown) => {
        clearTimeout(watchdog);
        if (mine === generation) onTrainFailed(error, mine);
      },
    );
  };

  /** Every state has a timed exit: a process that takes no step any more is ended, which fails its run, which starts another. */
  const watch = () => {
    clearTimeout(watchdog);
    if (paused || isOver()) return;
    watchdog = setTimeout(
      () => {
        log.warn({ step }, "no training step for too long; ending the training process");
        void active?.close();
      },
      Math.max(HUNG_MS, HUNG_STEPS * slowestMs),
    );
    watchdog.unref();
  };

  /** Stops the run at its next step boundary, or ends its process when that does not come. */
  const halt = async (how: { trace?: boolean } = {}) => {
    clearTimeout(watchdog);
    if (run === undefined) return;
    const late = setTimeout(() => void active?.close(), STOP_MS);
    try {
      await run.stop(how);
    } finally {
      clearTimeout(late);
    }
  };

  const onTrainFailed = (error: unknown, mine: number) => {
    if (isOver()) return;
    if (isGpuchainError(error, "NOT_FINITE")) {
      if (builtOn === undefined || builtOn.index === view().head.index || builtOn.fence === fence) {
        parameters.onLost(`its training does not stay finite: ${error.message}`, "leave");
        return;
      }
      // A tip that nobody has judged yet may be anything.
      log.warn(
        { err: error, checkpoint: builtOn.id.toString() },
        "what this work builds on is not sound; going on from the head",
      );
      parameters.distrust(builtOn);
      void restart(mine);
      return;
    }
    failures++;
    log.warn({ err: error, attempt: failures }, "training stopped; starting it again from the last trace point");
    if (failures >= MAX_FAILURES) {
      const why = error instanceof Error ? `: ${error.message}` : "";
      parameters.onLost(`training failed ${failures} times in a row${why}`, "rest");
      return;
    }
    void restart(mine, waits.next());
  };

  /** Goes on from the newest checkpoint that stands, with whatever of our own work still fits on it. */
  const restart = async (mine: number, waitMs = 0): Promise<void> => {
    if (mine !== generation || isOver()) return;
    generation++;
    save();
    queue?.close("the work below no longer stands");
    phase = "warming";
    try {
      // A commit that is being mined decides what the newest checkpoint is; a step that is running would report late.
      await Promise.allSettled([halt(), queue?.idle()]);
      if (waitMs > 0) await sleep(waitMs, abort.signal);
      beginning = begin();
      await beginning;
    } catch (error) {
      onTrainFailed(error, generation);
    }
  };

  /** Whether the newest checkpoint of our line can still be accepted, as the chain stands. */
  const stands = (now: JobView): boolean => {
    // Read before our last commit was mined: it says nothing about it.
    if (now.block < tip.block) return true;
    if (now.head.fence === fence || now.tail.fence === fence) return true;
    return tip.id === 0n ? now.head.index === 0 : tip.id === now.head.id || now.pending.includes(tip.id);
  };

  const onView = () => {
    for (const watcher of viewWatchers) watcher();
    viewWatchers.clear();
    if (isOver() || phase === "warming") return;
    steer();
    if (stands(view())) return;
    log.warn({ checkpoint: tip.id.toString() }, "what this work builds on was refused; going on from the head");
    void restart(generation);
  };

  const untilStep = (target: number, until: number) =>
    new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        stepWatchers.delete(check);
        abort.signal.removeEventListener("abort", finish);
        resolve();
      };
      const check = () => {
        if (step >= target) finish();
      };
      const timer = setTimeout(finish, Math.max(0, until - performance.now()));
      stepWatchers.add(check);
      abort.signal.addEventListener("abort", finish, { once: true });
      check();
    });

  const drain = async (timeoutMs: number): Promise<void> => {
    if (isOver() || draining) return;
    draining = true;
    const leaseLeftMs = Math.max(0, (leaseEndsAt(view()) - parameters.now()) * 1000);
    // A job that is itself draining takes no renewal; otherwise the lease is kept alive while this goes on.
    const until = performance.now() + (view().draining ? Math.min(timeoutMs, leaseLeftMs) : timeoutMs);
    const inTime = <T>(work: Promise<T>) =>
      Promise.race([work, sleep(Math.max(0, until - performance.now()), abort.signal).catch(() => undefined)]);
    await inTime(beginning);
    if (isOver()) return;
    phase = "draining";
    const round = 3n * view().terms.verifierFee;
    const payable = Number((round + price - 1n) / price);
    // A lease that ends with nothing committed forfeits part of its bond: train up to the first step that pays its own round.
    const isEmpty = commits === 0 && !view().lease.committed && queue?.size === 0;
    if (isEmpty && segment !== undefined) await untilStep(Math.min(segment.parentStep + payable, totalSteps), until);
    await halt({ trace: true }).catch((error: unknown) => log.warn({ err: error }, "training ended while draining"));
    if (isOver()) return;
    save();
    const last = segment?.leaves.at(-1);
    const pays = segment && last && BigInt(last.step - segment.parentStep) * price >= round;
    if (segment && pays) {
      const rest = segment;
      segment = { parent: last.stateHash, parentStep: last.step, leaves: [] };
      pushSegment(rest, true);
    }
    const committed = await inTime(
      (queue?.idle() ?? Promise.resolve()).then(
        () => true,
        (error: unknown) => {
          log.warn({ err: error }, "not everything could be committed");
          return false;
        },
      ),
    );
    if (isOver() || (pays && committed)) return;
    await parameters.release();
  };

  const end = async (reason: string): Promise<void> => {
    if (isOver()) return;
    phase = "ended";
    save();
    generation++;
    abort.abort();
    queue?.close(reason);
    for (const watcher of viewWatchers) watcher();
    viewWatchers.clear();
    await halt().catch((error: unknown) => log.debug({ err: error }, "the training process was gone already"));
  };

  let beginning: Promise<void> = begin().catch((error: unknown) => onTrainFailed(error, generation));

  return {
    job,
    fence,
    get phase() {
      return phase;
    },
    get step() {
      return step;
    },
    get commits() {
      return commits;
    },
    liveStates: () => new Set([...journal.tracedStates(job), ...(segment?.leaves ?? []).map((leaf) => leaf.stateHash)]),
    onView,
    drain,
    end,
  };
}
