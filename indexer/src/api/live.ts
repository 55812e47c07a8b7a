// Tells whoever listens what became visible, as soon as it did. Ponder notifies the database's listeners with every block it
// commits; a reorg shows in the journal's hash chain, where the newest rows no longer are what they were.
import { db } from "ponder:api";
import schema from "ponder:schema";
import { and, asc, gt, gte, lte } from "ponder";
import type { Row } from "../../ledger/tables.ts";
import { positions, type Reached } from "./checkpoints.ts";
import { ponderGlobals, runtime } from "./runtime.ts";

export type JournalRow = Row<"journal">;

export type LiveMessage =
  | { type: "head"; indexed: Reached; finalized: Reached }
  /** rows after `after` are no longer part of the chain */
  | { type: "reorg"; after: number }
  | { type: "journal"; row: JournalRow };

/** How far back the hub recognises a reorg; Ponder itself undoes at most its finality, 30 to 240 blocks. */
const REMEMBERED_ROWS = 20_000;
const PAGE = 500;
const RETRY_MS = 250;

export interface LiveHub {
  /** From now on, every message; returns how to stop. Resolves once the hub knows where the journal ends: `from`. */
  subscribe(listener: (message: LiveMessage) => void): Promise<{ from: number; stop: () => void }>;
  /** Called after every commit, with or without subscribers. */
  onCommit(listener: () => void): void;
  subscribers(): number;
  /**
   * A block was committed since this process started. Before that, a restarted Ponder may have taken rows back that its own
   * checkpoint still speaks of, so nothing in the database is as of a known block.
   */
  isLive(): boolean;
}

export function createLiveHub(): LiveHub {
  const listeners = new Set<(message: LiveMessage) => void>();
  const commitListeners = new Set<() => void>();
  /** the newest rows as told, oldest first */
  let told: { seq: number; digest: string }[] | undefined;
  let running: Promise<void> | undefined;
  let again = false;

  let live = false;

  listen((committed) => {
    live ||= committed;
    for (const listener of commitListeners) listener();
    if (listeners.size === 0) told = undefined;
    else void refresh();
  });

  async function refresh(): Promise<void> {
    if (running) {
      again = true;
      return running;
    }
    running = (async () => {
      do {
        again = false;
        await tell();
      } while (again);
    })()
      .catch((error: Error) => ponderGlobals().PONDER_COMMON.logger.warn({ msg: "Live updates failed", error }))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  async function tell(): Promise<void> {
    if (!told) {
      told = await newestRows();
      return;
    }
    const kept = await stillThere(told);
    if (kept < (told.at(-1)?.seq ?? 0)) {
      told = told.filter(({ seq }) => seq <= kept);
      send({ type: "reorg", after: kept });
    }
    for (;;) {
      const after = told.at(-1)?.seq ?? kept;
      const rows = await journalAfter(after, undefined, PAGE);
      for (const row of rows) {
        told.push({ seq: row.seq, digest: row.digest });
        send({ type: "journal", row });
      }
      if (rows.length < PAGE) break;
    }
    if (told.length > REMEMBERED_ROWS) told = told.slice(-REMEMBERED_ROWS / 2);
    const reached = await positions();
    if (reached) send({ type: "head", ...reached });
  }

  function send(message: LiveMessage): void {
    for (const listener of listeners) listener(message);
  }

  return {
    isLive: () => live,
    subscribers: () => listeners.size,
    onCommit: (listener) => void commitListeners.add(listener),
    async subscribe(listener) {
      if (!told) await refresh();
      const from = told?.at(-1)?.seq ?? 0;
      listeners.add(listener);
      return { from, stop: () => void listeners.delete(listener) };
    },
  };
}

/** Rows after `after` up to `until`, in order. */
export async function journalAfter(after: number, until: number | undefined, limit: number): Promise<JournalRow[]> {
  const { journal } = schema;
  const range = until === undefined ? gt(journal.seq, after) : and(gt(journal.seq, after), lte(journal.seq, until));
  return db.select().from(journal).where(range).orderBy(asc(journal.seq)).limit(limit);
}

async function newestRows(): Promise<{ seq: number; digest: string }[]> {
  const { journal, total } = schema;
  const [row] = await db.select({ events: total.events }).from(total);
  const from = Math.max(0, (row?.events ?? 0) - REMEMBERED_ROWS / 2);
  return db
    .select({ seq: journal.seq, digest: journal.digest })
    .from(journal)
    .where(gt(journal.seq, from))
    .orderBy(asc(journal.seq));
}

/** The newest of the told rows that the journal still holds unchanged; all before it are, since digests form a chain. */
async function stillThere(told: { seq: number; digest: string }[]): Promise<number> {
  const { journal } = schema;
  // Nearly always the newest is still there: look at few first.
  for (const depth of [1, 200, told.length]) {
    const tail = told.slice(-depth);
    const first = tail[0];
    if (!first) return 0;
    const rows = await db
      .select({ seq: journal.seq, digest: journal.digest })
      .from(journal)
      .where(gte(journal.seq, first.seq));
    const now = new Map(rows.map(({ seq, digest }) => [seq, digest]));
    const same = tail.findLast(({ seq, digest }) => now.get(seq) === digest);
    if (same) return same.seq;
    if (tail.length === told.length) return first.seq - 1;
  }
  return 0;
}

/** Calls back after every commit of Ponder's, for as long as the API lives. */
function listen(onNotification: (committed: boolean) => void): void {
  const { PONDER_DATABASE: database, PONDER_COMMON: common } = ponderGlobals();
  const channel = `${runtime().schema}_live_query`;
  const { driver } = database;
  if (driver.dialect === "pglite") {
    driver.instance.onNotification((name) => {
      if (name === channel) onNotification(true);
    });
    void driver.instance.query(`LISTEN "${channel}"`);
    return;
  }
  const connect = async (): Promise<void> => {
    if (common.apiShutdown.isKilled) return;
    const retry = (error: Error) => {
      if (common.apiShutdown.isKilled) return;
      common.logger.warn({ msg: "Lost the database's notifications, listening again", error });
      setTimeout(() => void connect(), RETRY_MS).unref();
    };
    try {
      const client = await driver.admin.connect();
      client.on("notification", () => onNotification(true));
      client.on("error", (error) => {
        client.release();
        retry(error);
      });
      await client.query(`LISTEN "${channel}"`);
      common.apiShutdown.add(() => client.release());
      // Whatever was committed while nobody listened.
      onNotification(false);
    } catch (error) {
      retry(error as Error);
    }
  };
  void connect();
}
