import { db, publicClients } from "ponder:api";
import schema from "ponder:schema";
import { asc, gt, lte, sql } from "ponder";
import type { Finding } from "../../ledger/auditor.ts";
import { fingerprint, type MemoryStore, untold } from "../../ledger/memoryStore.ts";
import { keys, keyText, type Row, type TableName, tableNames } from "../../ledger/tables.ts";

/** Rows compared in one pass of the sweep. */
const ROWS_PER_PASS = 1_000;
/** Small, so that no statement keeps anybody waiting: PGlite runs one at a time. */
const PAGE = 64;
/** Counting reads whole tables, so it is done rarely. */
const COUNT_EVERY_MS = 60_000;
/** Named of one table; the rest is only counted, so that one table's many do not hide another's few. */
const MAX_NAMED = 5;

export interface DatabaseSweep {
  /** Goes on comparing where the last pass ended, with rows as of `block`. */
  pass(block: number): Promise<Finding[]>;
  /** how often every table has been through */
  sweeps(): number;
  /** Something was found wrong, and not every row has been looked at since. */
  isSearching(): boolean;
}

/**
 * Compares the database with what was rebuilt from logs: in every pass the accounts, jobs and sums that changed, and the next
 * stretch of an endless sweep over all rows; now and then every table's number of rows. A row changed after `block` waits until that
 * change is final.
 */
export function createDatabaseSweep(store: MemoryStore): DatabaseSweep {
  let table = 0;
  let cursor: unknown[] = [];
  let sweeps = 0;
  /** violations by row, until the row is found right again */
  const wrong = new Map<string, string[]>();
  const compared = { rows: 0, block: -1 };
  let counted = 0;
  /** what has to be through before the search that a finding started is over */
  let searchUntil = 0;
  /** the chain's newest block, as this pass has seen it */
  let tip = -1;

  /** The newest block, read after the rows; asked again only where a row claims to be newer, for a pass reads many small pages. */
  const newestAfter = async (rows: readonly Row<TableName>[]): Promise<number> => {
    if (tip < 0 || rows.some((row) => row.block > tip)) tip = await newestBlock();
    return tip;
  };

  return {
    sweeps: () => sweeps,
    isSearching: () => sweeps < searchUntil,
    async pass(block) {
      tip = -1;
      for (const name of ["account", "job", "total"] as const) await compareChanged(name, block);
      compared.block = block;
      if (sweeps < searchUntil || Date.now() - counted >= COUNT_EVERY_MS) {
        await compareCounts(block);
        counted = Date.now();
      }
      for (let left = ROWS_PER_PASS; left > 0; ) {
        const name = tableNames[table];
        if (!name) break;
        const rows = await page(name, cursor);
        const newest = await newestAfter(rows);
        for (const row of rows) compareRow(name, row, block, newest);
        left -= Math.max(rows.length, 1);
        const last = rows.at(-1);
        if (last && rows.length === PAGE) {
          cursor = keys[name].map((key) => (last as Record<string, unknown>)[key]);
          continue;
        }
        cursor = [];
        table += 1;
        if (table < tableNames.length) continue;
        table = 0;
        sweeps += 1;
        break;
      }
      // Whoever changed one row may have changed others: two more rounds, the first of which began before the finding.
      if (wrong.size === 0) searchUntil = 0;
      else if (searchUntil === 0) searchUntil = sweeps + 2;
      const finding: Finding = {
        ...{ id: "database", title: "Every row of the database is what the logs make it", checked: compared.rows },
        ...{ violated: wrong.size, violations: named() },
      };
      return [finding];
    },
  };

  function named(): string[] {
    const byTable = new Map<string, string[]>();
    for (const [label, texts] of wrong) {
      const table = label.split(" ")[0] ?? "";
      byTable.set(table, [...(byTable.get(table) ?? []), ...texts]);
    }
    return [...byTable.values()].flatMap((texts) => texts.slice(0, MAX_NAMED));
  }

  /** The rows that changed since the last pass, and those that should have. */
  async function compareChanged(name: "account" | "job" | "total", block: number): Promise<void> {
    const table = schema[name] as unknown as typeof schema.account;
    const since = gt(table.block, compared.block);
    const rows = (await db.select().from(table).where(since)) as unknown as Row<TableName>[];
    const newest = await newestAfter(rows);
    const seen = new Set(rows.map((row) => keyText(name, row as never)));
    for (const row of rows) compareRow(name, row, block, newest);
    for (const row of store.all(name)) {
      const key = keyText(name, row as never);
      if (row.block > compared.block && !seen.has(key))
        wrong.set(`${name} ${key}`, [`${name} ${key} is missing or older`]);
    }
  }

  /**
   * A row that was deleted is found in no stretch of the sweep, so rows are counted: those that are as old as the audit, and those
   * that have changed since but were there before, must be as many as the logs make. One statement, so one state of the table.
   */
  async function compareCounts(block: number): Promise<void> {
    for (const name of tableNames) {
      const table = schema[name] as unknown as typeof schema.journal;
      const columns = keys[name].map((key) => (table as unknown as Record<string, typeof table.seq>)[key]);
      const key = sql.join(columns, sql`, `);
      const [row] = await db
        .select({
          old: sql<number>`(count(*) filter (where ${lte(table.block, block)}))::int`,
          young: sql<string[] | null>`array_agg(concat_ws(':', ${key})) filter (where ${gt(table.block, block)})`,
        })
        .from(table);
      const known = (row?.young ?? []).filter((text) => store.fingerprintOf(name, text) !== undefined).length;
      const [theirs, mine] = [(row?.old ?? 0) + known, store.size(name)];
      const label = `${name}s counted`;
      if (theirs === mine) wrong.delete(label);
      else wrong.set(label, [`${theirs} ${name} rows, the logs make ${mine}`]);
    }
  }

  function compareRow(name: TableName, row: Row<TableName>, block: number, newest: number): void {
    const key = keyText(name, row as never);
    const label = `${name} ${key}`;
    // A row that claims to be newer than anything on the chain would otherwise never be looked at.
    if (row.block > newest) wrong.set(label, [`${label}: block is ${row.block}, beyond the chain`]);
    if (row.block > block) return;
    compared.rows += 1;
    const expected = store.fingerprintOf(name, key);
    if (expected === fingerprint(name, row)) {
      wrong.delete(label);
      return;
    }
    const mine = store.get(name, key);
    if (expected === undefined) wrong.set(label, [`${label} is in no log`]);
    else if (!mine) wrong.set(label, [`${label} is not what its log says`]);
    else wrong.set(label, differences(label, name, row, mine));
  }
}

