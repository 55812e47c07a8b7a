// A job's page is many short lists of one job. A statement for each costs the database more in coming and going than in reading, so
// the lists that a query names are read in one statement, as JSON.
import { db } from "ponder:api";
import schema from "ponder:schema";
import { getTableColumns, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { GraphQLResolveInfo, GraphQLSchema } from "graphql";
import { asc, eq, sql } from "ponder";

const DEFAULT_LIMIT = 50;

interface ListArgs {
  limit?: number;
  orderBy?: string;
  orderDirection?: string;
  [other: string]: unknown;
}

/** A job's lists and the order that their keys give them. */
const LISTS = {
  timeline: { table: schema.journal, order: ["seq"] },
  leases: { table: schema.lease, order: ["fence"] },
  checkpoints: { table: schema.checkpoint, order: ["id"] },
  votes: { table: schema.vote, order: ["checkpointId", "verifier"] },
  seats: { table: schema.seat, order: ["seat", "seq"] },
  evictions: { table: schema.eviction, order: ["fence"] },
  payouts: { table: schema.payout, order: ["seq", "line"] },
  challenges: { table: schema.challenge, order: ["checkpointId"] },
  slashings: { table: schema.slashing, order: ["seq"] },
  standings: { table: schema.standing, order: ["provider"] },
} as const;

type ListName = keyof typeof LISTS;

/** Gives those lists resolvers that wait for each other. Filters, other orders, cursors and counts still go to Ponder's own. */
export function joinJobLists(whole: GraphQLSchema, graphql: typeof import("graphql")): void {
  const job = whole.getType("job");
  if (!graphql.isObjectType(job)) throw new Error("the schema has no job");
  for (const name of Object.keys(LISTS) as ListName[]) {
    const config = job.getFields()[name];
    if (!config) throw new Error(`the schema has no job.${name}`);
    const own = config.resolve;
    config.resolve = async (row: { id: bigint }, args: ListArgs, context: object, info) => {
      const { limit = DEFAULT_LIMIT, orderBy = LISTS[name].order[0], orderDirection = "asc", ...rest } = args;
      const plain =
        orderBy === LISTS[name].order[0] && orderDirection === "asc" && limit > 0 && Object.keys(rest).length === 0;
      if (!plain || !wantsItemsOnly(info)) return own?.(row, args, context, info);
      return { items: await load(context, row.id, name, limit) };
    };
  }
}

function wantsItemsOnly({ fieldNodes }: GraphQLResolveInfo): boolean {
  return fieldNodes.every(({ selectionSet }) =>
    selectionSet?.selections.every((one) => one.kind === "Field" && ["items", "__typename"].includes(one.name.value)),
  );
}

interface Batch {
  wanted: Map<string, { name: ListName; limit: number }>;
  rows: Promise<Record<string, Record<string, unknown>[] | null>>;
}

/** Batches of one request, by its context and job. */
const batches = new WeakMap<object, Map<bigint, Batch>>();

/** One list of a job, read together with all that are asked for in the same turn. */
async function load(context: object, jobId: bigint, name: ListName, limit: number): Promise<unknown[]> {
  const open = batches.get(context) ?? new Map<bigint, Batch>();
  batches.set(context, open);
  let batch = open.get(jobId);
  if (!batch) {
    const wanted: Batch["wanted"] = new Map();
    const rows = new Promise((resolve) => setImmediate(resolve)).then(() => {
      open.delete(jobId);
      return read(jobId, wanted);
    });
    batch = { wanted, rows };
    open.set(jobId, batch);
  }
  const key = `${name}_${limit}`;
  batch.wanted.set(key, { name, limit });
  const decode = decoder(name);
  return ((await batch.rows)[key] ?? []).map(decode);
}

async function read(jobId: bigint, wanted: Batch["wanted"]): Promise<Record<string, Record<string, unknown>[] | null>> {
  const lists = [...wanted].map(([key, { name, limit }]): SQL => {
    const { order } = LISTS[name];
    const columns = columnsOf(name);
    const selected = Object.entries(columns).map(([field, column]) =>
      // A number in JSON would lose digits of an amount.
      isAmount(column) ? sql`${column}::text as ${sql.identifier(field)}` : sql`${column} as ${sql.identifier(field)}`,
    );
    const by = order.map((field) => asc(columnOf(columns, field)));
    const { table } = LISTS[name];
    return sql`(select json_agg(r) from (select ${sql.join(selected, sql`, `)} from ${table}
      where ${eq(columnOf(columns, "jobId"), jobId)} order by ${sql.join(by, sql`, `)} limit ${limit}) r) as ${sql.identifier(key)}`;
  });
  const { rows } = await db.execute(sql`select ${sql.join(lists, sql`, `)}`);
  return (rows[0] ?? {}) as Record<string, Record<string, unknown>[] | null>;
}

function decoder(name: ListName): (row: Record<string, unknown>) => Record<string, unknown> {
  const amounts = Object.entries(columnsOf(name)).flatMap(([field, column]) => (isAmount(column) ? [field] : []));
  return (row) => {
    for (const field of amounts) if (typeof row[field] === "string") row[field] = BigInt(row[field]);
    return row;
  };
}

function columnsOf(name: ListName): Record<string, PgColumn> {
  return getTableColumns(LISTS[name].table as typeof schema.journal);
}

function columnOf(columns: Record<string, PgColumn>, field: string): PgColumn {
  const column = columns[field];
  if (!column) throw new Error(`no column ${field}`);
  return column;
}

function isAmount(column: PgColumn): boolean {
  return column.getSQLType().startsWith("numeric");
}
