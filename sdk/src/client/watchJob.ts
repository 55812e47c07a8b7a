import { createEventFeed, type GpuchainClient, type GpuchainEvent } from "../chain/index.ts";
import type { ChainLog } from "../chain/sender/types.ts";
import { findEndpoints } from "./findEndpoints.ts";
import { followSteps, type StepUpdate } from "./followSteps.ts";
import { jobOfEvent, postingBlock } from "./jobHistory.ts";

export interface WatchJobParameters {
  client: GpuchainClient;
  jobId: bigint;
  signal: AbortSignal;
  log?: ChainLog;
  /** Also what the leaseholder reports of each step, from a seat's gateway. Default true. */
  telemetry?: boolean;
  /** Ends when the job is `settled` (default: all is paid), or already when it is `completed`. */
  until?: "settled" | "completed";
}

/** What happens to a job, in the order it became known. Steps come from a seat's telemetry, all else from the chain. */
export type JobUpdate =
  | { type: "event"; event: GpuchainEvent /** Unix seconds of its block. */; at: bigint }
  | { type: "step"; step: StepUpdate }
  /** The chain undid everything after this block; what follows replaces it. */
  | { type: "reorg"; reorgTo: bigint };

const lastEvents = { settled: ["JobSettled"], completed: ["JobCompleted", "JobSettled"] };

/**
 * Follows a job from its posting to its end: each event of the chain once and in order, also across reconnects, mixed
 * with the steps that the leaseholder reports.
 *
 * @example
 * for await (const update of watchJob({ client, jobId, signal })) {
 *   if (update.type === "step") console.log(update.step.step, update.step.loss);
 * }
 */
export async function* watchJob(parameters: WatchJobParameters): AsyncGenerator<JobUpdate> {
  const { client, jobId, log, telemetry = true, until = "settled" } = parameters;
  const controller = new AbortController();
  const signal = AbortSignal.any([parameters.signal, controller.signal]);
  const fromBlock = await postingBlock(client, jobId);
  const queue: JobUpdate[] = [];
  let wake: (() => void) | undefined;
  let fence: number | undefined;
  let ended = false;
  let failure: unknown;
  const push = (update: JobUpdate) => {
    queue.push(update);
    wake?.();
  };

  const followChain = async () => {
    for await (const item of createEventFeed({ client, fromBlock, signal, ...(log && { log }) })) {
      if (item.type === "reorg") {
        push(item);
        continue;
      }
      for (const event of item.events.filter((one) => jobOfEvent(one) === jobId)) {
        if (event.eventName === "LeaseAcquired") fence = event.args.fence;
        push({ type: "event", event, at: item.timestamp });
        if (lastEvents[until].includes(event.eventName)) ended = true;
      }
      if (ended) return;
    }
  };
  const followTelemetry = () =>
    followSteps({
      jobId,
      signal,
      endpoints: async () => (await findEndpoints(client, { jobId })).map(({ url }) => url),
      fence: () => fence,
      onStep: (step) => push({ type: "step", step }),
    });

  const finish = (error?: unknown) => {
    if (!signal.aborted) failure ??= error;
    ended = true;
    wake?.();
  };
  void followChain().then(() => finish(), finish);
  if (telemetry) void followTelemetry().catch((error: unknown) => log?.debug({ err: error }, "telemetry ended"));

  try {
    for (;;) {
      const update = queue.shift();
      if (update !== undefined) yield update;
      else if (failure !== undefined) throw failure;
      else if (ended || signal.aborted) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    controller.abort(new Error("no longer watched"));
  }
}
