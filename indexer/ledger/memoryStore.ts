import type { Store } from "./store.ts";
import { type Key, keyText, type Row, type TableName, tableNames } from "./tables.ts";

/** The tables in memory: for the audit, which trusts no database, and for tests. */
export class MemoryStore implements Store {
  readonly tables = new Map<TableName, Map<string, unknown>>(tableNames.map((name) => [name, new Map()]));

  async find<T extends TableName>(table: T, key: Key<T>): Promise<Readonly<Row<T>> | undefined> {
    return this.get(table, keyText(table, key));
  }

  async insert<T extends TableName>(table: T, row: Row<T>): Promise<void> {
    const text = keyText(table, row);
    const rows = this.rowsOf(table);
    if (rows.has(text)) throw new Error(`${table} ${text} exists already`);
    rows.set(text, row);
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

  /** A row by its key's text. */
  get<T extends TableName>(table: T, text: string): Row<T> | undefined {
    return this.rowsOf(table).get(text) as Row<T> | undefined;
  }

  private rowsOf(table: TableName): Map<string, unknown> {
    const rows = this.tables.get(table);
    if (rows === undefined) throw new Error(`no table ${table}`);
    return rows;
  }
}
