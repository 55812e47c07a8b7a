// What may be filtered and ordered by: columns with an index, so that no query makes the database read a whole table.

import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import type { DocumentNode, GraphQLSchema } from "graphql";

/** Table name as in GraphQL → its indexed columns. */
export type IndexedColumns = Map<string, Set<string>>;

/** Operators that an index answers. */
const OPERATORS = ["", "_not", "_in", "_not_in", "_gt", "_lt", "_gte", "_lte"];

/** The columns of every table that start a primary key or an index, and those of a primary key's rest. */
export function indexedColumns(schema: Record<string, unknown>): IndexedColumns {
  const result: IndexedColumns = new Map();
  for (const [name, table] of Object.entries(schema)) {
    if (!isTable(table)) continue;
    const names = new Map(
      Object.entries(table as unknown as Record<string, unknown>).map(([key, column]) => [column, key]),
    );
    const config = getTableConfig(table);
    const found = new Set<string>();
    const add = (column: unknown) => {
      const key = names.get(column) ?? config.columns.find((one) => one.name === (column as { name?: string }).name);
      const label = typeof key === "string" ? key : key && names.get(key);
      if (label) found.add(label);
    };
    for (const column of config.columns) if (column.primary) add(column);
    for (const { columns } of config.primaryKeys) for (const column of columns) add(column);
    for (const { config: one } of config.indexes) add(one.columns[0]);
    result.set(name, found);
  }
  return result;
}

function isTable(value: unknown): value is PgTable {
  return typeof value === "object" && value !== null && Symbol.for("drizzle:IsDrizzleTable") in value;
}

/** Takes from every filter type the fields that no index answers. */
export function narrowFilters(schema: GraphQLSchema, columns: IndexedColumns, graphql: typeof import("graphql")): void {
  for (const [table, indexed] of columns) {
    const filter = schema.getType(`${table}Filter`);
    if (!graphql.isInputObjectType(filter)) continue;
    const allowed = new Set([
      "AND",
      "OR",
      ...[...indexed].flatMap((column) => OPERATORS.map((suffix) => column + suffix)),
    ]);
    const fields = filter.getFields();
    for (const name of Object.keys(fields)) if (!allowed.has(name)) delete fields[name];
  }
}

/** The first `orderBy` of a query that names a column without an index, as a message; undefined when all have one. */
export function unorderable(
  document: DocumentNode,
  schema: GraphQLSchema,
  columns: IndexedColumns,
  graphql: typeof import("graphql"),
  variables: Readonly<Record<string, unknown>>,
): string | undefined {
  const types = new graphql.TypeInfo(schema);
  let wrong: string | undefined;
  const visitor = graphql.visitWithTypeInfo(types, {
    Field(node) {
      const argument = node.arguments?.find(({ name }) => name.value === "orderBy")?.value;
      if (!argument) return;
      const page = graphql.getNamedType(types.getType());
      const table = page?.name.replace(/Page$/, "") ?? "";
      const column =
        argument.kind === "StringValue"
          ? argument.value
          : argument.kind === "Variable"
            ? variables[argument.name.value]
            : undefined;
      if (column === undefined || column === null) return;
      const indexed = columns.get(table);
      if (!indexed?.has(String(column))) {
        wrong ??= `${table} cannot be ordered by ${column}: it has no index. Use one of ${[...(indexed ?? [])].join(", ")}.`;
      }
    },
  });
  graphql.visit(document, visitor);
  return wrong;
}