/** Nothing can be of a later block than the chain has. */
async function newestBlock(): Promise<number> {
  return Number(await publicClients.gpuchain.getBlockNumber({ cacheTime: 0 }));
}

function differences(label: string, name: TableName, found: object, expected: object): string[] {
  return Object.entries(expected).flatMap(([column, value]) => {
    const theirs = (found as Record<string, unknown>)[column];
    if (column === untold[name] || text(theirs) === text(value)) return [];
    return [`${label}: ${column} is ${text(theirs)}, the logs say ${text(value)}`];
  });
}

async function page(name: TableName, after: unknown[]): Promise<Row<TableName>[]> {
  // The table is chosen at run time; its rows are the ledger's by the schema check.
  const table = schema[name] as unknown as typeof schema.posting;
  const columns = keys[name].map((key) => (table as unknown as Record<string, typeof table.seq>)[key]);
  const [first, ...rest] = columns;
  if (!first) throw new Error(`${name} has no key`);
  const tuple = sql.join(columns, sql`, `);
  const condition =
    after.length === 0
      ? undefined
      : rest.length === 0
        ? gt(first, after[0] as number)
        : sql`(${tuple}) > (${sql.join(
            after.map((value) => sql`${typeof value === "bigint" ? value.toString() : value}`),
            sql`, `,
          )})`;
  const order = columns.flatMap((column) => (column ? [asc(column)] : []));
  const rows = await db
    .select()
    .from(table)
    .where(condition)
    .orderBy(...order)
    .limit(PAGE);
  return rows as unknown as Row<TableName>[];
}

function text(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? inner.toString() : inner)) ?? "nothing"
  );
}
