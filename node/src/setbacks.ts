import { isGpuchainError } from "@gpuchain/sdk/daemon";

/** Why a job is left alone for now, and until when. */
export interface Setback {
  readonly reason: string;
  /** in monotonic ms */
  readonly until: number;
  /** tries in a row that failed */
  readonly tries: number;
}

/** Jobs that could not be made ready, each left alone for a while: one that cannot be trained here must not hold up the others. */
export interface Setbacks {
  /** Notes a failed try. */
  note(job: bigint, error: unknown): Setback;
  /** The job is ready after all. */
  clear(job: bigint): void;
  /** undefined: nothing speaks against a try now */
  of(job: bigint): Setback | undefined;
}

/** Bytes may arrive, a disk may be cleared: a standby must not miss that by much, nor ask for ever every second. */
const SOON_MS = 1_000;
const SOON_TRIES = 10;
const LATER_MS = 10_000;
/** After this many tries the training process is not started for the job again soon: it takes the place of graphs that are ready. */
const COMPUTE_TRIES = 3;
const COMPUTE_REST_MS = 600_000;
const OF_COMPUTE = /^(?:OUT_OF_MEMORY|RUNTIME_FAILED|COMPUTE_\w+)$/;
/** Graphs that this version does not build, data that does not fit the model, terms that do not fit the spec: trying again cannot help. */
const OF_THE_JOB = /^(?:JOB_UNFIT|BAD_\w+|GRAPH_\w+|LAYOUT_\w+|NOT_FINITE)$/;

/** Whether the job itself is at fault, on whatever machine and at whatever time. */
export const isJobsFault = (error: unknown): boolean => isGpuchainError(error) && OF_THE_JOB.test(error.code);

export function createSetbacks(now: () => number): Setbacks {
  const setbacks = new Map<bigint, Setback>();
  return {
    note(job, error) {
      const tries = (setbacks.get(job)?.tries ?? 0) + 1;
      const tired = isGpuchainError(error) && OF_COMPUTE.test(error.code) && tries >= COMPUTE_TRIES;
      const ms = tired ? COMPUTE_REST_MS : tries < SOON_TRIES ? SOON_MS : LATER_MS;
      const reason = error instanceof Error ? error.message : String(error);
      const setback = { reason, until: now() + ms, tries };
      setbacks.set(job, setback);
      return setback;
    },
    clear: (job) => void setbacks.delete(job),
    of(job) {
      const setback = setbacks.get(job);
      return setback !== undefined && setback.until > now() ? setback : undefined;
    },
  };
}
