/** What an error of this product can carry besides its message. */
export interface GpuchainErrorOptions {
  /** What the person reading this should do next, one sentence. */
  hint?: string;
  /** The error underneath. */
  cause?: unknown;
  /** True when the same call may succeed later without anybody changing anything. Default false. */
  retryable?: boolean;
  /** Facts for programs, e.g. the decoded custom error of a reverted call. */
  data?: Record<string, unknown>;
}

/**
 * Every failure a person or a caller may have to act on: a stable `code` for programs, a short message, what to do next.
 *
 * @example
 * throw new GpuchainError("RPC_UNREACHABLE", "no answer from http://localhost:8545", {
 *   hint: "start the chain or pass another --rpc", retryable: true,
 * });
 */
export class GpuchainError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly data: Record<string, unknown>;

  constructor(code: string, message: string, options: GpuchainErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "GpuchainError";
    this.code = code;
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
    this.data = options.data ?? {};
  }
}

/** True for a {@link GpuchainError}, of the given code when one is given. */
export function isGpuchainError(error: unknown, code?: string): error is GpuchainError {
  return error instanceof GpuchainError && (code === undefined || error.code === code);
}

/** Errors of the rooms that know no daemon: they have a code of their own. */
const NAMED = new Set(["TrainingError", "RecordError"]);

/**
 * The error itself when it is ours, otherwise one that keeps it as the cause: with its code where it has one (`BAD_DATASET`,
 * `BAD_JOB_SPEC`), else `UNEXPECTED`.
 */
export function toGpuchainError(error: unknown, message?: string): GpuchainError {
  if (error instanceof GpuchainError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const named = error instanceof Error && NAMED.has(error.name) && "code" in error;
  return new GpuchainError(
    named ? String(error.code) : "UNEXPECTED",
    message === undefined ? text : `${message}: ${text}`,
    { cause: error, retryable: named && "retryable" in error && error.retryable === true },
  );
}
