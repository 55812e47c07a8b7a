import { evidenceHashOf } from "@gpuchain/sdk/chain";
import { GpuchainError, type Journal, type Logger, sleep } from "@gpuchain/sdk/daemon";
import { type Evidence, evidenceSchema, type GateResult, GatewayError, type Interval } from "@gpuchain/sdk/gateway";
import type { Hex } from "@gpuchain/sdk/records";
import type { BookCheckpoint, BookJob, JobBook } from "../chain/jobBook.ts";
import type { Keeper } from "../keeping/keeper.ts";
import type { PulseHub } from "../pulse/hub.ts";
import type { VerdictVotes } from "../votes/verdictVotes.ts";
import type { BlobAccess } from "./blobAccess.ts";
import type { ComputeRoom } from "./computeRoom.ts";
import { type JobInputs, loadJobInputs, type OpenSealed } from "./jobInputs.ts";
import { judgeCheckpoint, wasReplayed } from "./judgeCheckpoint.ts";
import { type Judgement, NO_PREDICTIONS } from "./judgement.ts";

export interface JudgeRoomParameters {
  readonly book: JobBook;
  readonly journal: Journal;
  readonly keeper: Keeper;
  readonly blobs: BlobAccess;
  readonly hub: PulseHub;
  readonly compute: ComputeRoom;
  readonly votes: () => VerdictVotes;
  readonly openSealed?: OpenSealed;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly onJudged?: (checkpoint: BookCheckpoint, judgement: Judgement, ms: number) => void;
}

export interface JudgeRoom {
  /** Starts what there is to judge and signs what may be signed; called after every block. */
  review(): void;
  /** Judges one checkpoint without signing: for people who want to see for themselves. */
  judge(checkpoint: BookCheckpoint, signal: AbortSignal): Promise<Judgement>;
  evidence(checkpointId: bigint): Evidence | undefined;
  onPeerRefusal(checkpointId: bigint, interval: Interval): void;
  readonly running: number;
}

/** States that an audit asked for and that did not come within this time are recomputed. */
const STATES_MS = 20_000;
const BYTES_MS = 20_000;
const RETRY_MS = 3_000;
/** Errors that say the job itself is unfit, on whatever machine. */
const UNFIT = /^(?:BAD_\w+|GRAPH_MISMATCH|LAYOUT_MISMATCH)$/;

type Task = {
  readonly abort: AbortController;
  judgement: Judgement | undefined;
  signed: boolean;
};

