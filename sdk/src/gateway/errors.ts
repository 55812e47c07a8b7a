/** What went wrong between a worker and a verifier's gateway, by name. `retryable` says whether the same call may help later. */
export type GatewayErrorCode =
  | "GATEWAY_UNREACHABLE"
  | "GATEWAY_TIMEOUT"
  | "GATEWAY_BAD_ANSWER"
  | "CHALLENGE_REJECTED"
  | "CHALLENGE_EXPIRED"
  | "CHALLENGE_REPLAYED"
  | "CHALLENGE_SUSPICIOUS"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "STALE_FENCE"
  | "UNCOMMITTED"
  | "BAD_REQUEST"
  | "NOT_FOUND"
  | "BLOB_NOT_FOUND"
  | "BLOB_HASH_MISMATCH"
  | "BLOB_TOO_LARGE"
  | "QUOTA_EXCEEDED"
  | "DISK_FULL"
  | "TOO_MANY_REQUESTS"
  | "UNSUPPORTED"
  | "INTERNAL";

const RETRYABLE: ReadonlySet<GatewayErrorCode> = new Set([
  "GATEWAY_UNREACHABLE",
  "GATEWAY_TIMEOUT",
  "GATEWAY_BAD_ANSWER",
  "CHALLENGE_EXPIRED",
  "UNAUTHORIZED",
  "TOO_MANY_REQUESTS",
  "DISK_FULL",
  "INTERNAL",
]);

/** A failed call to a gateway: short message, what to do next, the HTTP status where there was one. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: GatewayErrorCode;
  readonly hint: string | undefined;
  readonly status: number | undefined;
  readonly retryable: boolean;

  constructor(
    code: GatewayErrorCode,
    message: string,
    options: { hint?: string | undefined; status?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.status = options.status;
    this.retryable = RETRYABLE.has(code);
  }
}
