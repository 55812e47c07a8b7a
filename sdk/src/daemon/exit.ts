import { type GpuchainError, toGpuchainError } from "./errors.ts";

/** Codes that mean the command was called wrongly; the process then exits with 2 instead of 1. */
const usageCodes = new Set(["USAGE", "CONFIG_INVALID", "CONFIG_MISSING", "CONFIG_UNKNOWN"]);

/** Exit status for an error: 2 for wrong usage, 130 after Ctrl-C, 1 for every other failure. */
export function exitCodeFor(error: GpuchainError): number {
  if (error.code === "INTERRUPTED") return 130;
  return usageCodes.has(error.code) ? 2 : 1;
}

/** `error: …` and, where there is one, an indented `hint: …`; no stack, because the reader is a person. */
export function formatError(error: unknown): string {
  const known = toGpuchainError(error);
  return known.hint === undefined ? `error: ${known.message}` : `error: ${known.message}\n  hint: ${known.hint}`;
}

/**
 * Prints an error for a person and sets the exit code; the process ends by itself once nothing is left to do, so that
 * what is half written gets flushed.
 */
export function exitWith(error: unknown, target: Pick<NodeJS.Process, "stderr" | "exitCode"> = process): void {
  target.stderr.write(`${formatError(error)}\n`);
  target.exitCode = exitCodeFor(toGpuchainError(error));
}
