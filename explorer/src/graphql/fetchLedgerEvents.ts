import { follows, type LedgerEvent, toEvent } from "./journalRow.ts";
import { JOURNAL, ledgerClient } from "./ledgerClient.ts";

const PAGE = 1000;
/** More than a browser can hold; a ledger that goes on beyond has no end, or none that is of use here. */
const MOST = 500_000;

/**
 * Everything that the ledger has recorded after `after`, in order. It ends, whatever the ledger does: each row must lie behind the one
 * before it, in the ledger's order and in the chain's, and there may be only so many.
 * @throws Error with what the ledger said, or what is wrong with it
 */
export async function fetchLedgerEvents(base: string, after: number, most = MOST): Promise<LedgerEvent[]> {
  const events: LedgerEvent[] = [];
  for (let from = after; ; ) {
    const result = await ledgerClient(base)
      .query<{ journals?: { items?: unknown } | null }>(JOURNAL, { after: from, limit: PAGE })
      .toPromise();
    if (result.error || !result.data) throw new Error(result.error?.message ?? "The ledger gave no answer.");
    const rows = result.data.journals?.items;
    if (!Array.isArray(rows)) throw new Error("What the ledger sends is no journal.");
    for (const row of rows) {
      const event = toEvent(row);
      if (event.seq <= from || !follows(event, events.at(-1))) throw new Error("The ledger’s pages lead nowhere.");
      events.push(event);
    }
    const last = events.at(-1);
    if (!last || rows.length < PAGE) return events;
    if (events.length >= most) throw new Error(`The ledger’s pages don’t end: ${events.length} events and more.`);
    from = last.seq;
  }
}
