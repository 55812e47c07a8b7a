// Feeds a recorder from its two sources: the chain's events, and what the daemons write to their logs.
import { createEventFeed, type GpuchainClient, type GpuchainEvent } from "@gpuchain/sdk/chain";
import type { EventArg } from "@gpuchain/sdk/records";
import type { Daemon, DaemonLine, LocalNetwork } from "./network.ts";
import type { NewEntry, Recorder } from "./recorder.ts";

const CONTRACT_NAMES = { jobs: "Jobs", registry: "Registry", escrow: "Escrow", court: "Court" } as const;

/** Records every block and every event from the deployment's first block on, until the signal aborts. */
export async function recordChain(
  client: GpuchainClient,
  recorder: Recorder,
  options: { signal: AbortSignal; onEvent?: (event: GpuchainEvent) => void },
): Promise<void> {
  const { signal } = options;
  const fromBlock = client.deployment.startBlock;
  for await (const item of createEventFeed({ client, fromBlock, signal })) {
    if (item.type === "reorg") {
      const text = `the chain went back to block ${item.reorgTo}`;
      recorder.add({ kind: "log", source: "chain", level: "warn", text });
      continue;
    }
    const number = Number(item.blockNumber);
    const timestamp = Number(item.timestamp);
    recorder.add({ kind: "block", number, timestamp });
    for (const event of item.events) {
      recorder.add({
        kind: "event",
        contract: CONTRACT_NAMES[event.contract],
        name: event.eventName,
        args: toJson(event.args ?? {}) as Record<string, EventArg>,
        block: number,
        timestamp,
        tx: event.transactionHash,
        logIndex: event.logIndex,
      });
      options.onEvent?.(event);
    }
  }
}

/** Turns the daemons' log lines into entries, with the daemons' own times. */
export function recordDaemons(network: LocalNetwork, recorder: Recorder): void {
  network.onLine((daemon, line) => {
    const entry = entryOf(daemon, line);
    if (entry) recorder.add(entry, line.time);
  });
}

/** The recording's entry for a daemon's log line; undefined for lines that a recording does not keep. */
export function entryOf(daemon: Pick<Daemon, "role" | "name" | "account">, line: DaemonLine): NewEntry | undefined {
  const { address } = daemon.account;
  const number = (key: string) => (line[key] === undefined ? undefined : Number(line[key]));
  const text = (key: string) => (line[key] === undefined ? undefined : String(line[key]));
  if (daemon.role === "provider") return providerEntry(address, line, number);
  switch (line.event) {
    case "pulse.up":
      return { kind: "pulse", verifier: address, provider: String(line.provider), state: "up" };
    case "pulse.down":
      return { kind: "pulse", verifier: address, provider: String(line.provider), state: "closed" };
    case "eviction.signed":
      return { kind: "signature", verifier: address, of: "eviction", fence: Number(line.fence) };
    case "verdict.signed":
      return compact({
        kind: "signature",
        verifier: address,
        of: "verdict",
        fence: Number(line.fence),
        checkpoint: text("checkpoint"),
        outcome: text("outcome")?.toLowerCase(),
      });
    case "gate":
      return gateEntry(address, line, number, text);
    default:
      return undefined;
  }
}

type Read<T> = (key: string) => T | undefined;

function gateEntry(verifier: string, line: DaemonLine, number: Read<number>, text: Read<string>): NewEntry {
  const interval = line.interval as { fromStep: number; toStep: number } | undefined;
  const distance = line.distance as { params: number; moment: number } | undefined;
  return compact({
    kind: "gate",
    verifier,
    checkpoint: String(line.checkpoint),
    gate: String(line.gate),
    ok: line.ok === true,
    reason: text("reason"),
    interval: interval && { from: interval.fromStep, to: interval.toStep },
    distance: distance && { params: distance.params, m: distance.moment },
    committed: text("claimedHash"),
    replayed: text("replayedHash"),
    accuracy: number("accuracy"),
    balancedAccuracy: number("balancedAccuracy"),
    nll: number("nll"),
    examples: number("subsetSize"),
  });
}

/** What a provider's log events say of the state that it is in. */
const PHASES: Record<string, string> = {
  "lease.acquired": "warming",
  "train.resumed": "training",
  "checkpoint.stored": "committing",
  "checkpoint.committed": "training",
  "lease.ended": "idle",
  "node.draining": "draining",
  "node.stopped": "exited",
};

function providerEntry(address: string, line: DaemonLine, number: Read<number>): NewEntry | undefined {
  if (line.event === "step") {
    return compact({
      kind: "step",
      provider: address,
      fence: Number(line.fence),
      step: Number(line.step),
      loss: Number(line.loss),
      lr: number("lr"),
      ms: number("ms"),
    });
  }
  const phase = line.event === undefined ? undefined : PHASES[line.event];
  if (phase) return compact({ kind: "phase", party: address, phase, fence: number("fence"), step: number("step") });
  return undefined;
}

/** Leaves undefined fields out, as the recording's schema wants it; the recorder checks the rest. */
function compact(fields: Record<string, unknown>): NewEntry {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as NewEntry;
}

/** Event arguments as JSON: bigints become decimal strings, the rest keeps its form. */
export function toJson(value: unknown): EventArg {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toJson(one)]));
  }
  throw new TypeError(`cannot record ${typeof value}`);
}
