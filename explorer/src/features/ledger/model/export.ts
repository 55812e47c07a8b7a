import type { JournalRow } from "./journal.ts";

const COLUMNS = ["time", "block", "job", "what", "account", "for", "sign", "units", "transaction"] as const;

function values(row: JournalRow): Record<(typeof COLUMNS)[number], string> {
  return {
    time: row.timestamp === undefined ? "" : new Date(row.timestamp * 1000).toISOString(),
    block: String(row.block),
    job: row.job ?? "",
    what: row.what,
    account: row.account,
    for: row.why,
    sign: row.sign === "−" ? "-" : row.sign,
    units: String(row.amount),
    transaction: row.tx,
  };
}

/** The rows as CSV; amounts in base units. A cell that a spreadsheet would run as a formula is quoted into text. */
export function exportCsv(rows: readonly JournalRow[]): string {
  const lines = rows.map((row) => {
    const cells = values(row);
    return COLUMNS.map((column) => cell(cells[column], column === "sign")).join(",");
  });
  return `${[COLUMNS.join(","), ...lines].join("\n")}\n`;
}

export function exportJson(rows: readonly JournalRow[]): string {
  return `${JSON.stringify(rows.map(values), undefined, 1)}\n`;
}

function cell(text: string, plain: boolean): string {
  const safe = !plain && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
