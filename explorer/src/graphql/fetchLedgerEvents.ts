import type { ChainEvent } from "../chain/chainEvent.ts";
import { toEventArgs } from "../chain/chainEvent.ts";
import { JOURNAL, ledgerClient } from "./ledgerClient.ts";

export interface LedgerEvent extends ChainEvent {
  /** the ledger's own order */
  readonly seq: number;
}

export interface JournalRow {
  readonly seq: number;
  readonly block: number;
  readonly timestamp: number;
  readonly txHash: string;
  readonly logIndex: number;
  readonly contract: string;
  readonly name: string;
  readonly args: unknown;
}

const PAGE = 1000;

/**
 * Everything that the ledger has recorded after `after`, in order.
 * @throws Error with what the ledger said
 */
export async function fetchLedgerEvents(base: string, after: number): Promise<LedgerEvent[]> {
  const events: LedgerEvent[] = [];
  for (let from = after; ; ) {
    const result = await ledgerClient(base)
      .query<{ journals: { items: JournalRow[] } }>(JOURNAL, { after: from, limit: PAGE })
      .toPromise();
    if (result.error || !result.data) throw new Error(result.error?.message ?? "The ledger gave no answer.");
    const rows = result.data.journals.items;
    events.push(...rows.map(toEvent));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return events;
    // A page that leads no further would be asked for again without end.
    if (!(last.seq > from)) throw new Error("The ledger’s pages lead nowhere.");
    from = last.seq;
  }
}

/** A row of the ledger's journal as an event. */
export function toEvent(row: JournalRow): LedgerEvent {
  return {
    seq: row.seq,
    contract: capital(row.contract),
    name: row.name,
    args: toEventArgs(typeof row.args === "string" ? JSON.parse(row.args) : row.args),
    block: row.block,
    timestamp: row.timestamp,
    tx: row.txHash,
    logIndex: row.logIndex,
  };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
