// Lists inside lists, such as the votes of each checkpoint of a job, in one statement for all parents: Ponder asks once for each.
import { db } from "ponder:api";
import schema from "ponder:schema";
import type { GraphQLSchema } from "graphql";
import { asc, inArray } from "ponder";

const DEFAULT_LIMIT = 50;

interface PageArgs {
  limit?: number;
  [other: string]: unknown;
}

/** Child lists that hang on a row of a list, and the columns that tie them. All are short. */
const CHILDREN = [
  { parent: "checkpoint", field: "votes", table: "vote", key: "id", foreign: "checkpointId" },
  { parent: "checkpoint", field: "payouts", table: "payout", key: "id", foreign: "checkpointId" },
  { parent: "journal", field: "postings", table: "posting", key: "seq", foreign: "seq" },
] as const;

/** Gives those lists resolvers that wait for each other. Filters, orders and cursors still go to Ponder's own. */
export function batchChildren(whole: GraphQLSchema, graphql: typeof import("graphql")): void {
  for (const { parent, field, table, key, foreign } of CHILDREN) {
    const type = whole.getType(parent);
    const config = graphql.isObjectType(type) ? type.getFields()[field] : undefined;
    if (!config) throw new Error(`the schema has no ${parent}.${field}`);
    const own = config.resolve;
    config.resolve = async (row: Record<string, unknown>, args: PageArgs, context: object, info) => {
      const { limit = DEFAULT_LIMIT, ...rest } = args;
      if (Object.keys(rest).length === 0) {
        const rows = await load(context, `${parent}.${field}`, row[key], (keys) => childRows(table, foreign, keys));
        const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
        if (rows.length <= limit) return { items: rows, totalCount: rows.length, pageInfo };
      }
      return own?.(row, args, context, info);
    };
  }
}

async function childRows(name: "vote" | "payout" | "posting", foreign: string, keys: unknown[]) {
  // The table is chosen at run time; all three have these two columns.
  const table = schema[name] as unknown as typeof schema.vote;
  const column = (table as unknown as Record<string, typeof table.checkpointId>)[foreign];
  if (!column) throw new Error(`${name} has no ${foreign}`);
  const rows = await db
    .select()
    .from(table)
    .where(inArray(column, keys as bigint[]))
    .orderBy(asc(table.seq));
  const byKey = new Map<unknown, unknown[]>(keys.map((key) => [key, []]));
  for (const row of rows) byKey.get((row as Record<string, unknown>)[foreign])?.push(row);
  return byKey;
}

interface Batch {
  keys: Set<unknown>;
  rows: Promise<Map<unknown, unknown[]>>;
}

/** Batches of one request, by its context. */
const batches = new WeakMap<object, Map<string, Batch>>();

/** Rows of one key, read together with those of all keys asked for in the same turn. */
async function load(
  context: object,
  name: string,
  key: unknown,
  read: (keys: unknown[]) => Promise<Map<unknown, unknown[]>>,
): Promise<unknown[]> {
  const open = batches.get(context) ?? new Map<string, Batch>();
  batches.set(context, open);
  let batch = open.get(name);
  if (!batch) {
    const keys = new Set<unknown>();
    const rows = new Promise((resolve) => setImmediate(resolve)).then(() => {
      open.delete(name);
      return read([...keys]);
    });
    batch = { keys, rows };
    open.set(name, batch);
  }
  batch.keys.add(key);
  return (await batch.rows).get(key) ?? [];
}
