import { backoff, type Logger, sleep } from "@gpuchain/sdk/daemon";
import {
  createPulseLink,
  type LogLine,
  type PulseLink,
  type PulseStatus,
  type StatesRequest,
  type StepSample,
} from "@gpuchain/sdk/gateway";
import type { Hex } from "@gpuchain/sdk/records";
import type { Sessions } from "./sessions.ts";

export interface PulsesParameters {
  readonly sessions: Sessions;
  readonly beatEveryMs: () => number;
  readonly status: () => PulseStatus;
  readonly onStatesRequest: (request: StatesRequest) => Promise<ReadonlyMap<Hex, Uint8Array>>;
  readonly onEvicting: (message: { jobId: bigint; fence: bigint }) => void;
  /** told whenever a link came up or went down */
  readonly onChange: () => void;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export interface Pulses {
  /** Holds a link to exactly these gateways from now on. */
  point(endpoints: readonly string[]): void;
  /** how many of these gateways have an open link */
  connected(endpoints: readonly string[]): number;
  /** beats on every link at once: after a lease has begun or ended */
  beat(): void;
  /** Sends to every seat that hears us; whether any does. */
  telemetry(job: bigint, fence: bigint, steps: readonly StepSample[], logs: readonly LogLine[]): boolean;
  close(): void;
}

/** The node's pulse to every seat, from the daemon's own process: a busy training step delays no beat. */
export function createPulses(parameters: PulsesParameters): Pulses {
  const { sessions, log } = parameters;
  const links = new Map<string, { stop: AbortController; link?: PulseLink }>();

  const open = async (endpoint: string, entry: { stop: AbortController; link?: PulseLink }) => {
    const { signal } = entry.stop;
    const waits = backoff({ baseMs: 100, maxMs: 5_000 });
    while (!signal.aborted) {
      try {
        const session = await sessions.get(endpoint);
        if (signal.aborted) return;
        entry.link = createPulseLink({
          session,
          beatEveryMs: parameters.beatEveryMs,
          status: parameters.status,
          onStatesRequest: parameters.onStatesRequest,
          onEvicting: parameters.onEvicting,
          onChange: (connected, reason) => {
            if (connected) log.info({ event: "pulse.up", endpoint }, "pulse up");
            else if (!signal.aborted) log.warn({ event: "pulse.down", endpoint, reason }, "pulse down");
            parameters.onChange();
          },
          signal,
          log: (level, message) => log[level]({ endpoint }, message),
        });
        return;
      } catch (error) {
        if (signal.aborted) return;
        const waitMs = waits.next();
        log.debug({ endpoint, err: error, waitMs }, "no session with this gateway yet");
        await sleep(waitMs, signal).catch(() => undefined);
      }
    }
  };

  const close = () => {
    for (const { stop } of links.values()) stop.abort();
    links.clear();
  };
  parameters.signal.addEventListener("abort", close, { once: true });

  return {
    point(endpoints) {
      const wanted = new Set(parameters.signal.aborted ? [] : endpoints);
      for (const [endpoint, { stop }] of links) {
        if (wanted.has(endpoint)) continue;
        stop.abort();
        links.delete(endpoint);
      }
      for (const endpoint of wanted) {
        if (links.has(endpoint)) continue;
        const entry = { stop: new AbortController() };
        links.set(endpoint, entry);
        void open(endpoint, entry);
      }
    },
    connected: (endpoints) => endpoints.filter((endpoint) => links.get(endpoint)?.link?.connected === true).length,
    beat() {
      for (const { link } of links.values()) link?.beat();
    },
    telemetry(jobId, fence, steps, logs) {
      const batch = { jobId, fence, steps, logs };
      return [...links.values()].map(({ link }) => link?.telemetry(batch) === true).includes(true);
    },
    close,
  };
}
