import { type CsvOptions, csvRows } from "./csv.ts";
import { jsonlRows } from "./jsonl.ts";
import { classesOf, type ReadReport, useRows } from "./rows.ts";

/** How a file of labelled texts or numbers is laid out. */
export type FileForm = ({ readonly form: "csv" } & CsvOptions) | { readonly form: "jsonl" };

export interface LabelledTextsOptions {
  readonly file: FileForm;
  /** the label's column: a name, or a number as text where there is no header */
  readonly label: string;
  /** columns that make up the text, joined by a space */
  readonly texts: readonly string[];
  /** the classes in order; left out: those found, sorted */
  readonly labels?: readonly string[];
  readonly maxBadShare?: number;
}

export interface LabelledText {
  readonly text: string;
  /** index into `labels` */
  readonly label: number;
}

/** Rows of a CSV or JSONL text. */
export const fileRows = (text: string, file: FileForm) => (file.form === "csv" ? csvRows(text, file) : jsonlRows(text));

/** The AG News form: class, title, description, without a header; a line break inside a field is written `\n`. */
export const AG_NEWS: LabelledTextsOptions = {
  file: { form: "csv", header: false },
  label: "0",
  texts: ["1", "2"],
  labels: ["1", "2", "3", "4"],
};

/**
 * Reads texts with their classes.
 *
 * @throws TrainingError `BAD_DATASET` when too many rows are bad, naming their lines
 */
export function readLabelledTexts(
  text: string,
  options: LabelledTextsOptions,
): { examples: LabelledText[]; labels: string[]; report: ReadReport } {
  const { examples: found, report } = useRows(
    fileRows(text, options.file),
    ({ fields }) => {
      const label = fields.get(options.label)?.trim();
      if (label === undefined || label === "") return `no label in column "${options.label}"`;
      if (options.labels && !options.labels.includes(label))
        return `the label "${label.slice(0, 40)}" is none of the classes`;
      const missing = options.texts.find((column) => !fields.has(column));
      if (missing !== undefined) return `no column "${missing}"`;
      const joined = options.texts
        .map((column) => fields.get(column))
        .join(" ")
        .replaceAll("\\n", " ");
      return joined.trim() === "" ? "the text is empty" : { label, text: joined };
    },
    options.maxBadShare,
  );
  const { labels, of } = classesOf(
    found.map(({ label }) => label),
    options.labels,
  );
  const examples = found.map(({ label, text: words }) => ({ text: words, label: of(label) }));
  return { examples, labels, report };
}
