import { writeFileSync } from "node:fs";
import { basename, dirname, extname, relative, resolve } from "node:path";
import { GpuchainError } from "../../daemon/index.ts";
import { TEMPLATES, type Template } from "../../records/index.ts";
import { fileRows } from "../../training/data/readers/labelledTexts.ts";
import { readText } from "../jobFile.ts";
import { formOf, reading } from "../jobs/common.ts";
import { jobText } from "../jobs/jobText.ts";
import type { Output } from "../output.ts";

export interface InitOptions {
  template?: string;
  data?: string;
  text?: string;
  label?: string;
  features?: string;
  base?: string;
  title?: string;
  steps?: string;
  interval?: string;
  disputeWindow?: string;
}

/** Columns by the names that they usually have. */
const USUAL = {
  text: ["text", "message", "body", "content", "sentence", "review"],
  label: ["label", "class", "category", "target", "sentiment"],
};

const EXAMPLE_DATA: Readonly<Record<Template, string>> = {
  "text-classification": "texts.csv",
  "text-classification-lora": "texts.csv",
  "language-model": "text.txt",
  mlp: "table.csv",
};

/**
 * Writes a job file with comments to start from.
 *
 * Errors: FILE_EXISTS (it never overwrites), JOB_FILE_MISSING, NOT_UTF8, COLUMN_UNKNOWN, USAGE.
 */
export function init(output: Output, path: string, options: InitOptions): void {
  const template = templateOf(options);
  const data = options.data ?? EXAMPLE_DATA[template];
  const columns = columnsOf(template, options);
  // Paths in a job file are relative to it.
  const named = (file: string) => relative(dirname(resolve(path)), resolve(file)) || ".";
  const content = jobText({
    ...{ template, title: options.title ?? basename(data, extname(data)), data: named(data), ...columns },
    base: named(options.base ?? "distilbert-base-uncased"),
    steps: wholeNumber("--steps", options.steps ?? "400"),
    interval: wholeNumber("--interval", options.interval ?? "50"),
    disputeWindow:
      options.disputeWindow === undefined ? undefined : wholeNumber("--dispute-window", options.disputeWindow),
  });
  try {
    writeFileSync(path, content, { flag: "wx" });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "EEXIST")
      throw new GpuchainError("FILE_EXISTS", `${path} exists already`, { hint: "give another name", cause });
    throw new GpuchainError("FILE_NOT_WRITTEN", `cannot write ${path}`, {
      hint:
        code === "ENOENT" ? "its folder is not there: make it first" : "give a name in a folder that you may write to",
      cause,
    });
  }
  output.result({ file: path, template, data, ...columns }, () => [
    `wrote ${path}: look it over, then`,
    `  gpuchain check ${path}      is it right?`,
    `  gpuchain estimate ${path}   what will it cost?`,
    `  gpuchain post ${path}       post it and lock the budget`,
  ]);
}

/** The template that was asked for, or the one that fits what was given. */
function templateOf({ template, base, features, data = "" }: InitOptions): Template {
  if (template === undefined) {
    if (base !== undefined) return "text-classification-lora";
    if (features !== undefined) return "mlp";
    return /\.(txt|md)(\.gz)?$/i.test(data) ? "language-model" : "text-classification";
  }
  const found = TEMPLATES.find((one) => one === template);
  if (found !== undefined) return found;
  throw new GpuchainError("USAGE", `there is no template "${template}"`, {
    hint: `choose one of ${TEMPLATES.join(", ")}`,
  });
}

interface Columns {
  text: string;
  label: string;
  features: string[];
}

/** The columns of the data that the job takes: as given, else guessed from their names and from the first row. */
function columnsOf(template: Template, options: InitOptions): Columns {
  const { data, text, label } = options;
  const features = options.features?.split(",").map((name) => name.trim());
  if (data === undefined || template === "language-model") {
    return { text: text ?? "text", label: label ?? "label", features: features ?? ["first", "second"] };
  }
  const first = firstRow(data);
  const choose = (flag: "text" | "label", given: string | undefined): string => {
    const found = given ?? [...first.keys()].find((name) => USUAL[flag].includes(name.toLowerCase()));
    if (found !== undefined && first.has(found)) return found;
    const what =
      found === undefined ? `which column of ${data} holds the ${flag}?` : `${data} has no column "${found}"`;
    const isTable = flag === "text" && found === undefined && numbersIn(first, label).length > 0;
    throw new GpuchainError("COLUMN_UNKNOWN", `${what} It has: ${describeColumns(first)}`, {
      hint: `name it with --${flag} COLUMN${isTable ? "; or is it a table of numbers? Then give --template mlp" : ""}`,
    });
  };
  const classes = choose("label", label);
  if (template !== "mlp") return { text: choose("text", text), label: classes, features: [] };
  const chosen = features ?? numbersIn(first, classes);
  const missing = chosen.find((name) => !first.has(name));
  if (missing === undefined && chosen.length > 0) return { text: "", label: classes, features: chosen };
  throw new GpuchainError(
    "COLUMN_UNKNOWN",
    missing === undefined ? `no column of ${data} holds numbers` : `${data} has no column "${missing}"`,
    { hint: "name the columns with --features a,b,c" },
  );
}

/** Columns whose first field is a number, but the classes. */
const numbersIn = (first: ReadonlyMap<string, string>, classes: string | undefined): string[] =>
  [...first]
    .filter(([name, field]) => name !== classes && field.trim() !== "" && Number.isFinite(Number(field)))
    .map(([name]) => name);

/** As many names as help, none longer than a name is. */
function describeColumns(first: ReadonlyMap<string, string>): string {
  const shown = [...first.keys()].slice(0, 12).map((name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name));
  return (
    [...shown, ...(first.size > shown.length ? [`and ${first.size - shown.length} more`] : [])].join(", ") || "none"
  );
}

/** Names and fields of a file's first row. */
function firstRow(file: string): ReadonlyMap<string, string> {
  const content = readText(file);
  const row = reading(file, () => [...take(fileRows(content, formOf(file)), 1)][0]);
  if (row !== undefined && "fields" in row) return row.fields;
  throw new GpuchainError("BAD_DATASET", `${file} holds no row that can be read`, {
    hint: "it must be .csv or .tsv with a header line, or .jsonl with one object a line",
  });
}

/** The first so many of a series; nothing after them is read. */
function* take<Value>(values: Iterable<Value>, count: number): Generator<Value> {
  let taken = 0;
  for (const value of values) {
    yield value;
    if (++taken === count) return;
  }
}

function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new GpuchainError("USAGE", `${flag} takes a whole number from 1 to 9999999, not "${text}"`, {
    hint: "see gpuchain init --help",
  });
}
