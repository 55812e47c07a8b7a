import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from "pino";
import { createLineFormatter } from "./logLine.ts";
import { redactUrlsIn } from "./redact.ts";

/** A pino logger; `log.child({ job, fence, attempt })` gives every line its context. */
export type Logger = PinoLogger;

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";

export interface LoggerOptions {
  /** Shown on each line, e.g. `node`. */
  name: string;
  level?: LogLevel;
  /** JSON lines instead of one readable line each. */
  json?: boolean;
  /** Where lines go. Default: standard output. */
  destination?: { write(line: string): unknown };
  /** Told of every line of level error or above that carries an error, with the line's own fields and its context. */
  onError?: (error: unknown, fields: Record<string, string | number | boolean>) => void;
  /** Colours in readable lines. Default: only when standard output is a terminal. */
  colour?: boolean;
}

/** Fields that never reach a log, at the top level and one level down. */
const secretFields = [
  "privateKey",
  "password",
  "passphrase",
  "mnemonic",
  "seed",
  "secretKey",
  "token",
  "authorization",
];

/**
 * A logger for a daemon: JSON lines with `time` in epoch milliseconds, or one readable line each. Keys, passwords and
 * tokens are replaced by `[redacted]`, credentials inside addresses of error messages too.
 */
export function createLogger(options: LoggerOptions): Logger {
  const out = options.destination ?? process.stdout;
  const format = createLineFormatter({
    colour: options.colour ?? (process.stdout.isTTY === true && !process.env.NO_COLOR),
  });
  const destination: DestinationStream = {
    write: (line) => void out.write(options.json ? line : format(line)),
  };
  return pino(
    {
      name: options.name,
      level: options.level ?? "info",
      base: {},
      timestamp: stdTimeFunctions.epochTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: "[redacted]" },
      serializers: { err: serializeError, error: serializeError },
      ...(options.onError && { hooks: { logMethod: reportErrors(options.onError) } }),
    },
    destination,
  );
}

const ERROR_LEVEL = 50;

function reportErrors(onError: NonNullable<LoggerOptions["onError"]>) {
  return function (this: PinoLogger, args: unknown[], method: (...args: unknown[]) => void, level: number): void {
    const [first] = args;
    if (level >= ERROR_LEVEL && typeof first === "object" && first !== null) {
      const { err, ...own } = first as Record<string, unknown>;
      const error = err ?? (first instanceof Error ? first : undefined);
      if (error !== undefined) onError(error, plain({ ...this.bindings(), ...own }));
    }
    method.apply(this, args);
  };
}

/** What a tag can hold; secrets have no business in one. */
const plain = (fields: Record<string, unknown>): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, string | number | boolean] =>
        ["string", "number", "boolean"].includes(typeof entry[1]) && !secretFields.includes(entry[0]),
    ),
  );

function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  const hint = "hint" in error && typeof error.hint === "string" ? { hint: error.hint } : {};
  const cause = error.cause !== undefined && depth < 3 ? { cause: serializeError(error.cause, depth + 1) } : {};
  const stack = depth === 0 && error.stack !== undefined ? { stack: redactUrlsIn(error.stack) } : {};
  return { type: error.name, ...code, message: redactUrlsIn(error.message), ...hint, ...cause, ...stack };
}
