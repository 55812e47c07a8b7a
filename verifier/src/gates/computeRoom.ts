import type { Compute, ComputeRuntime, OpenedJob, OpenRequest, StartCompute } from "@gpuchain/sdk/compute";
import { isGpuchainError, type Logger } from "@gpuchain/sdk/daemon";
import type { JobSpec } from "@gpuchain/sdk/records";

export interface ComputeRoomParameters {
  readonly startCompute: StartCompute;
  readonly runtime: ComputeRuntime;
  readonly threads: number;
  readonly memoryMb?: number;
  readonly timeoutMs?: number;
  readonly nice?: number;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** What it takes to open a job. */
export interface ComputeInputs {
  readonly spec: Pick<JobSpec, "class">;
  readonly open: OpenRequest;
}

export interface ComputeRoom {
  /**
   * Runs `work` with the job opened, alone: other jobs wait their turn. A child that dies is started again and the work tried once more.
   *
   * @throws what `work` throws
   */
  use<T>(job: bigint, inputs: ComputeInputs, work: (compute: Compute, opened: OpenedJob) => Promise<T>): Promise<T>;
  /** waiting and running pieces of work */
  readonly load: number;
  close(): Promise<void>;
}

const ATTEMPTS = 2;

/** The judging child process, shared by all jobs, one piece of work at a time. */
export function createComputeRoom(parameters: ComputeRoomParameters): ComputeRoom {
  const { startCompute, signal, log, ...options } = parameters;
  let compute: Compute | undefined;
  let running: ComputeRuntime | undefined;
  let current: { job: bigint; heldOutPath: string | undefined; opened: OpenedJob } | undefined;
  let tail: Promise<unknown> = Promise.resolve();
  let load = 0;

  /** A canonical job's bits exist on WASM alone; others are judged on what the operator chose. */
  const runtimeOf = ({ spec }: ComputeInputs): ComputeRuntime =>
    spec.class === "canonical" ? "wasm" : options.runtime;

  /** Held-out data that cannot be read is the client's doing: the job is judged without it. */
  const openJob = async (child: Compute, job: bigint, open: OpenRequest): Promise<OpenedJob> => {
    const { heldOutPath, ...rest } = open;
    try {
      return await child.open(open);
    } catch (error) {
      if (heldOutPath === undefined || !child.alive) throw error;
      const opened = await child.open(rest);
      log.warn({ err: error, job: String(job) }, "the held-out data cannot be read; quality is not measured");
      return opened;
    }
  };

  const ready = async (job: bigint, inputs: ComputeInputs): Promise<{ child: Compute; opened: OpenedJob }> => {
    const runtime = runtimeOf(inputs);
    if (compute !== undefined && running !== runtime) await compute.close();
    if (compute === undefined || !compute.alive) {
      current = undefined;
      compute = await startCompute({ ...options, runtime, signal, log });
      running = runtime;
    }
    const child = compute;
    // Held-out data may come later than the rest, as its key does.
    if (current?.job !== job || current.heldOutPath !== inputs.open.heldOutPath) {
      current = undefined;
      const opened = await openJob(child, job, inputs.open);
      current = { job, heldOutPath: inputs.open.heldOutPath, opened };
      log.info(
        { event: "job.opened", job: String(job), ms: Math.round(opened.ms), parameters: opened.parameters },
        "ready to judge this job",
      );
    }
    return { child, opened: current.opened };
  };

  const run = async <T>(
    job: bigint,
    inputs: ComputeInputs,
    work: (compute: Compute, opened: OpenedJob) => Promise<T>,
  ) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const { child, opened } = await ready(job, inputs);
        return await work(child, opened);
      } catch (error) {
        if (!isGpuchainError(error, "COMPUTE_DIED") || signal.aborted || attempt >= ATTEMPTS) throw error;
        log.warn({ err: error, job: String(job) }, "the judging process died; starting another");
      }
    }
  };

  return {
    get load() {
      return load;
    },
    use(job, inputs, work) {
      load++;
      const turn = tail.then(() => {
        signal.throwIfAborted();
        return run(job, inputs, work);
      });
      tail = turn.then(
        () => load--,
        () => load--,
      );
      return turn;
    },
    async close() {
      await compute?.close();
    },
  };
}
