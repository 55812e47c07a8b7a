// Resolvers of the relations that pages are made of. Ponder's own take a statement each; these share one (see joined.ts). Filters, other
// orders, cursors and counts still go to Ponder's own.
import type { GraphQLField, GraphQLResolveInfo, GraphQLSchema } from "graphql";
import type { TableName } from "../../ledger/tables.ts";
import { type JoinedRow, readByKey, readList } from "./joined.ts";

const DEFAULT_LIMIT = 50;

/** A job's lists and the order that their keys give them. */
const JOB_LISTS: Record<string, { table: TableName; order: readonly string[] }> = {
  timeline: { table: "journal", order: ["seq"] },
  leases: { table: "lease", order: ["fence"] },
  checkpoints: { table: "checkpoint", order: ["id"] },
  votes: { table: "vote", order: ["checkpointId", "verifier"] },
  seats: { table: "seat", order: ["seat", "seq"] },
  evictions: { table: "eviction", order: ["fence"] },
  payouts: { table: "payout", order: ["seq", "line"] },
  challenges: { table: "challenge", order: ["checkpointId"] },
  slashings: { table: "slashing", order: ["seq"] },
  standings: { table: "standing", order: ["provider"] },
};

/** Short lists that hang on a row of a list, such as the votes of each checkpoint of a job, and the columns that tie them. */
const CHILDREN: { parent: TableName; field: string; table: TableName; key: string; by: string }[] = [
  { parent: "checkpoint", field: "votes", table: "vote", key: "id", by: "checkpointId" },
  { parent: "checkpoint", field: "payouts", table: "payout", key: "id", by: "checkpointId" },
  { parent: "journal", field: "postings", table: "posting", key: "seq", by: "seq" },
];

/** Single rows that another names by its key. */
const ONES: { parent: TableName; field: string; table: TableName; key: string; by: string }[] = [
  { parent: "job", field: "template", table: "template", key: "templateId", by: "id" },
  { parent: "job", field: "clientAccount", table: "account", key: "client", by: "address" },
  { parent: "job", field: "holderProvider", table: "provider", key: "holder", by: "address" },
  { parent: "lease", field: "holder", table: "provider", key: "provider", by: "address" },
  { parent: "checkpoint", field: "by", table: "provider", key: "provider", by: "address" },
  { parent: "vote", field: "by", table: "verifier", key: "verifier", by: "address" },
  { parent: "seat", field: "sitter", table: "verifier", key: "verifier", by: "address" },
  { parent: "payout", field: "toProvider", table: "provider", key: "party", by: "address" },
  { parent: "payout", field: "toVerifier", table: "verifier", key: "party", by: "address" },
];

interface ListArgs {
  limit?: number;
  orderBy?: string;
  orderDirection?: string;
  [other: string]: unknown;
}

/** Gives the schema's relations resolvers that wait for each other. */
export function joinRelations(whole: GraphQLSchema, graphql: typeof import("graphql")): void {
  const fieldOf = (parent: string, field: string): GraphQLField<JoinedRow, object> => {
    const type = whole.getType(parent);
    const config = graphql.isObjectType(type) ? type.getFields()[field] : undefined;
    if (!config) throw new Error(`the schema has no ${parent}.${field}`);
    return config;
  };
  for (const [name, { table, order }] of Object.entries(JOB_LISTS)) {
    const config = fieldOf("job", name);
    const own = config.resolve;
    config.resolve = async (row: JoinedRow, args: ListArgs, context: object, info) => {
      const { limit = DEFAULT_LIMIT, orderBy = order[0], orderDirection = "asc", ...rest } = args;
      const plain = orderBy === order[0] && orderDirection === "asc" && limit > 0 && Object.keys(rest).length === 0;
      if (!plain || !wantsItemsOnly(info)) return own?.(row, args, context, info);
      return { items: await readList(context, { table, by: "jobId", key: row.id, order, limit }) };
    };
  }
  for (const { parent, field, table, key, by } of CHILDREN) {
    const config = fieldOf(parent, field);
    const own = config.resolve;
    config.resolve = async (row: JoinedRow, args: ListArgs, context: object, info) => {
      const { limit = DEFAULT_LIMIT, ...rest } = args;
      if (Object.keys(rest).length === 0) {
        const rows = await readByKey(context, { table, by, key: row[key], order: ["seq"] });
        const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
        if (rows.length <= limit) return { items: rows, totalCount: rows.length, pageInfo };
      }
      return own?.(row, args, context, info);
    };
  }
  for (const { parent, field, table, key, by } of ONES) {
    fieldOf(parent, field).resolve = async (row: JoinedRow, _args: unknown, context: object) => {
      if (row[key] === null) return null;
      return (await readByKey(context, { table, by, key: row[key], order: [by] }))[0] ?? null;
    };
  }
}

function wantsItemsOnly({ fieldNodes }: GraphQLResolveInfo): boolean {
  return fieldNodes.every(({ selectionSet }) =>
    selectionSet?.selections.every((one) => one.kind === "Field" && ["items", "__typename"].includes(one.name.value)),
  );
}
