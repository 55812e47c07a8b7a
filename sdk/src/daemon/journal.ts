import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { GpuchainError } from "./errors.ts";

/** What SQLite takes and gives. Amounts and ids that may pass 2⁵³ are stored as text. */
export type JournalValue = string | number | null | Uint8Array;
export type JournalRow = Record<string, JournalValue>;

/** A daemon's durable memory: SQLite in one file, owned by one process. */
export interface Journal {
  readonly path: string;
  /** Runs a statement; returns how many rows it changed. */
  run(sql: string, ...values: JournalValue[]): number;
  /** The first row or undefined. */
  get<Row extends JournalRow = JournalRow>(sql: string, ...values: JournalValue[]): Row | undefined;
  all<Row extends JournalRow = JournalRow>(sql: string, ...values: JournalValue[]): Row[];
  /** All of `work` or nothing of it. It must not await. */
  transaction<T>(work: () => T): T;
  /** Brings one room's tables up to date: statement lists in order, each run once, ever. Append only. */
  migrate(room: string, migrations: readonly string[]): void;
  close(): void;
}

/**
 * Opens (or makes) a journal. Every commit is on disk when the call returns (WAL, synchronous=FULL), so that an intent
 * written before signing survives `kill -9` and a power cut. A second process on the same file is refused: JOURNAL_BUSY.
 *
 * @param migrations SQL scripts of the caller's own tables, in order; append only.
 */
export function openJournal(path: string, migrations: readonly string[] = []): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const unlock = lock(path);
  const db = open(path);
  const statements = new Map<string, Database.Statement>();
  const prepare = (sql: string) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const fresh = db.prepare(sql);
    statements.set(sql, fresh);
    return fresh;
  };

  const journal: Journal = {
    path,
    run: (sql, ...values) => translate(path, () => prepare(sql).run(values).changes),
    // Through `all`: libsql's own `get` leaves the statement open, and with it a read lock on the file.
    get: <Row extends JournalRow>(sql: string, ...values: JournalValue[]) =>
      translate(path, () => strip(prepare(sql).all(values)[0]) as Row | undefined),
    all: <Row extends JournalRow>(sql: string, ...values: JournalValue[]) =>
      translate(path, () => prepare(sql).all(values).map(strip) as Row[]),
    transaction: (work) =>
      translate(path, () => {
        db.exec("BEGIN IMMEDIATE");
        try {
          const result = work();
          db.exec("COMMIT");
          return result;
        } catch (error) {
          try {
            db.exec("ROLLBACK");
          } catch {
            // SQLite did it itself, as it does when the disk is full.
          }
          throw error;
        }
      }),
    migrate(room, scripts) {
      const version = Number(journal.get("SELECT version FROM migrations WHERE room = ?", room)?.version ?? 0);
      if (version > scripts.length) {
        throw new GpuchainError("JOURNAL_NEWER", `${path} was written by a newer version of this program`, {
          hint: "update the program, or start with another data directory",
        });
      }
      journal.transaction(() => {
        for (const script of scripts.slice(version)) db.exec(script);
        journal.run(
          "INSERT INTO migrations (room, version) VALUES (?, ?) ON CONFLICT (room) DO UPDATE SET version = excluded.version",
          room,
          scripts.length,
        );
      });
    },
    close() {
      if (!db.open) return;
      statements.clear();
      db.close();
      unlock();
    },
  };
  journal.migrate("main", migrations);
  return journal;
}

/**
 * Keeps a second daemon off this file, and so off its key's intents. A transaction held open on a file beside it: the
 * system drops that with the process, and closing the journal itself would not (libsql keeps a closed database open
 * until its statements are collected).
 */
function lock(path: string): () => void {
  // A journal in memory belongs to nobody else anyway.
  if (path === ":memory:") return () => undefined;
  return translate(path, () => {
    const db = new Database(`${path}.lock`);
    db.exec("BEGIN EXCLUSIVE");
    return () => {
      db.exec("ROLLBACK");
      db.close();
    };
  });
}

function open(path: string): Database.Database {
  return translate(path, () => {
    const db = new Database(path);
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
    db.exec("CREATE TABLE IF NOT EXISTS migrations (room TEXT PRIMARY KEY, version INTEGER NOT NULL);");
    return db;
  });
}

/** libsql adds a `_metadata` field with timings and gives blobs in either of two types; nobody above this line sees it. */
function strip(row: unknown): JournalRow | undefined {
  if (row === undefined || row === null) return undefined;
  const { _metadata, ...rest } = row as JournalRow & { _metadata?: unknown };
  for (const [name, value] of Object.entries(rest as Record<string, unknown>)) {
    if (value instanceof ArrayBuffer || Buffer.isBuffer(value)) rest[name] = new Uint8Array(value);
  }
  return rest;
}

function translate<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof GpuchainError) throw error;
    const text = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (/BUSY|LOCKED/.test(code) || /database is locked/.test(text)) {
      throw new GpuchainError("JOURNAL_BUSY", `${path} is in use by another process`, {
        hint: "stop the other one, or give this one its own data directory",
        cause: error,
      });
    }
    if (/FULL/.test(code) || /disk is full/.test(text)) {
      throw new GpuchainError("DISK_FULL", `no room left to write ${path}`, { hint: "free disk space", cause: error });
    }
    if (/NOTADB|CORRUPT/.test(code) || /not a database|malformed/.test(text)) {
      throw new GpuchainError("JOURNAL_CORRUPT", `${path} is not a readable journal`, {
        hint: "restore it from a backup, or start with another data directory",
        cause: error,
      });
    }
    throw error;
  }
}
