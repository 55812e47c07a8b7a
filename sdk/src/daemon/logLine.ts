const colours: Record<string, string> = {
  debug: "\u001b[2m",
  warn: "\u001b[33m",
  error: "\u001b[31m",
  fatal: "\u001b[31m",
};
const reset = "\u001b[0m";
const hidden = new Set(["level", "time", "name", "msg", "err", "error"]);

function show(value: unknown): string {
  if (typeof value === "string") return /[\s"]/.test(value) ? JSON.stringify(value) : value;
  return JSON.stringify(value);
}

/** A function from one pino JSON line to one readable line: time, level when it is not info, name, text, fields. */
export function createLineFormatter({ colour }: { colour: boolean }): (line: string) => string {
  return (line) => {
    const record = JSON.parse(line) as Record<string, unknown>;
    const level = String(record.level);
    const time = new Date(Number(record.time)).toISOString().slice(11, 23);
    const text = String(record.msg ?? record.event ?? "");
    const fields = Object.entries(record)
      .filter(([key]) => !hidden.has(key) && !(key === "event" && record.msg === undefined))
      .map(([key, value]) => `${key}=${show(value)}`);
    const failure = (record.err ?? record.error) as { message?: string; hint?: string } | string | undefined;
    const cause = failure === undefined ? [] : [`(${typeof failure === "string" ? failure : failure.message})`];
    const hint = typeof failure === "object" && failure.hint !== undefined ? [`hint: ${failure.hint}`] : [];
    const mark = level === "info" ? [] : [level];
    const body = [time, ...mark, `${record.name}:`, text, ...cause, ...hint, ...fields].join(" ");
    const paint = colour ? colours[level] : undefined;
    return `${paint === undefined ? body : paint + body + reset}\n`;
  };
}
