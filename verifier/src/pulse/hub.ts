import { randomUUID } from "node:crypto";
import type { PulseDown, PulseStatus, PulseUp } from "@gpuchain/sdk/gateway";
import type { Hex } from "@gpuchain/sdk/records";

/** What one address's pulse looks like; times are `performance.now()`, which no clock change moves. */
export interface Pulse {
  /** open connections */
  readonly open: number;
  readonly openedAt: number;
  readonly lastBeatAt: number;
  /** when the last open connection closed; undefined while one is open */
  readonly closedAt: number | undefined;
  readonly status: PulseStatus | undefined;
}

export interface PulseConnection {
  send(message: PulseDown): void;
  close(reason: string): void;
}

export interface PulseEvents {
  /** The first connection of an address opened, or its last one closed. */
  readonly onEdge?: (address: string, up: boolean, reason: string) => void;
  readonly onBeat?: (address: string, status: PulseStatus) => void;
  readonly onTelemetry?: (address: string, message: Extract<PulseUp, { type: "telemetry" }>) => void;
}

export interface AttachedPulse {
  receive(message: PulseUp): void;
  closed(reason: string): void;
}

export interface StatesAnswer {
  readonly uploaded: readonly Hex[];
  readonly missing: readonly Hex[];
}

export interface PulseHub {
  attach(address: string, connection: PulseConnection): AttachedPulse;
  pulse(address: string): Pulse | undefined;
  /** addresses with an open connection */
  connected(): string[];
  /** addresses with an open connection, or one within the last hour */
  addresses(): string[];
  send(address: string, message: PulseDown): boolean;
  /**
   * Asks a provider for trace states over its pulse. Resolves with what it uploaded; with everything missing at once when it is not
   * connected, or as soon as its connection goes; rejects only on abort.
   */
  requestStates(
    address: string,
    request: { jobId: bigint; fence: bigint; checkpointId: bigint; stateHashes: readonly Hex[] },
    signal: AbortSignal,
  ): Promise<StatesAnswer>;
  subscribe(events: PulseEvents): () => void;
  closeAll(reason: string): void;
  readonly connections: number;
}

const MAX_PER_ADDRESS = 3;
/** Pulses of addresses that left are forgotten after this. */
const FORGET_MS = 3_600_000;

type Entry = {
  connections: Set<PulseConnection>;
  openedAt: number;
  lastBeatAt: number;
  closedAt: number | undefined;
  status: PulseStatus | undefined;
};

type Ask = {
  readonly address: string;
  readonly message: PulseDown;
  readonly hashes: readonly Hex[];
  /** the connection that carried the request */
  carrier: PulseConnection | undefined;
  done(answer: StatesAnswer): void;
};

/** Every open pulse, by the address whose session it is. Knows no chain and no job: it reports what it sees. */
export function createPulseHub(now: () => number = () => performance.now()): PulseHub {
  const entries = new Map<string, Entry>();
  const listeners = new Set<PulseEvents>();
  const asks = new Map<string, Ask>();
  let connections = 0;

  const emit = (call: (events: PulseEvents) => void): void => {
    for (const events of listeners) call(events);
  };
  const forgetOld = (): void => {
    const at = now();
    for (const [address, entry] of entries)
      if (entry.closedAt !== undefined && at - entry.closedAt > FORGET_MS) entries.delete(address);
  };
  const sendOn = (address: string, message: PulseDown): PulseConnection | undefined => {
    // The newest connection: an older one may be half open.
    const connection = [...(entries.get(address)?.connections ?? [])].at(-1);
    connection?.send(message);
    return connection;
  };
  const send = (address: string, message: PulseDown): boolean => sendOn(address, message) !== undefined;
  /** A request that went down with its connection is made again on another one; without another there is nobody to answer. */
  const ask = (asked: Ask): void => {
    asked.carrier = sendOn(asked.address, asked.message);
    if (asked.carrier === undefined) asked.done({ uploaded: [], missing: asked.hashes });
  };

  return {
    get connections() {
      return connections;
    },
    attach(address, connection) {
      const at = now();
      let entry = entries.get(address);
      if (entry === undefined) {
        forgetOld();
        entry = { connections: new Set(), openedAt: at, lastBeatAt: at, closedAt: undefined, status: undefined };
        entries.set(address, entry);
      }
      const first = entry.connections.size === 0;
      const pulse = entry;
      pulse.connections.add(connection);
      pulse.closedAt = undefined;
      pulse.lastBeatAt = at;
      if (first) pulse.openedAt = at;
      connections++;
      if (pulse.connections.size > MAX_PER_ADDRESS) [...pulse.connections][0]?.close("replaced by a newer connection");
      if (first) emit((events) => events.onEdge?.(address, true, "opened"));
      return {
        receive(message) {
          if (message.type === "beat") {
            pulse.lastBeatAt = now();
            pulse.status = message.status as PulseStatus;
            connection.send({ type: "ack", n: message.n, at: Date.now() });
            emit((events) => events.onBeat?.(address, message.status as PulseStatus));
          } else if (message.type === "telemetry") emit((events) => events.onTelemetry?.(address, message));
          else {
            const asked = asks.get(message.id);
            if (asked?.address === address) asked.done(message);
          }
        },
        closed(reason) {
          if (!pulse.connections.delete(connection)) return;
          connections--;
          if (pulse.connections.size === 0) pulse.closedAt = now();
          for (const asked of [...asks.values()]) if (asked.carrier === connection) ask(asked);
          if (pulse.connections.size > 0) return;
          emit((events) => events.onEdge?.(address, false, reason));
        },
      };
    },
    pulse(address) {
      const entry = entries.get(address);
      return entry && { ...entry, open: entry.connections.size };
    },
    connected: () => [...entries].filter(([, entry]) => entry.connections.size > 0).map(([address]) => address),
    addresses: () => [...entries.keys()],
    send,
    requestStates(address, request, signal) {
      const id = randomUUID();
      const hashes = request.stateHashes;
      return new Promise((resolve, reject) => {
        const settle = (): void => {
          asks.delete(id);
          signal.removeEventListener("abort", abort);
        };
        const done = (answer: StatesAnswer): void => {
          settle();
          resolve(answer);
        };
        const abort = (): void => {
          settle();
          reject(signal.reason);
        };
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener("abort", abort);
        const { jobId, fence, checkpointId } = request;
        const message = { type: "states" as const, id, jobId, fence, checkpointId, stateHashes: [...hashes] };
        const asked: Ask = { address, message, hashes, carrier: undefined, done };
        asks.set(id, asked);
        ask(asked);
      });
    },
    subscribe(events) {
      listeners.add(events);
      return () => void listeners.delete(events);
    },
    closeAll(reason) {
      for (const entry of entries.values()) for (const connection of [...entry.connections]) connection.close(reason);
    },
  };
}
