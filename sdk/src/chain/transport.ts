import { createTransport, http, type Transport } from "viem";
import { retry } from "../daemon/backoff.ts";
import { GpuchainError } from "../daemon/errors.ts";
import { redactUrl } from "../daemon/redact.ts";
import { isPassing, isRateLimit, retryAfterMs, rpcFailure, shortMessage } from "./rpcErrors.ts";
import { createRpcSocket, type RpcSocket } from "./rpcSocket.ts";
import type { ChainLog } from "./sender/types.ts";

export interface RpcTransportOptions {
  /** How long one request is tried again, milliseconds. */
  patienceMs: number;
  /** How long one try may take, milliseconds. Default 10,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
  log?: ChainLog;
}

export interface RpcTransport {
  transport: Transport;
  /** Present where the endpoint pushes. */
  socket?: RpcSocket;
}

/** After this long without an answer the log says that the endpoint is away; once, until it is back. */
const sayAfterMs = 1_000;

/**
 * A viem transport that waits out rate limits and outages: each request is tried again with growing pauses (at least as
 * long as Retry-After asks) for up to `patienceMs`, then fails with RPC_UNREACHABLE or RPC_RATE_LIMITED. One request can
 * have its own patience: `client.request(…, { patienceMs: 0 })`.
 */
export function createRpcTransport(url: string, options: RpcTransportOptions): RpcTransport {
  const { patienceMs, timeoutMs = 10_000, signal, log } = options;
  const scheme = URL.canParse(url) ? new URL(url).protocol : "";
  if (!["http:", "https:", "ws:", "wss:"].includes(scheme)) {
    throw new GpuchainError("RPC_ADDRESS", `"${redactUrl(url)}" is no RPC address`, {
      hint: "give one that starts with http://, https://, ws:// or wss://",
    });
  }
  const socket = scheme.startsWith("ws") ? createRpcSocket(url, { timeoutMs, ...(signal && { signal }) }) : undefined;
  const once = socket ? viaSocket(socket) : http(url, { retryCount: 0, timeout: timeoutMs });
  const outage = createOutageNote(url, log);

  const transport: Transport = (context) => {
    const base = once({ ...context, retryCount: 0 });
    const request = async (...args: Parameters<typeof base.request>): Promise<unknown> => {
      const startedAt = Date.now();
      const patience = (args[1] as { patienceMs?: number } | undefined)?.patienceMs ?? patienceMs;
      let last: unknown;
      try {
        const result = await retry(() => base.request(...args), {
          ...(signal && { signal }),
          baseMs: 100,
          maxMs: 5_000,
          isRetryable: (error) => {
            last = error;
            return isPassing(error) && Date.now() - startedAt < patience;
          },
          atLeastMs: (error) => Math.min(retryAfterMs(error), patience),
          onRetry: (error, waitMs) => outage.failed(error, waitMs),
        });
        outage.answered();
        return result;
      } catch (error) {
        signal?.throwIfAborted();
        if (error === last && isPassing(error)) throw rpcFailure(url, error);
        outage.answered();
        throw error;
      }
    };
    return { ...base, request: request as typeof base.request };
  };
  return socket ? { transport, socket } : { transport };
}

function viaSocket(socket: RpcSocket): Transport {
  return ({ retryCount, timeout }) =>
    createTransport({
      key: "socket",
      name: "WebSocket JSON-RPC",
      type: "socket",
      retryCount: retryCount ?? 0,
      ...(timeout !== undefined && { timeout }),
      request: (({ method, params }: { method: string; params?: unknown }) => socket.request(method, params)) as never,
    });
}

/** Says once that the endpoint is away or limits us, and once that it is back. */
function createOutageNote(url: string, log: ChainLog | undefined) {
  let since: number | undefined;
  let said = false;
  return {
    failed(error: unknown, waitMs: number) {
      since ??= Date.now();
      if (said || log === undefined || (Date.now() - since < sayAfterMs && !isRateLimit(error))) return;
      said = true;
      const limited = isRateLimit(error);
      const text = limited ? "the RPC limits our requests; waiting" : "the RPC does not answer; waiting";
      const event = limited ? "rpc.limited" : "rpc.down";
      log.warn({ event, rpc: redactUrl(url), waitMs, reason: shortMessage(error) }, text);
    },
    answered() {
      if (said)
        log?.info({ event: "rpc.up", rpc: redactUrl(url), downMs: Date.now() - (since ?? 0) }, "the RPC answers again");
      since = undefined;
      said = false;
    },
  };
}
