import { isatty } from "node:tty";
import { type HandOver, watchJob } from "../../client/index.ts";
import { GpuchainError } from "../../daemon/index.ts";
import { describeEvent, short } from "../describeEvent.ts";
import { toJson, usdc, when } from "../output.ts";
import { parseJobId } from "../parseId.ts";
import { plain } from "../plain.ts";
import type { Session } from "../session.ts";

export interface WatchOptions {
  until?: string;
  steps?: boolean;
}

/** Follows a job until it is settled: each event a line, with steps as the leaseholder reports them. */
export async function watch(session: Session, job: string, options: WatchOptions): Promise<void> {
  const jobId = parseJobId(job);
  const { output, signal } = session;
  const until = options.until ?? "settled";
  if (until !== "settled" && until !== "completed" && until !== "checkpoint") {
    throw new GpuchainError("USAGE", `--until ${until} is no state of a job`, {
      hint: "settled, completed or checkpoint",
    });
  }
  const client = await session.connect();
  const live = !output.json && isatty(1);
  let shownAt = 0;
  const line = (text: string) => process.stdout.write(`${live ? "\r\u001b[K" : ""}${plain(text)}\n`);
  const { ledger } = session.network;
  const updates = watchJob({
    ...{ client, jobId, signal, until, telemetry: options.steps !== false },
    ...(ledger !== undefined && { ledger }),
  });
  for await (const update of updates) {
    if (output.json) process.stdout.write(`${toJson(flat(update))}\n`);
    else if (update.type === "event") {
      const text = describeEvent(update.event);
      if (text !== undefined) line(`${when(update.at)}  ${text}`);
    } else if (update.type === "reorg") {
      line(`the chain undid everything after block ${update.reorgTo}; what follows replaces it`);
    } else if (update.type === "handOver") {
      line(describeHandOver(update.receipt));
    } else if (update.type === "money") {
      const { providerPay, verifierFees, protocolFee, owedPay, owedFees, locked } = update.money;
      const paid = providerPay + verifierFees + protocolFee;
      line(`money: ${usdc(paid)} USDC paid, ${usdc(owedPay + owedFees)} owed, ${usdc(locked)} locked`);
    } else {
      const { step, loss, learningRate, ms } = update.step;
      const text = `step ${step}  loss ${loss.toFixed(4)}  learning rate ${learningRate.toExponential(2)}  ${(1000 / ms).toFixed(1)} steps/s`;
      // A terminal shows the newest step in place; a log file gets one a second at most.
      if (live) process.stdout.write(`\r\u001b[K${text}`);
      else if (Date.now() - shownAt >= 1_000) {
        shownAt = Date.now();
        process.stdout.write(`${text}\n`);
      }
    }
  }
  if (live) process.stdout.write("\n");
}

function describeHandOver(receipt: HandOver): string {
  const { from, to, silentToEndedMs, endedToAcquiredMs, acquiredToFirstStepMs, stepsLost, resumedFrom } = receipt;
  const seconds = ((silentToEndedMs + endedToAcquiredMs + acquiredToFirstStepMs) / 1_000).toFixed(1);
  const lost = stepsLost === null ? "" : `, ${stepsLost} steps lost`;
  return `hand-over from ${short(from)} to ${short(to)} in ${seconds} s: goes on from step ${resumedFrom}${lost}`;
}

function flat(update: object): object {
  if (!("event" in update) || typeof update.event !== "object" || update.event === null) return update;
  const { eventName, args, blockNumber, transactionHash } = update.event as Record<string, unknown>;
  return { ...update, event: { name: eventName, args, blockNumber, transactionHash } };
}
