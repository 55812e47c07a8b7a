import type { Pulse } from "./hub.ts";

export interface GoneAtParameters {
  readonly pulse: Pulse | undefined;
  readonly pulseTimeoutMs: number;
  /** when this verifier began to watch this lease */
  readonly watchedSince: number;
  /** end of this verifier's own last stall */
  readonly stallEnd: number;
  /** when a renewal by the holder was last seen on chain; 0 if never */
  readonly renewedAt: number;
  /** how long a renewal on chain speaks for a node without a pulse */
  readonly renewalGraceMs: number;
  /** how long after its sender's death a transaction may still be mined */
  readonly inFlightMs: number;
}

/** A node that has just taken a lease, or a verifier that has just started, gets this long for the first connection. */
const CONNECT_MS = 5_000;

/**
 * From when on a leaseholder counts as gone, by `performance.now()`, and why.
 *
 * - connection closed and not opened again: `pulseTimeoutMs` (a killed process);
 * - open and silent: four times that (a hung machine, a cut cable);
 * - never seen: ten times, at least {@link CONNECT_MS}.
 *
 * Time in which this verifier was itself stalled counts for nobody's silence. A lease renewed on chain while the pulse is down is proof of
 * life, unless the renewal may have been under way when the pulse stopped: the last commit of a killed node is mined after its death.
 */
export function goneAt(parameters: GoneAtParameters): {
  at: number;
  since: number;
  cause: "closed" | "silent" | "never connected";
} {
  const { pulse, pulseTimeoutMs, watchedSince, stallEnd, renewedAt, renewalGraceMs, inFlightMs } = parameters;
  const decide = (since: number, wait: number, cause: "closed" | "silent" | "never connected") => {
    const from = Math.max(since, stallEnd);
    const renewed = renewedAt > since + inFlightMs ? renewedAt + renewalGraceMs : 0;
    return { at: Math.max(from + wait, renewed), since, cause };
  };
  if (pulse !== undefined && pulse.open > 0) return decide(pulse.lastBeatAt, 4 * pulseTimeoutMs, "silent");
  // A close before the lease was this node's says little about it: it may be reconnecting, as after a restart.
  if (pulse?.closedAt !== undefined && pulse.closedAt >= watchedSince)
    return decide(pulse.closedAt, pulseTimeoutMs, "closed");
  return decide(watchedSince, Math.max(10 * pulseTimeoutMs, CONNECT_MS), "never connected");
}
