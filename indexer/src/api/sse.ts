import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { toJson } from "./json.ts";
import { type JournalRow, journalAfter, type LiveHub, type LiveMessage } from "./live.ts";

const KEEP_ALIVE_MS = 15_000;
const PAGE = 500;
/** Most listeners at once: each costs a socket and a queue. */
const MAX_LISTENERS = 500;
/** Most messages that wait for a slow listener before it is dropped; it comes back with its last id and misses nothing. */
const MAX_WAITING = 5_000;

interface Filter {
  job: bigint | undefined;
  account: string | undefined;
}

/**
 * `GET /live`: server-sent events. `journal` events carry a journal row and its `seq` as id, so an EventSource that
 * reconnects goes on where it was (`Last-Event-ID`); `reorg` says which rows are void; `head` comes with every block.
 * Query: `job`, `account`, `after` (a seq; 0 for everything from the start; default: only what is new).
 */
export function liveEvents(context: Context, hub: LiveHub): Response | Promise<Response> {
  const { job, account, after } = context.req.query();
  if (job !== undefined && !/^\d{1,20}$/.test(job)) return context.json({ error: "job is not a number" }, 400);
  if (account !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(account)) {
    return context.json({ error: "account is not an address" }, 400);
  }
  const since = context.req.header("last-event-id") ?? after;
  if (since !== undefined && !/^\d{1,9}$/.test(since))
    return context.json({ error: "after is not a sequence number" }, 400);
  if (hub.subscribers() >= MAX_LISTENERS) return context.json({ error: "too many listeners, try again later" }, 503);
  const filter: Filter = { job: job === undefined ? undefined : BigInt(job), account: account?.toLowerCase() };
  context.header("X-Accel-Buffering", "no");
  return streamSSE(context, async (stream) => {
    for await (const message of liveMessages(hub, filter, since === undefined ? undefined : Number(since), stream)) {
      if (message === "idle") await stream.write(": still here\n\n");
      else if (message.type === "journal") {
        await stream.writeSSE({ event: "journal", id: String(message.row.seq), data: toJson(message.row) });
      } else {
        const { type, ...data } = message;
        await stream.writeSSE({ event: type, data: toJson(data) });
      }
    }
  });
}

/** The messages that pass a filter, from `after` on, without gap or duplicate, until the stream is over. */
export async function* liveMessages(
  hub: LiveHub,
  filter: Filter,
  after: number | undefined,
  stream: { readonly aborted: boolean; onAbort(listener: () => void): void },
): AsyncGenerator<LiveMessage | "idle"> {
  const waiting: LiveMessage[] = [];
  let wake: () => void = () => undefined;
  const { from, stop } = await hub.subscribe((message) => {
    waiting.push(message);
    wake();
  });
  stream.onAbort(() => wake());
  try {
    let last = after ?? from;
    while (last < from && !stream.aborted) {
      const rows = await journalAfter(last, from, PAGE);
      for (const row of rows) if (passes(row, filter)) yield { type: "journal", row };
      last = rows.at(-1)?.seq ?? from;
    }
    while (!stream.aborted) {
      const message = waiting.shift();
      if (!message) {
        let timer: NodeJS.Timeout | undefined;
        const idle = await new Promise<boolean>((resolve) => {
          timer = setTimeout(() => resolve(true), KEEP_ALIVE_MS);
          wake = () => resolve(false);
          if (waiting.length > 0 || stream.aborted) wake();
        });
        clearTimeout(timer);
        if (idle) yield "idle";
        continue;
      }
      if (waiting.length > MAX_WAITING) return;
      if (message.type !== "journal" || passes(message.row, filter)) yield message;
    }
  } finally {
    stop();
  }
}

function passes(row: JournalRow, { job, account }: Filter): boolean {
  if (job !== undefined && row.jobId !== job) return false;
  return (
    account === undefined || row.account === account || row.txFrom === account || toJson(row.args).includes(account)
  );
}