/** Judges every pending checkpoint of the jobs on which this verifier sits: work starts at the commit, the signature waits for its turn. */
export function createJudgeRoom(parameters: JudgeRoomParameters): JudgeRoom {
  const { book, journal, keeper, blobs, hub, compute, log } = parameters;
  const tasks = new Map<bigint, Task>();
  /** of checkpoints whose judging broke off, how often */
  const failures = new Map<bigint, number>();
  const inputs = new Map<bigint, Promise<JobInputs>>();
  const warmed = new Set<bigint>();
  const peerIntervals = new Map<bigint, Interval[]>();
  /** leases whose work gave the same bits here when it was last replayed */
  const sameBits = new Set<string>();
  /** what was measured of each checkpoint that was judged here */
  const measured = new Map<bigint, NonNullable<GateResult["metrics"]>>();
  const sameBitsKey = ({ job, fence }: BookCheckpoint) => `${job}/${fence}`;

  const inputsOf = (job: BookJob): Promise<JobInputs> => {
    let loading = inputs.get(job.id);
    if (loading === undefined) {
      const openSealed = parameters.openSealed ? { openSealed: parameters.openSealed } : {};
      loading = loadJobInputs({ job, keeper, blobs, log, ...openSealed }, parameters.signal);
      inputs.set(job.id, loading);
      loading.then(
        ({ open }) => open.heldOutPath === undefined && inputs.delete(job.id),
        () => inputs.delete(job.id),
      );
    }
    return loading;
  };

  /** Fetches a job's data and compiles its graphs before the first checkpoint comes. */
  const warm = async (job: BookJob): Promise<void> => {
    if (warmed.has(job.id)) return;
    warmed.add(job.id);
    try {
      await compute.use(job.id, await inputsOf(job), async () => undefined);
    } catch (error) {
      warmed.delete(job.id);
      if (!parameters.signal.aborted)
        log.debug({ err: error, job: String(job.id) }, "the job's data is not complete yet");
    }
  };

  /** Tries until the bytes are here or the time is over. */
  const untilHere = async <T>(
    fetch: () => Promise<T>,
    deadline: number,
    signal: AbortSignal,
  ): Promise<T | undefined> => {
    for (let wait = 250; ; wait = Math.min(2_000, wait * 2)) {
      try {
        return await fetch();
      } catch (error) {
        if (signal.aborted || !(error instanceof GatewayError)) throw error;
        if (performance.now() + wait > deadline) return undefined;
        await sleep(wait, signal);
      }
    }
  };

  const statesOf =
    (job: BookJob, checkpoint: BookCheckpoint, signal: AbortSignal) => async (hashes: readonly Hex[]) => {
      const paths = new Map<Hex, string>();
      const collect = async (wanted: readonly Hex[]): Promise<Hex[]> => {
        const left: Hex[] = [];
        for (const hash of wanted) {
          const path = await blobs.local(hash);
          if (path === undefined) left.push(hash);
          else paths.set(hash, path);
        }
        return left;
      };
      let missing = await collect(hashes);
      if (missing.length === 0) return paths;
      const lease = job.leases.get(checkpoint.fence);
      // Nothing is asked of a leaseholder that was found gone.
      if (lease?.cause !== "Evicted") {
        const door = keeper.expectStates(job.id, checkpoint.fence, missing);
        try {
          const timeout = AbortSignal.any([signal, AbortSignal.timeout(STATES_MS)]);
          const request = { jobId: job.id, fence: checkpoint.fence, checkpointId: checkpoint.id, stateHashes: missing };
          await hub.requestStates(checkpoint.provider, request, timeout);
        } catch (error) {
          if (signal.aborted) throw error;
          log.info(
            { job: String(job.id), checkpoint: String(checkpoint.id) },
            "the provider did not send the asked states in time",
          );
        } finally {
          door.close();
        }
        missing = await collect(missing);
      }
      for (const sha256 of missing) {
        const request = { job, sha256, purpose: "state" as const, fence: checkpoint.fence };
        const path = await blobs
          .file(request, AbortSignal.any([signal, AbortSignal.timeout(3_000)]))
          .catch(() => undefined);
        signal.throwIfAborted();
        if (path !== undefined) paths.set(sha256, path);
      }
      return paths;
    };

  const judge = async (checkpoint: BookCheckpoint, signal: AbortSignal): Promise<Judgement> => {
    const job = book.jobs.get(checkpoint.job);
    if (job === undefined) throw new Error(`no job ${checkpoint.job}`);
    const started = performance.now();
    const fields = {
      job: String(job.id),
      fence: Number(checkpoint.fence),
      checkpoint: String(checkpoint.id),
      step: checkpoint.step,
    };
    log.info({ event: "judge.started", ...fields, provider: checkpoint.provider }, "judging");
    const deadline = started + Math.min(BYTES_MS, job.terms.verdictTimeout * 400);
    const unavailable = (what: string): Judgement => {
      const gate: GateResult = {
        gate: "integrity",
        ok: false,
        reason: `${what} not to be had from any verifier.`,
        ms: performance.now() - started,
      };
      logGate(fields, gate);
      return { outcome: "Unavailable", metTarget: false, score: 0, predictionsRoot: NO_PREDICTIONS, gates: [gate] };
    };

    const loaded = await untilHere(() => inputsOf(job), deadline, signal);
    if (loaded === undefined) return unavailable("The job's spec or data are");
    const { spec } = loaded;
    const bytes = { job, purpose: "checkpoint" as const };
    const statePath = await untilHere(
      () => blobs.file({ ...bytes, sha256: checkpoint.stateHash, fence: checkpoint.fence }, signal),
      deadline,
      signal,
    );
    if (statePath === undefined) return unavailable("The checkpoint's bytes are");
    const leaves = await untilHere(
      () => blobs.trace(job, checkpoint.fence, checkpoint.traceRoot, signal),
      deadline,
      signal,
    );
    if (leaves === undefined) return unavailable("The checkpoint's trace is");
    const parent = parentOf(checkpoint);
    const parentPath = await parentFile(parent, bytes, deadline, signal);
    if (parentPath === undefined) return unavailable("The parent's bytes are");

    const opened = await compute
      .use(job.id, loaded, async (_child, { heldOutExamples }) => ({ heldOutExamples }))
      .catch((error: unknown) => {
        // A job that does not open was never trained by anybody: that is no reason for a seat to stay silent.
        if (error instanceof GpuchainError && UNFIT.test(error.code)) return error;
        throw error;
      });
    if (opened instanceof GpuchainError)
      return unavailable(`The job cannot be opened (${opened.message}), so a judgement is`);
    const { heldOutExamples } = opened;
    const parentMetrics = parent && measured.get(parent.id);
    const judgement = await judgeCheckpoint({
      subject: {
        spec,
        step: checkpoint.step,
        stateHash: checkpoint.stateHash,
        commitBlockHash: checkpoint.commitBlockHash,
        parentStep: parent?.step ?? 0,
        statePath,
        parentPath,
        leaves,
        isLastStep: checkpoint.step === job.terms.totalSteps,
        heldOutExamples,
        ...(parentMetrics === undefined ? {} : { parentMetrics }),
      },
      use: (work) => compute.use(job.id, loaded, work),
      states: statesOf(job, checkpoint, signal),
      peerIntervals: () => peerIntervals.get(checkpoint.id) ?? [],
      onGate: (result) => logGate(fields, result),
      sameBits: sameBits.has(sameBitsKey(checkpoint)),
      signal,
    });
    noteBits(checkpoint, judgement);
    const metrics = judgement.gates.find(({ gate }) => gate === "quality")?.metrics;
    if (metrics !== undefined) measured.set(checkpoint.id, metrics);
    return judgement;
  };

  /** What the last replay of this lease's work tells of the next one. */
  const noteBits = (checkpoint: BookCheckpoint, { gates }: Judgement): void => {
    const replayed = gates.filter(({ gate }) => gate === "replay");
    if (replayed.length === 0) return;
    if (replayed.every(({ replayedHash, claimedHash }) => replayedHash === claimedHash))
      sameBits.add(sameBitsKey(checkpoint));
    else sameBits.delete(sameBitsKey(checkpoint));
  };

  const parentFile = async (
    parent: BookCheckpoint | undefined,
    bytes: { job: BookJob; purpose: "checkpoint" },
    deadline: number,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    if (parent === undefined) return "genesis";
    return untilHere(
      () => blobs.file({ ...bytes, sha256: parent.stateHash, fence: parent.fence }, signal),
      deadline,
      signal,
    );
  };

  const logGate = (fields: Record<string, unknown>, { gate, ok, reason, ms, metrics, ...detail }: GateResult): void => {
    log.info(
      { event: "gate", ...fields, gate, ok, reason, ms: Math.round(ms), ...detail, ...metrics },
      `${gate}: ${reason}`,
    );
  };

  const writeEvidence = (checkpoint: BookCheckpoint, judgement: Judgement): Hex => {
    const parent = checkpoint.parent === 0n ? undefined : book.checkpoint(checkpoint.parent);
    const self = book.self as Hex;
    const hash = evidenceHashOf(judgement.predictionsRoot, self, checkpoint.id);
    const evidence: Evidence = {
      checkpointId: String(checkpoint.id),
      jobId: String(checkpoint.job),
      fence: String(checkpoint.fence),
      step: checkpoint.step,
      stateHash: checkpoint.stateHash,
      traceRoot: checkpoint.traceRoot,
      parentHash: parent?.stateHash ?? (book.jobs.get(checkpoint.job)?.terms.genesisHash as Hex),
      commitBlock: String(checkpoint.commitBlock),
      commitBlockHash: checkpoint.commitBlockHash,
      verifier: self,
      outcome: judgement.outcome,
      metTarget: judgement.metTarget,
      score: judgement.score,
      predictionsRoot: judgement.predictionsRoot,
      evidenceHash: hash,
      gates: [...judgement.gates],
      judgedAt: Date.now(),
    };
    journal.run(
      "INSERT INTO evidence (checkpoint, body) VALUES (?, ?) ON CONFLICT (checkpoint) DO UPDATE SET body = excluded.body",
      String(checkpoint.id),
      JSON.stringify(evidence),
    );
    return hash;
  };

  const sign = async (checkpoint: BookCheckpoint, task: Task, judgement: Judgement): Promise<void> => {
    task.signed = true;
    try {
      const evidenceHash = writeEvidence(checkpoint, judgement);
      const { outcome, metTarget, score, refusedInterval } = judgement;
      await parameters.votes().sign(checkpoint, { outcome, metTarget, score, evidenceHash }, refusedInterval);
    } catch (error) {
      task.signed = false;
      if (!parameters.signal.aborted) log.error({ err: error, ...fieldsOf(checkpoint) }, "signing failed");
    }
  };

  const start = (checkpoint: BookCheckpoint): void => {
    const task: Task = { abort: new AbortController(), judgement: undefined, signed: false };
    tasks.set(checkpoint.id, task);
    const attempt = (failures.get(checkpoint.id) ?? 0) + 1;
    const started = performance.now();
    const signal = AbortSignal.any([parameters.signal, task.abort.signal]);
    judge(checkpoint, signal).then(
      (judgement) => {
        task.judgement = judgement;
        failures.delete(checkpoint.id);
        parameters.onJudged?.(checkpoint, judgement, performance.now() - started);
        review();
      },
      (error: unknown) => {
        if (signal.aborted) return;
        log.error({ err: error, ...fieldsOf(checkpoint), attempt }, "judging failed; trying again");
        failures.set(checkpoint.id, attempt);
        setTimeout(() => tasks.delete(checkpoint.id), RETRY_MS).unref();
      },
    );
  };

  /** What a vote can still count on: pending, or decided and not yet mature. */
  const isOpen = (job: BookJob, checkpoint: BookCheckpoint): boolean =>
    (checkpoint.status === "Accepted" || checkpoint.status === "Refused") &&
    !checkpoint.votes.has(book.self) &&
    book.timestamp < book.maturesAt(job, checkpoint);

  /** A peer's refusal may come after this verifier has judged and before it may sign. */
  const mustLookAgain = (checkpoint: BookCheckpoint, judgement: Judgement): boolean => {
    const whole = { fromStep: parentOf(checkpoint)?.step ?? 0, toStep: checkpoint.step };
    const asked = peerIntervals.get(checkpoint.id) ?? [];
    return judgement.outcome === "Accept" && asked.some((one) => !wasReplayed(judgement.gates, one, whole));
  };
  const parentOf = ({ parent }: BookCheckpoint) => (parent === 0n ? undefined : book.checkpoint(parent));

  const advance = (checkpoint: BookCheckpoint, task: Task): void => {
    const { judgement } = task;
    if (judgement === undefined || task.signed) return;
    if (checkpoint.status === "Pending" && !book.isJudgeable(checkpoint)) return;
    if (mustLookAgain(checkpoint, judgement)) start(checkpoint);
    else void sign(checkpoint, task, judgement);
  };

  const review = (): void => {
    const wanted = new Set<bigint>();
    for (const job of book.active()) {
      if (book.seatOf(job) === undefined) continue;
      if (job.status === "Open") void warm(job);
      for (const checkpoint of book.pending(job)) {
        wanted.add(checkpoint.id);
        const task = tasks.get(checkpoint.id);
        if (task === undefined) start(checkpoint);
        else advance(checkpoint, task);
      }
    }
    for (const [id, task] of tasks) {
      if (wanted.has(id)) continue;
      const checkpoint = book.checkpoint(id);
      const job = book.jobs.get(id >> 32n);
      if (checkpoint !== undefined && job !== undefined && isOpen(job, checkpoint)) advance(checkpoint, task);
      else {
        // Its parent fell, or it is settled without this verifier: what is half done is of no use.
        task.abort.abort(new Error("decided meanwhile"));
        tasks.delete(id);
        failures.delete(id);
        peerIntervals.delete(id);
      }
    }
  };

  return {
    review,
    judge,
    get running() {
      return [...tasks.values()].filter(({ judgement }) => judgement === undefined).length;
    },
    evidence(checkpointId) {
      const row = journal.get<{ body: string }>("SELECT body FROM evidence WHERE checkpoint = ?", String(checkpointId));
      return row && evidenceSchema.parse(JSON.parse(row.body));
    },
    onPeerRefusal(checkpointId, interval) {
      const known = peerIntervals.get(checkpointId) ?? [];
      if (known.length < 6) peerIntervals.set(checkpointId, [...known, interval]);
    },
  };
}

const fieldsOf = (checkpoint: BookCheckpoint) => ({
  job: String(checkpoint.job),
  fence: Number(checkpoint.fence),
  checkpoint: String(checkpoint.id),
});
