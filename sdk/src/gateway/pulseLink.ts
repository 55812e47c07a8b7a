import WebSocket from "ws";
import type { Hex } from "../records/bytes.ts";
import { sha256Hex } from "../records/sha256.ts";
import { GatewayError } from "./errors.ts";
import { createHttpBlobStore } from "./httpBlobStore.ts";
import { type GatewaySession, gatewayUrl } from "./session.ts";
import {
  encodeWire,
  type LogLine,
  MAX_PULSE_FRAME,
  PULSE_SUBPROTOCOL,
  type PulseDown,
  type PulseStatus,
  type PulseUp,
  pulseDownSchema,
  type StepSample,
} from "./wire.ts";

export interface StatesRequest {
  readonly jobId: bigint;
  readonly fence: bigint;
  readonly checkpointId: bigint;
  readonly stateHashes: readonly Hex[];
}

export interface PulseLinkParameters {
  readonly session: GatewaySession;
  /** a quarter of the job's `pulseTimeoutMs` or less; read anew before each beat when it is a function */
  readonly beatEveryMs: number | (() => number);
  readonly status: () => PulseStatus;
  /** Answers an audit: bytes by hash for what is still kept; what is left out counts as gone and is recomputed by the seats. */
  readonly onStatesRequest: (request: StatesRequest) => Promise<ReadonlyMap<Hex, Uint8Array>>;
  /** the seat has signed an eviction of this fence: a living node sends `renewLease` at once */
  readonly onEvicting?: (message: { jobId: bigint; fence: bigint; attestedAt: bigint }) => void;
  readonly onChange?: (connected: boolean, reason: string) => void;
  readonly signal?: AbortSignal;
  readonly log?: (level: "debug" | "warn", message: string) => void;
}

export interface PulseLink {
  readonly endpoint: string;
  readonly connected: boolean;
  /** `Date.now()` of the last acknowledged beat; 0 before the first */
  readonly lastAckAt: number;
  /** Beats now, beside the timer: after a lease or job has changed. */
  beat(): void;
  /** Sends step samples and log lines, best effort: dropped while the link is down or congested. Returns whether they were sent. */
  telemetry(batch: { jobId: bigint; fence: bigint; steps?: readonly StepSample[]; logs?: readonly LogLine[] }): boolean;
  close(): void;
}

const HANDSHAKE_MS = 5_000;
const MAX_RETRY_MS = 2_000;
/** A beat without any answer for this many beats means a dead connection; reopening costs less than being taken for dead. */
const SILENT_BEATS = 6;

/**
 * Holds a WebSocket to one seat and beats on it. Reconnects by itself: at once, then after 50, 100, 200 ms up to 2 s, because a seat
 * counts a node as gone when its closed connection is not opened again within `pulseTimeoutMs`.
 */
