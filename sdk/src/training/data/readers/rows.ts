import { TrainingError } from "../../errors.ts";

/** A row of a file that could not be used, and why. */
export interface BadRow {
  /** line in the file, counted from 1, where the row begins */
  readonly line: number;
  readonly reason: string;
}

/** What became of a file's rows. */
export interface ReadReport {
  readonly rows: number;
  readonly used: number;
  readonly bad: readonly BadRow[];
}

/** One row: its line and its fields, by column number or by name. */
export interface Row {
  readonly line: number;
  readonly fields: ReadonlyMap<string, string>;
}

/** A row whose form is already wrong. */
export interface BrokenRow {
  readonly line: number;
  readonly broken: string;
}

/** Share of bad rows at which reading stops, unless the caller names another. */
export const MAX_BAD_SHARE = 0.01;
const SHOWN = 5;
/** Most rows of one file: what a job's data may be, all of it in memory at once. */
const MAX_ROWS = 3_000_000;

/**
 * Turns rows into examples; bad rows are left out and named.
 *
 * @param use an example, or in words why the row is bad
 * @param maxBadShare more than this share of bad rows stops with an error
 * @throws TrainingError `BAD_DATASET` with a summary by line, or when there are more than can be used
 */
export function useRows<Example>(
  rows: Iterable<Row | BrokenRow>,
  use: (row: Row) => Example | string,
  maxBadShare: number = MAX_BAD_SHARE,
): { examples: Example[]; report: ReadReport } {
  const examples: Example[] = [];
  const bad: BadRow[] = [];
  for (const row of rows) {
    const result = "broken" in row ? row.broken : use(row);
    if (typeof result === "string") bad.push({ line: row.line, reason: result });
    else examples.push(result);
    if (examples.length + bad.length > MAX_ROWS)
      throw new TrainingError("BAD_DATASET", `The file holds more than ${MAX_ROWS} rows: take a part of it.`);
  }
  const report = { rows: examples.length + bad.length, used: examples.length, bad };
  if (report.rows === 0) throw new TrainingError("BAD_DATASET", "The file holds no rows.");
  if (examples.length === 0 || bad.length > maxBadShare * report.rows)
    throw new TrainingError("BAD_DATASET", `${describeReport(report)} Mend them, or leave them out.`);
  return { examples, report };
}

/** Most classes that a job's spec names. */
const MAX_CLASSES = 10_000;

/**
 * Labels as classes: those given, or those found, sorted; and the place of each label among them.
 *
 * @throws TrainingError `BAD_DATASET` when there are more than a spec can name
 */
export function classesOf(
  found: Iterable<string>,
  given?: readonly string[],
): { labels: string[]; of: (label: string) => number } {
  const distinct = new Set<string>(given);
  if (given === undefined) {
    for (const label of found) {
      distinct.add(label);
      if (distinct.size > MAX_CLASSES)
        throw new TrainingError(
          "BAD_DATASET",
          `The rows hold more than ${MAX_CLASSES} classes: is the column of the label the right one?`,
        );
    }
  }
  const labels = given ? [...given] : [...distinct].sort();
  const places = new Map(labels.map((label, place) => [label, place]));
  return { labels, of: (label) => places.get(label) ?? -1 };
}

/** A report in words. */
export function describeReport({ rows, bad }: ReadReport): string {
  if (bad.length === 0) return `${rows} rows, all usable.`;
  const shown = bad.slice(0, SHOWN).map(({ line, reason }) => `line ${line}: ${reason}`);
  const more = bad.length > SHOWN ? `; and ${bad.length - SHOWN} more` : "";
  return `${bad.length} of ${rows} rows are bad (${shown.join("; ")}${more}).`;
}
