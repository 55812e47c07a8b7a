import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FileBlobStore } from "@gpuchain/sdk/blobs";
import { isGpuchainError, type Logger, sleep } from "@gpuchain/sdk/daemon";
import { type BlobSource, fetchBlob } from "@gpuchain/sdk/gateway";
import type { Hex } from "@gpuchain/sdk/records";
import type { CheckpointView, JobView } from "./chain/jobView.ts";
import { createSetbacks, isJobsFault, type Setback } from "./setbacks.ts";
import type { ComputeHost } from "./trainer/computeHost.ts";
import { type PreparedJob, prepareJob } from "./trainer/prepareJob.ts";

export interface StandbyParameters {
  readonly data: string;
  /** this node's address, lower case */
  readonly self: string;
  readonly blobs: FileBlobStore;
  readonly host: ComputeHost;
  /** where a job's bytes may be had: its seats, or every verifier before there are any */
  readonly sources: (job: JobView) => Promise<readonly BlobSource[]>;
  readonly fetch?: typeof fetch;
  readonly signal: AbortSignal;
  readonly monotonicMs: () => number;
  /** the most memory that training may take, in bytes */
  readonly memoryBytes: number;
  /** something became ready, or is to be looked at again */
  readonly onReady: () => void;
  readonly log: Logger;
}

/** What makes taking over cost milliseconds: a job's files, its compiled graphs and its newest states, all here before they are needed. */
export interface Standby {
  /** Brings the job's files, graphs, head and tip here; returns at once and reports by `onReady`. */
  keep(job: JobView): void;
  /** whether the job could be trained this moment: spec, data, graphs and a parent are here */
  isReady(job: JobView): boolean;
  /** what shows the chain that this node may lease the job, once it is ready; empty where anybody may */
  eligibility(job: bigint): readonly Hex[];
  /** why this node leaves the job to others */
  unfit(job: bigint): string | undefined;
  /** what stood in the way of making it ready, while it is left alone because of it */
  setback(job: bigint): Setback | undefined;
  /** Leaves the job to others from now on. */
  refuse(job: bigint, reason: string): void;
  /** Waits until the job is open in the training process. @throws GpuchainError `JOB_UNFIT` or what stood in the way */
  prepared(job: JobView): Promise<PreparedJob>;
  /** The newest checkpoint on which a lease may build and whose bytes are here: the tip, else the head. */
  chooseBase(job: JobView): Promise<CheckpointView>;
  /** Builds on this state no more. */
  distrust(state: Hex): void;
  /** Drops states that no one needs any more; `live` are those of our own work. */
  sweep(job: JobView, live: ReadonlySet<Hex>): Promise<void>;
  /** Removes the states of jobs that are over; `isOver` says which are. */
  dropEnded(isOver: (job: bigint) => boolean): Promise<void>;
}

const MAX_STATE_BYTES = 64 * 2 ** 30;
const RETRY_MS = 1_000;
/** Tries that fail before people are told: what is missing at first mostly comes a moment later. */
const TELL_AFTER = 3;
/** Resuming from the head now beats resuming from the tip later. */
const TIP_PATIENCE_MS = 4_000;