export function createPulseLink(parameters: PulseLinkParameters): PulseLink {
  const { session, status, signal, log = () => undefined } = parameters;
  let socket: WebSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let attempts = 0;
  let beats = 0;
  let lastAckAt = 0;
  let lastHeardAt = 0;
  let closed = false;
  let refusedToken: string | undefined;

  const beatEvery = () =>
    typeof parameters.beatEveryMs === "function" ? parameters.beatEveryMs() : parameters.beatEveryMs;
  const isOpen = () => socket?.readyState === WebSocket.OPEN;
  const send = (message: PulseUp): void => {
    if (isOpen()) socket?.send(encodeWire(message));
  };
  const beat = (): void => send({ type: "beat", n: beats++, status: status() });

  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isOpen()) return;
      if (performance.now() - lastHeardAt > Math.max(SILENT_BEATS * beatEvery(), 1_000)) {
        log("warn", `${session.endpoint} has answered nothing for ${SILENT_BEATS} beats; reconnecting`);
        socket?.terminate();
        return;
      }
      beat();
      schedule();
    }, beatEvery());
  };

  const retry = (reason: string): void => {
    clearTimeout(timer);
    if (closed) return;
    const delay = attempts === 0 ? 0 : Math.min(MAX_RETRY_MS, 25 * 2 ** attempts) * (0.75 + Math.random() / 2);
    attempts++;
    if (attempts > 1) log("debug", `pulse to ${session.endpoint} down (${reason}); again in ${Math.round(delay)} ms`);
    retryTimer = setTimeout(() => void connect(), delay);
  };

  const answerStates = async (request: StatesRequest & { id: string }): Promise<void> => {
    const store = createHttpBlobStore(session, { job: request.jobId, fence: request.fence, purpose: "state" });
    const uploaded: Hex[] = [];
    try {
      const states = await parameters.onStatesRequest(request);
      for (const hash of request.stateHashes) {
        const bytes = states.get(hash);
        if (bytes === undefined || sha256Hex(bytes) !== hash) continue;
        await store.put(bytes, { sha256: hash, ...(signal ? { signal } : {}) });
        uploaded.push(hash);
      }
    } catch (error) {
      if (!closed) log("warn", `states for checkpoint ${request.checkpointId} not sent: ${String(error)}`);
    }
    const missing = request.stateHashes.filter((hash) => !uploaded.includes(hash));
    send({ type: "statesDone", id: request.id, uploaded, missing });
  };

  const receive = (message: PulseDown): void => {
    if (message.type === "ack") lastAckAt = Date.now();
    else if (message.type === "states") void answerStates(message);
    else if (message.type === "evicting") parameters.onEvicting?.(message);
    else log("warn", `${session.endpoint}: ${message.type === "goodbye" ? message.reason : message.message}`);
  };

  const connect = async (): Promise<void> => {
    if (closed) return;
    let token: string;
    try {
      token = await session.token(refusedToken);
    } catch (error) {
      if (error instanceof GatewayError && !error.retryable) log("warn", `no session: ${error.message}`);
      retry(String(error));
      return;
    }
    if (closed) return;
    const url = gatewayUrl(session.endpoint, "/v1/pulse").replace(/^http/, "ws");
    const next = new WebSocket(url, PULSE_SUBPROTOCOL, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_PULSE_FRAME,
      perMessageDeflate: false,
    });
    socket = next;
    let opened = false;
    let reason = "closed";
    next.on("open", () => {
      opened = true;
      attempts = 0;
      refusedToken = undefined;
      lastHeardAt = performance.now();
      beat();
      schedule();
      parameters.onChange?.(true, "open");
    });
    next.on("message", (data) => {
      lastHeardAt = performance.now();
      const parsed = parsePulse(data.toString());
      if (parsed === undefined) log("warn", `${session.endpoint} sent an unreadable pulse message`);
      else receive(parsed);
    });
    next.on("unexpected-response", (_request, response) => {
      if (response.statusCode === 401) refusedToken = token;
      reason = `HTTP ${response.statusCode}`;
      next.terminate();
    });
    next.on("error", (error) => {
      if (!reason.startsWith("HTTP")) reason = error.message;
    });
    next.on("close", (code, why) => {
      if (why.length > 0 || opened) reason = `${code} ${why.toString()}`.trim();
      if (opened) parameters.onChange?.(false, reason);
      if (socket === next) retry(reason);
    });
  };

  const close = (): void => {
    if (closed) return;
    closed = true;
    clearTimeout(timer);
    clearTimeout(retryTimer);
    signal?.removeEventListener("abort", close);
    if (isOpen()) socket?.close(1000, "done");
    else socket?.terminate();
  };
  signal?.addEventListener("abort", close);
  if (signal?.aborted) close();
  else void connect();

  return {
    endpoint: session.endpoint,
    get connected() {
      return isOpen();
    },
    get lastAckAt() {
      return lastAckAt;
    },
    beat,
    telemetry: ({ jobId, fence, steps = [], logs = [] }) => {
      if (!isOpen() || (socket?.bufferedAmount ?? 0) > MAX_PULSE_FRAME) return false;
      send({ type: "telemetry", jobId, fence, steps: [...steps], logs: [...logs] });
      return true;
    },
    close,
  };
}

function parsePulse(text: string): PulseDown | undefined {
  try {
    const parsed = pulseDownSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
