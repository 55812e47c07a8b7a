import type { IncomingMessage } from "node:http";
import { GatewayError } from "@gpuchain/sdk/gateway";

export interface BodyLimits {
  /** longest wait for the next piece */
  readonly idleMs: number;
  /** least average rate once `graceMs` have passed */
  readonly minBytesPerSecond: number;
  readonly graceMs: number;
}

export const defaultBodyLimits: BodyLimits = { idleMs: 15_000, minBytesPerSecond: 8_192, graceMs: 20_000 };

/**
 * A request's body in pieces, with deadlines: a caller that sends a byte now and then holds a connection no longer than it takes to
 * notice.
 *
 * @throws GatewayError `TOO_SLOW`, `BAD_REQUEST` when the connection breaks off
 */
export async function* readBody(
  request: IncomingMessage,
  limits: BodyLimits = defaultBodyLimits,
): AsyncIterable<Uint8Array> {
  const started = performance.now();
  let received = 0;
  let slow = false;
  const tooSlow = (): void => {
    slow = true;
    request.destroy();
  };
  let idle = setTimeout(tooSlow, limits.idleMs);
  const pace = setInterval(() => {
    const elapsed = performance.now() - started;
    if (elapsed > limits.graceMs && (received * 1000) / elapsed < limits.minBytesPerSecond) tooSlow();
  }, 1_000);
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      received += chunk.length;
      clearTimeout(idle);
      yield chunk;
      idle = setTimeout(tooSlow, limits.idleMs);
    }
  } catch (cause) {
    if (slow) throw new GatewayError("TOO_SLOW", "The body came too slowly.", { status: 408, cause });
    throw new GatewayError("BAD_REQUEST", "The connection broke off before the whole body was here.", {
      status: 400,
      cause,
    });
  } finally {
    clearTimeout(idle);
    clearInterval(pace);
  }
}
