import { createHash } from "node:crypto";
import type { Store } from "./store.ts";
import { appendOnly, type Key, keyText, type Row, type TableName, tableNames } from "./tables.ts";

/** The tables in memory: for the audit, which trusts no database, and for tests. */
export class MemoryStore implements Store {
  private readonly fresh: [TableName, string][] = [];
  readonly tables = new Map<TableName, Map<string, unknown>>(tableNames.map((name) => [name, new Map()]));

  async find<T extends TableName>(table: T, key: Key<T>): Promise<Readonly<Row<T>> | undefined> {
    return this.get(table, keyText(table, key));
  }

  async insert<T extends TableName>(table: T, row: Row<T>): Promise<void> {
    const text = keyText(table, row);
    const rows = this.rowsOf(table);
    if (rows.has(text)) throw new Error(`${table} ${text} exists already`);
    rows.set(text, row);
    if (appendOnly.has(table)) this.fresh.push([table, text]);
  }

  async update<T extends TableName>(
    table: T,
    key: Key<T>,
    change: (row: Readonly<Row<T>>) => Partial<Row<T>>,
  ): Promise<void> {
    const text = keyText(table, key);
    const row = this.get(table, text);
    if (row === undefined) throw new Error(`${table} ${text} does not exist`);
    this.rowsOf(table).set(text, { ...row, ...change(row) });
  }

  /** Every row of a table, in order of insertion. */
  all<T extends TableName>(table: T): Row<T>[] {
    return [...this.rowsOf(table).values()] as Row<T>[];
  }

  /** A row by its key's text. A compacted row is none. */
  get<T extends TableName>(table: T, text: string): Row<T> | undefined {
    const row = this.rowsOf(table).get(text);
    return typeof row === "string" ? undefined : (row as Row<T> | undefined);
  }

  size(table: TableName): number {
    return this.rowsOf(table).size;
  }

  keyTexts(table: TableName): IterableIterator<string> {
    return this.rowsOf(table).keys();
  }

  /** The fingerprint of a row, also of a compacted one. */
  fingerprintOf(table: TableName, text: string): string | undefined {
    const row = this.rowsOf(table).get(text);
    if (typeof row === "string") return row;
    return typeof row === "object" && row !== null ? fingerprint(table, row) : undefined;
  }

  /** Keeps only the fingerprint of rows that are written once: nothing reads them again, and they are most of the memory. */
  compact(): void {
    for (const [table, text] of this.fresh.splice(0)) {
      const rows = this.rowsOf(table);
      const row = rows.get(text);
      if (typeof row === "object" && row !== null) rows.set(text, fingerprint(table, row));
    }
  }

  private rowsOf(table: TableName): Map<string, unknown> {
    const rows = this.tables.get(table);
    if (rows === undefined) throw new Error(`no table ${table}`);
    return rows;
  }
}

/** What a log does not tell, so that a row rebuilt from logs cannot be held to it. */
export const untold: Partial<Record<TableName, string>> = { journal: "txFrom" };

/** A row's content in 16 bytes, whatever the order of its columns. */
export function fingerprint(table: TableName, row: object): string {
  const entries = Object.entries(row).filter(([column]) => column !== untold[table]);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(entries, (_key, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return createHash("sha256").update(text).digest("base64").slice(0, 22);
}
