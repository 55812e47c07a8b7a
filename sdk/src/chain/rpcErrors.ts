import { BaseError, type Hex, HttpRequestError, RpcRequestError } from "viem";
import { GpuchainError, isGpuchainError } from "../daemon/errors.ts";
import { redactUrl, redactUrlsIn } from "../daemon/redact.ts";

/** JSON-RPC codes that mean: too many requests, or a fault on the other side that may pass. */
const passingCodes = new Set([-32005, -32007, -32016, -32603, 429, -1]);
const passingStatuses = new Set([403, 408, 413, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524]);
const passingNames = new Set(["TimeoutError", "WebSocketRequestError", "SocketClosedError", "FetchError"]);

function chain(error: unknown): Error[] {
  const found: Error[] = [];
  for (let at = error; at instanceof Error && found.length < 12; at = at.cause) found.push(at);
  return found;
}

/** True when the endpoint limits us (HTTP 429 or one of the codes that providers use for it). */
export function isRateLimit(error: unknown): boolean {
  return chain(error).some((at) => {
    const code = "code" in at ? at.code : undefined;
    const status = at instanceof HttpRequestError ? at.status : undefined;
    return status === 429 || code === 429 || code === -32005 || code === -32007 || code === -32016;
  });
}

/**
 * True when the same request may work later: no connection, time-outs, rate limits, faults of the endpoint. A revert, bad
 * parameters or a refused transaction are answers, and final.
 */
export function isPassing(error: unknown): boolean {
  if (isGpuchainError(error)) return error.retryable;
  const all = chain(error);
  if (revertData(error) !== undefined) return false;
  if (isRateLimit(error)) return true;
  for (const at of all) {
    const code = "code" in at ? at.code : undefined;
    if (at instanceof HttpRequestError) return at.status === undefined || passingStatuses.has(at.status);
    if (passingNames.has(at.name)) return true;
    if (typeof code === "number" && passingCodes.has(code)) return !/revert/i.test(at.message);
    if (at instanceof RpcRequestError) return false;
  }
  return false;
}

/** Milliseconds that a Retry-After header asks for; 0 without one. */
export function retryAfterMs(error: unknown, now = Date.now()): number {
  for (const at of chain(error)) {
    if (!(at instanceof HttpRequestError)) continue;
    const value = at.headers?.get("Retry-After");
    if (!value) continue;
    const seconds = Number(value);
    const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
    return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), 300_000) : 0;
  }
  return 0;
}

/** The bytes a call reverted with; undefined when it did not revert. */
export function revertData(error: unknown): Hex | undefined {
  for (const at of chain(error)) {
    const data: unknown = "data" in at ? at.data : undefined;
    if (typeof data === "string" && /^0x([0-9a-fA-F]{2})*$/.test(data)) return data as Hex;
    if (typeof data === "object" && data !== null && "data" in data && typeof data.data === "string") {
      if (/^0x([0-9a-fA-F]{2})*$/.test(data.data)) return data.data as Hex;
    }
    if (/execution reverted/i.test(at.message) && "code" in at && at.code === 3) return "0x";
  }
  return undefined;
}

/** One line that says what went wrong, without the address's credentials. */
export function shortMessage(error: unknown): string {
  if (error instanceof BaseError) {
    const details = error.details && error.details !== error.shortMessage ? ` (${error.details})` : "";
    return redactUrlsIn(`${error.shortMessage}${details}`).split("\n").join(" ");
  }
  return redactUrlsIn(error instanceof Error ? error.message : String(error));
}

/** RPC_UNREACHABLE or RPC_RATE_LIMITED, for a request that was given up. */
export function rpcFailure(url: string, error: unknown): GpuchainError {
  if (isRateLimit(error)) {
    return new GpuchainError("RPC_RATE_LIMITED", `${redactUrl(url)} answers too many requests with a limit`, {
      hint: "wait, or use an RPC address with a higher limit",
      retryable: true,
      cause: error,
    });
  }
  return new GpuchainError("RPC_UNREACHABLE", `no answer from the chain at ${redactUrl(url)}: ${shortMessage(error)}`, {
    hint: "check that the chain runs and that the RPC address is right",
    retryable: true,
    cause: error,
  });
}
