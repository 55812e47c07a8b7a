import type { Store } from "./store.ts";
import { appendOnly, type Key, keyText, type Row, type TableName } from "./tables.ts";

interface Held {
  table: TableName;
  key: unknown;
  /** as it stands after what the handler has done so far; undefined where there is none */
  row: object | undefined;
  /** what is to be written at the end */
  write: "nothing" | "insert" | "update";
}

/**
 * The rows that one event touches. Each is read once and written once, however often handlers come back to it: a write costs the
 * database's store much more than all that a handler does in between.
 */
export class EventRows implements Store {
  private readonly store: Store;
  private readonly held = new Map<string, Held>();

  constructor(store: Store) {
    this.store = store;
  }

  async find<T extends TableName>(table: T, key: Key<T>): Promise<Readonly<Row<T>> | undefined> {
    const { row } = await this.hold(table, key);
    return row as Row<T> | undefined;
  }

  async insert<T extends TableName>(table: T, row: Row<T>): Promise<void> {
    // Nothing reads these again, and the store itself refuses a key that is taken.
    if (appendOnly.has(table)) return this.store.insert(table, row);
    const held = await this.hold(table, row);
    if (held.row !== undefined) throw new Error(`${table} ${keyText(table, row)} exists already`);
    held.row = row;
    held.write = "insert";
  }

  async update<T extends TableName>(
    table: T,
    key: Key<T>,
    change: (row: Readonly<Row<T>>) => Partial<Row<T>>,
  ): Promise<void> {
    const held = await this.hold(table, key);
    if (held.row === undefined) throw new Error(`${table} ${keyText(table, key)} does not exist`);
    held.row = { ...held.row, ...change(held.row as Row<T>) };
    if (held.write === "nothing") held.write = "update";
  }

  /** Hands every changed row to the store. */
  async flush(): Promise<void> {
    for (const { table, key, row, write } of this.held.values()) {
      if (write === "insert") await this.store.insert(table, row as Row<TableName>);
      else if (write === "update") await this.store.update(table, key as Key<TableName>, () => row as Row<TableName>);
    }
  }

  private async hold<T extends TableName>(table: T, key: Key<T>): Promise<Held> {
    const name = `${table} ${keyText(table, key)}`;
    const known = this.held.get(name);
    if (known) return known;
    const held: Held = { table, key, row: await this.store.find(table, key), write: "nothing" };
    this.held.set(name, held);
    return held;
  }
}
