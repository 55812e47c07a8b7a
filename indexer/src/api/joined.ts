// A page is many short lists of one job, and each statement costs the database more in coming and going than in reading. So everything
// that a request asks for in one turn of the event loop is read in one statement, as JSON.
import { db } from "ponder:api";
import schema from "ponder:schema";
import { getTableColumns, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { sql } from "ponder";
import type { TableName } from "../../ledger/tables.ts";

export type JoinedRow = Record<string, unknown>;

interface Part {
  readonly table: TableName;
  /** the column that ties the rows to whoever asks */
  readonly by: string;
  readonly keys: Set<unknown>;
  readonly order: readonly string[];
  readonly limit?: number;
}

interface Turn {
  readonly parts: Map<string, Part>;
  readonly rows: Promise<Map<string, JoinedRow[]>>;
  /** rows of a part by the key that ties them, made when first asked for */
  readonly grouped: Map<string, Map<unknown, JoinedRow[]>>;
}

/** The open turn of each request, by its context. */
const turns = new WeakMap<object, Turn>();

/** Rows of one list: of `table`, where `by` is `key`, in the order given. */
export async function readList(
  context: object,
  list: { table: TableName; by: string; key: unknown; order: readonly string[]; limit: number },
): Promise<JoinedRow[]> {
  const { table, by, key, order, limit } = list;
  const name = `${table} ${by}=${String(key)} ${order.join()} ${limit}`;
  const turn = join(context, name, () => ({ table, by, keys: new Set(), order, limit }), key);
  return (await turn.rows).get(name) ?? [];
}

/** Rows of `table` where `by` is `key`, read together with those of every other key that is asked for in this turn. */
export async function readByKey(
  context: object,
  { table, by, key, order }: { table: TableName; by: string; key: unknown; order: readonly string[] },
): Promise<JoinedRow[]> {
  const name = `${table} ${by} ${order.join()}`;
  const turn = join(context, name, () => ({ table, by, keys: new Set(), order }), key);
  const rows = (await turn.rows).get(name) ?? [];
  let groups = turn.grouped.get(name);
  if (groups === undefined) {
    groups = new Map();
    for (const row of rows) {
      const group = groups.get(row[by]);
      if (group) group.push(row);
      else groups.set(row[by], [row]);
    }
    turn.grouped.set(name, groups);
  }
  return groups.get(key) ?? [];
}

function join(context: object, name: string, open: () => Part, key: unknown): Turn {
  let turn = turns.get(context);
  if (turn === undefined) {
    const parts: Turn["parts"] = new Map();
    const rows = new Promise((resolve) => setImmediate(resolve)).then(() => {
      turns.delete(context);
      return read(parts);
    });
    turn = { parts, rows, grouped: new Map() };
    turns.set(context, turn);
  }
  const part = turn.parts.get(name) ?? open();
  turn.parts.set(name, part);
  part.keys.add(key);
  return turn;
}

async function read(parts: ReadonlyMap<string, Part>): Promise<Map<string, JoinedRow[]>> {
  const named = [...parts].map(([name, part], index) => ({ name, part, alias: `p${index}` }));
  const selects = named.map(({ part: { table, by, keys, order, limit }, alias }): SQL => {
    const { selected, columns } = shapeOf(table);
    const tie = columnOf(columns, by);
    const values = sql.join(
      [...keys].map((key) => sql.param(key, tie)),
      sql`, `,
    );
    const sorted = sql.raw(order.map((field) => quoted(columnOf(columns, field).name)).join(", "));
    const rows = sql`select ${selected} from ${schema[table]} where ${sql.raw(quoted(tie.name))} in (${values}) order by ${sorted}`;
    const bounded = limit === undefined ? rows : sql`${rows} limit ${limit}`;
    return sql`(select json_agg(r) from (${bounded}) r) as ${sql.raw(alias)}`;
  });
  const { rows } = await db.execute(sql`select ${sql.join(selects, sql`, `)}`);
  const answer = (rows[0] ?? {}) as Record<string, JoinedRow[] | null>;
  return new Map(
    named.map(({ name, part, alias }) => {
      const { amounts } = shapeOf(part.table);
      const found = answer[alias] ?? [];
      for (const row of found) {
        for (const field of amounts) if (typeof row[field] === "string") row[field] = BigInt(row[field]);
      }
      return [name, found];
    }),
  );
}

interface Shape {
  readonly columns: Record<string, PgColumn>;
  /** every column under its field's name; made once, for building it costs as much as the statement takes */
  readonly selected: SQL;
  /** fields that are amounts: as text in JSON, whose numbers would lose digits */
  readonly amounts: readonly string[];
}

const shapes = new Map<TableName, Shape>();

function shapeOf(table: TableName): Shape {
  const known = shapes.get(table);
  if (known) return known;
  // The table is chosen at run time; all are drizzle's tables.
  const columns: Record<string, PgColumn> = getTableColumns(schema[table] as unknown as typeof schema.journal);
  const fields = Object.entries(columns);
  const amounts = fields.flatMap(([field, column]) => (column.getSQLType().startsWith("numeric") ? [field] : []));
  const selected = fields.map(
    ([field, { name }]) => `${quoted(name)}${amounts.includes(field) ? "::text" : ""} as ${quoted(field)}`,
  );
  const shape = { columns, selected: sql.raw(selected.join(", ")), amounts };
  shapes.set(table, shape);
  return shape;
}

const quoted = (name: string) => `"${name}"`;

function columnOf(columns: Record<string, PgColumn>, field: string): PgColumn {
  const column = columns[field];
  if (!column) throw new Error(`no column ${field}`);
  return column;
}
