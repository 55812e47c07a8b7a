import { createEventFeed, type GpuchainClient, type GpuchainEvent } from "../chain/index.ts";
import type { ChainLog } from "../chain/sender/types.ts";
import { sleep } from "../daemon/sleep.ts";
import { findEndpoints } from "./findEndpoints.ts";
import { followLedger, type LedgerMoney } from "./followLedger.ts";
import { followSteps, type HandOver, type StepUpdate } from "./followSteps.ts";
import { jobOfEvent, postingBlock } from "./jobHistory.ts";

export interface WatchJobParameters {
  client: GpuchainClient;
  jobId: bigint;
  /** Ends the watching. */
  signal?: AbortSignal;
  log?: ChainLog;
  /** Also what the leaseholders report of each step, and receipts of hand-overs, from a seat's gateway. Default true. */
  telemetry?: boolean;
  /** Address of a ledger, e.g. http://127.0.0.1:42069: also the job's money whenever it is counted anew. Default: without. */
  ledger?: string;
  /** Milliseconds between two looks at gateway and ledger. Default 1,000. */
  everyMs?: number;
  /** Ends when the job is `settled` (default: all is paid), when it is `completed`, or with the first accepted `checkpoint`. */
  until?: "settled" | "completed" | "checkpoint";
}

/** What happens to a job, in the order it became known: from the chain, from a seat's telemetry, and from the ledger. */
export type JobUpdate =
  | { type: "event"; event: GpuchainEvent /** Unix seconds of its block. */; at: bigint }
  | { type: "step"; step: StepUpdate }
  | { type: "handOver"; receipt: HandOver }
  | { type: "money"; money: LedgerMoney }
  /** The chain undid everything after this block; what follows replaces it. */
  | { type: "reorg"; reorgTo: bigint };

const lastEvents = {
  settled: ["JobSettled"],
  completed: ["JobCompleted", "JobSettled"],
  checkpoint: ["CheckpointAccepted", "JobSettled"],
};

/**
 * Follows a job from its posting to its end: each event of the chain once and in order, each step of each lease once, also across
 * reconnects and when another seat has to be asked. Ends when the job does, with all that was known then.
 *
 * @example
 * for await (const update of watchJob({ client, jobId, signal })) {
 *   if (update.type === "step") console.log(update.step.step, update.step.loss);
 * }
 */
export async function* watchJob(parameters: WatchJobParameters): AsyncGenerator<JobUpdate> {
  const { client, jobId, log, telemetry = true, until = "settled" } = parameters;
  const { ledger, everyMs } = parameters;
  const controller = new AbortController();
  const ending = new AbortController();
  const signal = parameters.signal ? AbortSignal.any([parameters.signal, controller.signal]) : controller.signal;
  const fromBlock = await postingBlock(client, jobId);
  const queue: JobUpdate[] = [];
  let wake: (() => void) | undefined;
  const fences: number[] = [];
  let ended = false;
  let failure: unknown;
  const push = (update: JobUpdate) => {
    queue.push(update);
    wake?.();
  };

  const followChain = async () => {
    let over = false;
    for await (const item of createEventFeed({ client, fromBlock, signal, ...(log && { log }) })) {
      if (item.type === "reorg") {
        push(item);
        continue;
      }
      for (const event of item.events.filter((one) => jobOfEvent(one) === jobId)) {
        if (event.eventName === "LeaseAcquired" && !fences.includes(event.args.fence)) fences.push(event.args.fence);
        push({ type: "event", event, at: item.timestamp });
        if (lastEvents[until].includes(event.eventName)) over = true;
      }
      if (over) return;
    }
  };
  const common = { jobId, signal, ending: ending.signal, ...(everyMs !== undefined && { everyMs }) };
  const followTelemetry = () =>
    followSteps({
      ...common,
      endpoints: async () => (await findEndpoints(client, { jobId })).map(({ url }) => url),
      fences: () => fences,
      onStep: (step) => push({ type: "step", step }),
      onHandOver: (receipt) => push({ type: "handOver", receipt }),
    });

  const finish = (error?: unknown) => {
    if (!signal.aborted) failure ??= error;
    ended = true;
    wake?.();
  };
  const beside = [
    ...(telemetry ? [followTelemetry()] : []),
    ...(ledger === undefined
      ? []
      : [followLedger({ ...common, url: ledger, onMoney: (money) => push({ type: "money", money }) })]),
  ].map((following) => following.catch((error: unknown) => log?.debug({ err: error }, "a comfort ended")));
  void followChain()
    .then(async () => {
      ending.abort(new Error("the job is over"));
      // Their last look; gateways of a job that is over may be gone.
      await Promise.race([Promise.all(beside), sleep(5_000, signal)]);
      finish();
    })
    .catch(finish);

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
