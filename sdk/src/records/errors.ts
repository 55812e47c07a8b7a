/** What is wrong with a record, by name; every code is final: reading the same bytes again cannot help. */
export type RecordErrorCode =
  | "NOT_CANONICAL"
  | "BAD_JOB_SPEC"
  | "BAD_CHECKPOINT_META"
  | "BAD_TRACE"
  | "BAD_HEX"
  | "BAD_TERMS";

/** A record that cannot be read or built. The message says what to change. */
export class RecordError extends Error {
  override readonly name = "RecordError";
  readonly code: RecordErrorCode;

  constructor(code: RecordErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
