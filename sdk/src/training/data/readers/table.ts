import type { Dataset } from "../dataset.ts";
import { type FileForm, fileRows } from "./labelledTexts.ts";
import { classesOf, type ReadReport, useRows } from "./rows.ts";

export interface TableOptions {
  readonly file: FileForm;
  readonly label: string;
  /** columns of numbers, in order */
  readonly features: readonly string[];
  /** the classes in order; left out: those found, sorted */
  readonly labels?: readonly string[];
  readonly maxBadShare?: number;
}

/** How each column is brought to mean 0 and deviation 1; computed from the training rows, applied to all. */
export interface Standardisation {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

export interface TableRows {
  readonly rows: readonly { readonly values: readonly number[]; readonly label: number }[];
  readonly labels: string[];
  readonly report: ReadReport;
}

/**
 * Reads rows of numbers with their classes.
 *
 * @throws TrainingError `BAD_DATASET` when too many rows are bad, naming their lines
 */
export function readTable(text: string, options: TableOptions): TableRows {
  const { examples, report } = useRows(
    fileRows(text, options.file),
    ({ fields }) => {
      const label = fields.get(options.label)?.trim();
      if (label === undefined || label === "") return `no label in column "${options.label}"`;
      if (options.labels && !options.labels.includes(label))
        return `the label "${label.slice(0, 40)}" is none of the classes`;
      const values: number[] = [];
      for (const column of options.features) {
        const field = fields.get(column)?.trim() ?? "";
        const value = Number(field);
        if (field === "" || !Number.isFinite(value))
          return `column "${column}" holds no number but "${field.slice(0, 40)}"`;
        values.push(value);
      }
      return { label, values };
    },
    options.maxBadShare,
  );
  const { labels, of } = classesOf(
    examples.map(({ label }) => label),
    options.labels,
  );
  return { rows: examples.map(({ label, values }) => ({ values, label: of(label) })), labels, report };
}

/** Mean and deviation of each column; a constant column keeps deviation 1. */
export function standardisationOf(rows: TableRows["rows"]): Standardisation {
  const width = rows[0]?.values.length ?? 0;
  const columns = Array.from({ length: width }, (_, i) => rows.map(({ values }) => values[i] as number));
  const mean = columns.map((column) => column.reduce((sum, x) => sum + x, 0) / column.length);
  const deviation = columns.map((column, i) => {
    // By its values: the mean of many times 0.1 is rounded, and would leave a deviation of 1e-16.
    if (column.every((x) => x === column[0])) return 1;
    const variance = column.reduce((sum, x) => sum + (x - (mean[i] as number)) ** 2, 0) / column.length;
    return Math.sqrt(variance) || 1;
  });
  return { mean, deviation };
}

/** Standardised rows as a data set. */
export function tableDataset(rows: TableRows["rows"], { mean, deviation }: Standardisation): Dataset {
  const width = mean.length;
  const data = new Float32Array(rows.length * width);
  rows.forEach(({ values }, row) => {
    values.forEach((value, i) => {
      data[row * width + i] = (value - (mean[i] as number)) / (deviation[i] as number);
    });
  });
  const labels = Int32Array.from(rows, ({ label }) => label);
  return {
    format: "table",
    examples: rows.length,
    columns: { features: { dtype: "float32", width, data }, labels: { dtype: "int32", width: 1, data: labels } },
  };
}
