import type { Context } from "ponder:registry";
import schema from "ponder:schema";
import type { Store } from "../ledger/store.ts";
import type { Key, Row, TableName } from "../ledger/tables.ts";

/** Under this key Ponder's view shows the row itself. */
const UNDER = Symbol.for("ponder:copyOnWrite");

/** One table as Ponder's store takes it. Row and key types are the ledger's; the schema check holds the two equal. */
interface PonderTable<T extends TableName> {
  find(key: Key<T>): Promise<Row<T> | null>;
  insert(row: Row<T>): Promise<unknown>;
  update(key: Key<T>, change: (row: Row<T>) => Partial<Row<T>>): Promise<unknown>;
}

/** The ledger's store on Ponder's reorg-safe tables. */
export function createPonderStore(db: Context["db"]): Store {
  const open = <T extends TableName>(name: T): PonderTable<T> => {
    // Ponder types its methods per table; here the table is chosen at run time.
    const table = schema[name] as unknown as typeof schema.total;
    return {
      find: (key) => db.find(table, key as unknown as { id: number }) as unknown as Promise<Row<T> | null>,
      insert: async (row) => db.insert(table).values(row as unknown as typeof schema.total.$inferInsert),
      update: (key, change) =>
        db
          .update(table, key as unknown as { id: number })
          .set((row) => change(row as unknown as Row<T>) as unknown as Partial<typeof schema.total.$inferInsert>),
    };
  };
  return {
    async find(table, key) {
      const row = await open(table).find(key);
      if (row === null) return undefined;
      // Ponder hands out a view that copies on write. Nobody writes to what is found (EventRows makes new rows and writes them at
      // the event's end), and reading through the view costs more than all the rest of an event.
      return (row as { [UNDER]?: typeof row })[UNDER] ?? row;
    },
    insert: async (table, row) => void (await open(table).insert(row)),
    update: async (table, key, change) => void (await open(table).update(key, change)),
  };
}
