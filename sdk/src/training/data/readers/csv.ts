import type { BrokenRow, Row } from "./rows.ts";

export interface CsvOptions {
  /** whether the first row names the columns; without it columns are "0", "1", … */
  readonly header: boolean;
  readonly separator?: string;
}

/**
 * Rows of a CSV text (RFC 4180): quoted fields may hold separators, line breaks and doubled quotes. A row that breaks the form is given
 * as broken, and reading goes on with the next line.
 */
export function* csvRows(text: string, { header, separator = "," }: CsvOptions): Generator<Row | BrokenRow> {
  let names: string[] | undefined;
  for (const { line, fields, broken } of records(text, separator)) {
    if (broken !== undefined) yield { line, broken };
    else if (header && names === undefined) names = fields;
    else if (names !== undefined && fields.length !== names.length)
      yield { line, broken: `${fields.length} fields, the header names ${names.length}` };
    else yield { line, fields: new Map(fields.map((field, i) => [names?.[i] ?? String(i), field])) };
  }
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
    if (text[at] === separator) at++;
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

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end + 1;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
