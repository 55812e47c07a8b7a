import type { Key, Row, TableName } from "./tables.ts";

/**
 * All that a handler may do to the tables: by primary key only, so that the same code runs on Ponder's reorg-safe store, in
 * memory for the audit, and in tests.
 */
export interface Store {
  find<T extends TableName>(table: T, key: Key<T>): Promise<Readonly<Row<T>> | undefined>;
  /** @throws when the key is taken: an event that is applied twice must not pass in silence */
  insert<T extends TableName>(table: T, row: Row<T>): Promise<void>;
  /** @throws when no row has the key */
  update<T extends TableName>(table: T, key: Key<T>, change: (row: Readonly<Row<T>>) => Partial<Row<T>>): Promise<void>;
}
