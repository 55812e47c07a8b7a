import type { Compute, ComputeOptions, OpenedJob, OpenRequest, StartCompute } from "@gpuchain/sdk/compute";
import type { Logger } from "@gpuchain/sdk/daemon";

/** The node's one training process: kept warm between leases, replaced when it dies. */
export interface ComputeHost {
  /** The process with this job open and compiled; returns at once when it already is. */
  open(job: bigint, request: OpenRequest): Promise<Compute>;
  readonly pid: number | undefined;
  close(): Promise<void>;
}

export interface ComputeHostParameters {
  readonly startCompute: StartCompute;
  readonly options: ComputeOptions;
  readonly log: Logger;
}

export function createComputeHost({ startCompute, options, log }: ComputeHostParameters): ComputeHost {
  let current: { compute: Compute; job: bigint; opened: Promise<OpenedJob> } | undefined;
  /** one opening at a time: two jobs asking at once must not start two processes */
  let turn: Promise<unknown> = Promise.resolve();

  const open = async (job: bigint, request: OpenRequest): Promise<Compute> => {
    if (current?.compute.alive && current.job === job) {
      await current.opened;
      return current.compute;
    }
    const compute = current?.compute.alive ? current.compute : await startCompute(options);
    const opened = compute.open(request);
    current = { compute, job, opened };
    opened.catch(() => {
      // Whoever asked hears of it; the next one starts afresh.
      if (current?.opened === opened) current = undefined;
      void compute.close();
    });
    const { parameters, microBatch, ms } = await opened;
    log.info(
      { event: "job.prepared", job: job.toString(), parameters, microBatch, ms: Math.round(ms) },
      "graphs compiled; ready to train",
    );
    return compute;
  };

  return {
    open(job, request) {
      const mine = turn.catch(() => undefined).then(() => open(job, request));
      turn = mine;
      return mine;
    },
    get pid() {
      return current?.compute.alive ? current.compute.pid : undefined;
    },
    async close() {
      await turn.catch(() => undefined);
      await current?.compute.close();
      current = undefined;
    },
  };
}
