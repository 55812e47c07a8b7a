import { type LedgerEvent, toEvent } from "./journalRow.ts";

export interface LedgerListener {
  readonly onEvents: (events: readonly LedgerEvent[]) => void;
  /** rows after this one are no longer part of the chain */
  readonly onReorg: (after: number) => void;
  /** the ledger is complete up to this block */
  readonly onHead: (block: number) => void;
  readonly onLost: (reason: string) => void;
}

/** How long the browser may try to reconnect before the page reads the chain instead. */
const PATIENCE = 6_000;

/** Follows the ledger by server-sent events from a row on; the browser reconnects by itself and misses nothing. */
export function followLedger(base: string, after: number, listener: LedgerListener): () => void {
  const source = new EventSource(`${base}/live?after=${after}`);
  let waiting: LedgerEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    const news = waiting;
    waiting = [];
    if (news.length > 0) listener.onEvents(news);
  };
  const on = (type: string, handle: (data: unknown) => void) =>
    source.addEventListener(type, (event) => {
      try {
        handle(JSON.parse((event as MessageEvent<string>).data));
      } catch {
        listener.onLost("its live updates make no sense");
      }
    });
  on("journal", (row) => {
    waiting.push(toEvent(row));
    clearTimeout(timer);
    // A block's events come one by one; the page needs them once.
    timer = setTimeout(flush, 30);
  });
  on("reorg", (data) => {
    flush();
    listener.onReorg(count((data as { after: unknown }).after));
  });
  on("head", (data) => {
    flush();
    listener.onHead(count((data as { indexed: { block: unknown } }).indexed.block));
  });
  source.addEventListener("open", () => {
    clearTimeout(patience);
    patience = undefined;
  });
  source.addEventListener("error", () => {
    const lost = () => listener.onLost("its live updates broke off");
    if (source.readyState === source.CLOSED) return lost();
    // Each failed attempt to reconnect is an error of its own: patience counts from the first.
    patience ??= setTimeout(lost, PATIENCE);
  });
  return () => {
    clearTimeout(timer);
    clearTimeout(patience);
    source.close();
  };
}

function count(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new Error("not a whole number");
  return value as number;
}