export function createStandby(parameters: StandbyParameters): Standby {
  const { host, log, signal, sources, monotonicMs } = parameters;
  const setbacks = createSetbacks(monotonicMs);
  const prepared = new Map<bigint, Promise<PreparedJob>>();
  const opened = new Map<bigint, PreparedJob>();
  const unfit = new Map<bigint, string>();
  /** states that are here and were checked in this process */
  const present = new Set<Hex>();
  const fetching = new Map<Hex, Promise<boolean>>();
  /** tips that no seat would give: the head has to do */
  const givenUp = new Set<Hex>();
  /** tips on which training gave numbers that are none */
  const unsound = new Set<Hex>();
  let keeping: bigint | undefined;

  const fetchFrom = async (job: JobView, hash: Hex, maxBytes: number) =>
    fetchBlob(hash, await sources(job), { maxBytes, signal, ...(parameters.fetch ? { fetch: parameters.fetch } : {}) });

  const prepare = (job: JobView): Promise<PreparedJob> => {
    const known = prepared.get(job.id);
    if (known !== undefined) return known;
    const task = prepareJob(job, {
      blobs: parameters.blobs,
      data: parameters.data,
      self: parameters.self,
      memoryBytes: parameters.memoryBytes,
      fetchBlob: (hash, maxBytes) => fetchFrom(job, hash, maxBytes),
    });
    prepared.set(job.id, task);
    task.catch((error: unknown) => {
      prepared.delete(job.id);
      leaveIfUnfit(job, error);
    });
    return task;
  };

  const leaveIfUnfit = (job: JobView, error: unknown) => {
    if (!isJobsFault(error) || unfit.has(job.id)) return;
    const { message } = error as Error;
    const reason = isGpuchainError(error, "JOB_UNFIT") ? message : `this job is left to others: ${message}`;
    unfit.set(job.id, reason);
    log.warn({ event: "job.left", job: job.id.toString(), reason }, reason);
  };

  const open = async (job: JobView): Promise<PreparedJob> => {
    const ready = await prepare(job);
    try {
      await host.open(job.id, ready.request);
    } catch (error) {
      leaveIfUnfit(job, error);
      throw error;
    }
    opened.clear();
    opened.set(job.id, ready);
    return ready;
  };

  /** Whether the state is here, fetching it if need be. */
  const ensure = (job: JobView, { index, step, stateHash }: CheckpointView): Promise<boolean> => {
    if (index === 0 || present.has(stateHash)) return Promise.resolve(true);
    const running = fetching.get(stateHash);
    if (running !== undefined) return running;
    const task = (async () => {
      const { files } = await prepare(job);
      if (!(await files.verify(stateHash))) {
        const began = performance.now();
        try {
          await files.write(stateHash, await fetchFrom(job, stateHash, MAX_STATE_BYTES));
        } catch (error) {
          log.debug({ job: job.id.toString(), step, err: error }, "this checkpoint's bytes are not to be had now");
          return false;
        }
        log.debug({ job: job.id.toString(), step, ms: Math.round(performance.now() - began) }, "checkpoint fetched");
      }
      present.add(stateHash);
      return true;
    })().finally(() => fetching.delete(stateHash));
    fetching.set(stateHash, task);
    return task;
  };

  /** The job is left alone for a while, and looked at again then; others may be made ready meanwhile. */
  const setBack = (job: JobView, error: unknown) => {
    const { reason, until, tries } = setbacks.note(job.id, error);
    const seconds = Math.ceil((until - monotonicMs()) / 1_000);
    const fields = { event: "job.setback", job: job.id.toString(), tries, err: error };
    const text = `job ${job.id} cannot be made ready: ${reason} (try ${tries}; the next in ${seconds} s)`;
    if (tries === TELL_AFTER) log.warn(fields, text);
    else log.debug(fields, text);
    sleep(until - monotonicMs(), signal).then(parameters.onReady, () => undefined);
  };

  const bring = async (job: JobView): Promise<void> => {
    await open(job);
    const [head, tail] = await Promise.all([ensure(job, job.head), ensure(job, job.tail)]);
    if (!tail && head) givenUp.add(job.tail.stateHash);
    if (!head) throw new Error("the accepted checkpoint's bytes are not to be had");
  };

  const isReady = (job: JobView): boolean => {
    if (!opened.has(job.id) || host.pid === undefined) return false;
    const has = ({ index, stateHash }: CheckpointView) => index === 0 || present.has(stateHash);
    return has(job.head) && (has(job.tail) || givenUp.has(job.tail.stateHash) || unsound.has(job.tail.stateHash));
  };

  return {
    isReady,
    keep(job) {
      if (keeping !== undefined || unfit.has(job.id) || setbacks.of(job.id) !== undefined || isReady(job)) return;
      keeping = job.id;
      bring(job)
        .then(() => setbacks.clear(job.id))
        .catch((error: unknown) => {
          if (!signal.aborted && !unfit.has(job.id)) setBack(job, error);
        })
        .finally(() => {
          keeping = undefined;
          if (!signal.aborted) parameters.onReady();
        });
    },
    setback: (job) => setbacks.of(job),
    eligibility: (job) => opened.get(job)?.eligibility ?? [],
    unfit: (job) => unfit.get(job),
    refuse: (job, reason) => void unfit.set(job, reason),
    prepared: open,
    distrust: (state) => void unsound.add(state),
    async chooseBase(job) {
      const tail =
        !unsound.has(job.tail.stateHash) &&
        (await Promise.race([ensure(job, job.tail), sleep(TIP_PATIENCE_MS, signal).then(() => false)]));
      if (tail) return job.tail;
      while (!(await ensure(job, job.head))) await sleep(RETRY_MS, signal);
      return job.head;
    },
    async sweep(job, live) {
      const ready = opened.get(job.id);
      if (ready === undefined) return;
      const keep = new Set([...live, job.head.stateHash, job.tail.stateHash, ...fetching.keys()]);
      await ready.files.sweep(keep);
      for (const hash of present) if (!keep.has(hash)) present.delete(hash);
      for (const hash of givenUp) if (!keep.has(hash)) givenUp.delete(hash);
    },
    async dropEnded(isOver) {
      const folder = join(parameters.data, "jobs");
      // The folder is made with the first job.
      const names = existsSync(folder) ? await readdir(folder) : [];
      for (const name of names) {
        if (!/^\d+$/.test(name) || !isOver(BigInt(name))) continue;
        prepared.delete(BigInt(name));
        opened.delete(BigInt(name));
        await rm(join(folder, name), { recursive: true, force: true });
        log.info({ event: "job.dropped", job: name }, `job ${name} is over: its states are removed`);
      }
    },
  };
}
