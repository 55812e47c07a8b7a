import {
  type ColumnDef,
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  type SortFn,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import type { ReactNode } from "react";

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/** What one column shows and sorts by. */
export interface SortableColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly sortBy: (row: Row) => string | number | bigint;
  readonly cell: (row: Row) => ReactNode;
  readonly right?: boolean;
  /** shown as a row's name on a phone */
  readonly rowHeader?: boolean;
}

/** A table whose heads sort it. On a phone each row becomes a record and keeps its roles. */
export function SortableTable<Row extends object>(props: {
  rows: readonly Row[];
  columns: readonly SortableColumn<Row>[];
  rowKey: (row: Row) => string;
  label: string;
  first: string;
}) {
  const helper = createColumnHelper<typeof features, Row>();
  const columns = props.columns.map((column) =>
    helper.accessor((row) => column.sortBy(row), {
      id: column.id,
      header: column.header,
      sortFn: byValue as SortFn<typeof features, Row>,
    }),
  ) as ColumnDef<typeof features, Row>[];
  const table = useTable({
    features,
    columns,
    data: props.rows as Row[],
    initialState: { sorting: [{ id: props.first, desc: true }] },
    getRowId: props.rowKey,
  });
  const sorting = table.state.sorting[0];
  return (
    <table className="tab recs" aria-label={props.label}>
      <thead>
        <tr>
          {props.columns.map((column) => {
            const sorted = sorting?.id === column.id ? (sorting.desc ? "descending" : "ascending") : "none";
            return (
              <th key={column.id} className={column.right ? "r" : undefined} aria-sort={sorted}>
                <button
                  type="button"
                  className="sortb"
                  onClick={() => table.getColumn(column.id)?.toggleSorting(sorted === "ascending")}
                >
                  {column.header}
                  {sorted === "descending" ? " ↓" : sorted === "ascending" ? " ↑" : ""}
                </button>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id}>
            {props.columns.map((column) =>
              column.rowHeader ? (
                <th key={column.id} scope="row">
                  {column.cell(row.original)}
                </th>
              ) : (
                <td key={column.id} className={column.right ? "num r" : undefined} data-h={column.header}>
                  {column.cell(row.original)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function byValue(
  a: { getValue: (id: string) => unknown },
  b: { getValue: (id: string) => unknown },
  id: string,
): number {
  const [x, y] = [a.getValue(id) as string | number | bigint, b.getValue(id) as string | number | bigint];
  if (typeof x === "string" && typeof y === "string") return x.localeCompare(y);
  return x < y ? -1 : x > y ? 1 : 0;
}
