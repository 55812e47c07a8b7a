// Compile-time only: the database's tables and the ledger's rows are the same, column by column.

import type { TableName, Tables } from "../ledger/tables.ts";
import type * as schema from "../ponder.schema.ts";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Checks = { [T in TableName]: Same<(typeof schema)[T]["$inferSelect"], Tables[T]> };

export const tablesAreTheSame: Record<TableName, true> = {} as Checks;
