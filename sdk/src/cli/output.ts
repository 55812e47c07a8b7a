import { formatUsdc } from "../daemon/index.ts";
import { plain } from "./plain.ts";

/** Where a command's results go: one JSON value a line, or text for a person. */
export interface Output {
  readonly json: boolean;
  /** A result: as JSON, or as the given lines. */
  result(value: unknown, text: () => string | readonly string[]): void;
  /** What is being done; on the error stream, and only for a person. */
  progress(text: string): void;
}

export interface OutputStreams {
  out: { write(text: string): unknown };
  error: { write(text: string): unknown };
}

export function createOutput(
  json: boolean,
  streams: OutputStreams = { out: process.stdout, error: process.stderr },
): Output {
  return {
    json,
    result(value, text) {
      if (json) streams.out.write(`${toJson(value)}\n`);
      else {
        const lines = text();
        streams.out.write(`${plain(typeof lines === "string" ? lines : lines.join("\n"))}\n`);
      }
    },
    progress(text) {
      if (!json) streams.error.write(`${plain(text)}\n`);
    },
  };
}

/** JSON in which whole numbers too large for a double are strings. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "bigint") return part.toString();
    return part instanceof Map ? Object.fromEntries(part) : part;
  });
  // JSON may hold these as they are, but a terminal that shows it may act on them.
  return json.replace(/[\u007f-\u009f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Base units for a person and for JSON: a decimal string with six places. */
export const usdc = (amount: bigint): string => formatUsdc(amount);

/** Columns of text, right-aligned where a column holds numbers. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const numeric = header.map((_, column) => rows.every((row) => /^[\d.,#-]*$/.test(row[column] ?? "")));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (numeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return [line(header), ...rows.map(line)];
}

/** Unix seconds as a local date and time. */
export function when(seconds: number | bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().replace("T", " ").slice(0, 19);
}
