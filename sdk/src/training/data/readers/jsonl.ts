import type { BrokenRow, Row } from "./rows.ts";

/** Rows of a JSON Lines text: one object a line; texts, numbers and booleans become fields. Blank lines are skipped. */
export function* jsonlRows(text: string): Generator<Row | BrokenRow> {
  let line = 0;
  for (const source of text.split(/\r\n|\r|\n/)) {
    line++;
    if (source.trim() === "") continue;
    yield parseLine(source, line);
  }
}

function parseLine(source: string, line: number): Row | BrokenRow {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    return { line, broken: error instanceof Error ? error.message : "no JSON" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { line, broken: "no JSON object" };
  const fields = new Map<string, string>();
  for (const [name, field] of Object.entries(value))
    if (typeof field === "string" || typeof field === "number" || typeof field === "boolean")
      fields.set(name, String(field));
  return { line, fields };
}
