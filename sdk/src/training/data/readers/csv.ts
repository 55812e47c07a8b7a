import { TrainingError } from "../../errors.ts";
import type { BrokenRow, Row } from "./rows.ts";

export interface CsvOptions {
  /** whether the first row names the columns; without it columns are "0", "1", … */
  readonly header: boolean;
  /** default: a comma, or what a header without one shows: semicolons or tabs */
  readonly separator?: string;
}

/** Most columns that a job's spec names. */
const MAX_COLUMNS = 65_536;

/**
 * Rows of a CSV text (RFC 4180): quoted fields may hold separators, line breaks and doubled quotes. A row that breaks the form is given
 * as broken, and reading goes on with the next line.
 *
 * @throws TrainingError `BAD_DATASET` when the header names a column twice, or a line holds more columns than a spec can name
 */
export function* csvRows(text: string, options: CsvOptions): Generator<Row | BrokenRow> {
  const { header, separator = header ? separatorOf(text) : "," } = options;
  let names: string[] | undefined;
  for (const { line, fields, broken } of records(text, separator)) {
    if (broken !== undefined) yield { line, broken };
    else if (header && names === undefined) names = checkNames(fields);
    else if (names !== undefined && fields.length !== names.length)
      yield { line, broken: `${fields.length} fields, the header names ${names.length}` };
    else yield { line, fields: new Map(fields.map((field, i) => [names?.[i] ?? String(i), field])) };
  }
}

/** Spreadsheets of many countries write semicolons, and call it CSV all the same. */
function separatorOf(text: string): string {
  const bare = text.slice(0, lineEnd(text, 0)).replace(/"(?:[^"]|"")*"/g, "");
  return [",", ";", "\t"].find((separator) => bare.includes(separator)) ?? ",";
}

function checkNames(names: string[]): string[] {
  const seen = new Set<string>();
  const twice = names.find((name) => name !== "" && seen.size === seen.add(name).size);
  if (twice === undefined) return names;
  throw new TrainingError("BAD_DATASET", `The header names the column "${twice}" twice: rename one.`);
}

interface Record {
  readonly line: number;
  readonly fields: string[];
  readonly broken?: string;
}

function* records(text: string, separator: string): Generator<Record> {
  let line = 1;
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const start = line;
    const { fields, end, broken } = record(text, at, separator);
    if (fields.length > MAX_COLUMNS)
      throw new TrainingError("BAD_DATASET", `Line ${start} holds more than ${MAX_COLUMNS} fields: is this a table?`);
    line += countLines(text, at, end);
    at = end;
    const blank = fields.length === 1 && fields[0] === "";
    if (broken !== undefined) yield { line: start, fields, broken };
    else if (!blank) yield { line: start, fields };
  }
}

function record(text: string, from: number, separator: string): { fields: string[]; end: number; broken?: string } {
  const fields: string[] = [];
  let at = from;
  for (;;) {
    let field: string;
    if (text[at] === '"') {
      const quoted = quotedField(text, at + 1);
      // Resuming at the next line keeps one stray quote from swallowing the rest of the file.
      if (quoted === undefined) return { fields, end: lineEnd(text, from), broken: "a quote is not closed" };
      [field, at] = quoted;
      if (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r")
        return { fields, end: lineEnd(text, at), broken: "text follows a closing quote" };
    } else {
      const start = at;
      while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at++;
      field = text.slice(start, at);
    }
    fields.push(field);
    if (text[at] === separator && fields.length <= MAX_COLUMNS) at++;
    else return { fields, end: lineEnd(text, at) };
  }
}

/** The field after an opening quote, and where it ends. */
function quotedField(text: string, from: number): [string, number] | undefined {
  let field = "";
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return undefined;
    field += text.slice(at, quote);
    if (text[quote + 1] !== '"') return [field, quote + 1];
    field += '"';
    at = quote + 2;
  }
}

/** Where the next line begins: after a line feed, a carriage return, or both. */
function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\n") return at + 1;
    if (text[at] === "\r") return text[at + 1] === "\n" ? at + 2 : at + 1;
  }
  return text.length;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; lines++) at = lineEnd(text, at);
  return lines;
}
