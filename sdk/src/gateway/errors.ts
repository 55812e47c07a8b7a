import { GpuchainError } from "../daemon/errors.ts";

/** What went wrong between a worker and a verifier's gateway, by name. */
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
  | "UNKNOWN_JOB"
  | "BAD_REQUEST"
  | "NOT_FOUND"
  | "BLOB_NOT_FOUND"
  | "BLOB_HASH_INVALID"
  | "BLOB_HASH_MISMATCH"
  | "BLOB_TOO_LARGE"
  | "QUOTA_EXCEEDED"
  | "DISK_FULL"
  | "TOO_SLOW"
  | "TOO_MANY_REQUESTS"
  | "INTERNAL";

/** Codes after which the same call may help later, with nobody changing anything. */
const RETRYABLE: ReadonlySet<GatewayErrorCode> = new Set([
  "GATEWAY_UNREACHABLE",
  "GATEWAY_TIMEOUT",
  "GATEWAY_BAD_ANSWER",
  "CHALLENGE_EXPIRED",
  "UNAUTHORIZED",
  "UNKNOWN_JOB",
  "TOO_SLOW",
  "TOO_MANY_REQUESTS",
  "DISK_FULL",
  "INTERNAL",
]);

export interface GatewayErrorOptions {
  readonly hint?: string | undefined;
  /** HTTP status: what the gateway answered, or what it is to answer */
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** A failed call to a gateway, on either side of the wire. */
export class GatewayError extends GpuchainError {
  declare readonly code: GatewayErrorCode;
  readonly status: number | undefined;

  constructor(code: GatewayErrorCode, message: string, { hint, status, cause }: GatewayErrorOptions = {}) {
    super(code, message, { retryable: RETRYABLE.has(code), cause, ...(hint === undefined ? {} : { hint }) });
    this.name = "GatewayError";
    this.status = status;
  }
}
