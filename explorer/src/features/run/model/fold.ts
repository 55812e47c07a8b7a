import type { RecordingEntry } from "@gpuchain/sdk/records";
import { applyEvent } from "./applyEvent.ts";
import { name, say } from "./say.ts";
import type { Finding, RunMeta, RunState } from "./types.ts";

/** Everything of the timeline but the steps, which are kept in columns of their own. */
export type FactEntry = Exclude<RecordingEntry, { kind: "step" }>;

export function emptyRun(): RunState {
  return {
    t: 0,
    block: undefined,
    timestamp: undefined,
    blockT: 0,
    status: "unposted",
    client: undefined,
    metTarget: undefined,
    seats: [],
    leases: [],
    checkpoints: [],
    headStep: 0,
    openSince: undefined,
    barred: new Set(),
    money: {
      budget: 0n,
      credited: { providerPay: 0n, verifierFee: 0n, cancelFee: 0n, protocolFee: 0n, refund: 0n },
      byAccount: new Map(),
      slashed: [],
    },
    receipts: [],
    pulses: new Map(),
    phases: new Map(),
    faults: [],
    events: [],
    log: [],
    reserves: undefined,
  };
}

/** Lets one entry change the state. Replay and live runs take this one path. */
export function applyEntry(state: RunState, meta: RunMeta, entry: FactEntry): void {
  state.t = entry.t;
  // The table's key is the entry's own kind, which TypeScript cannot follow through an index.
  const handler = HANDLERS[entry.kind] as (state: RunState, meta: RunMeta, entry: FactEntry) => void;
  handler(state, meta, entry);
}

type Handlers = {
  readonly [K in FactEntry["kind"]]: (state: RunState, meta: RunMeta, entry: Extract<FactEntry, { kind: K }>) => void;
};

const HANDLERS: Handlers = {
  event: applyEvent,
  block(state, _meta, entry) {
    state.block = entry.number;
    state.timestamp = entry.timestamp;
    state.blockT = entry.t;
  },
  phase(state, meta, entry) {
    state.phases.set(entry.party.toLowerCase(), { phase: entry.phase, since: entry.t });
    const at = entry.step === undefined ? "" : ` at step ${entry.step}`;
    say(state, entry.t, name(meta, entry.party), `${entry.phase}${at}`);
  },
  pulse(state, meta, entry) {
    const [verifier, provider] = [entry.verifier.toLowerCase(), entry.provider.toLowerCase()];
    const { t: since, lastBeatT } = entry;
    state.pulses.set(`${verifier} ${provider}`, { verifier, provider, state: entry.state, since, lastBeatT });
    const tone = entry.state === "gone" ? "bad" : "plain";
    say(state, entry.t, name(meta, verifier), `${PULSE_WORDS[entry.state]} ${name(meta, provider)}`, tone);
  },
  fault(state, meta, { t, fault, party, step, text }) {
    const who = name(meta, party);
    const at = step === undefined ? "" : ` at step ${step}`;
    state.faults.push({ t, fault, party: party.toLowerCase(), step, text });
    state.events.push({
      t,
      title: `${who} ${FAULT_WORDS[fault]}`,
      detail: `injected${at}`,
      tone: "bad",
      tx: undefined,
      rank: 0,
    });
    say(state, t, who, `${FAULT_WORDS[fault]}${at} (injected fault)`, "bad");
  },
  signature(state, meta, entry) {
    const verdict = entry.outcome ?? "unknown";
    const of = entry.of === "eviction" ? `the eviction of fence ${entry.fence}` : `a verdict: ${verdict}`;
    say(state, entry.t, name(meta, entry.verifier), `signs ${of}`, verdict === "refuse" ? "bad" : "plain");
  },
  gate(state, meta, entry) {
    const checkpoint = state.checkpoints.find((c) => c.id === entry.checkpoint);
    checkpoint?.findings.push(findingOf(entry));
    const about = checkpoint ? ` of step ${checkpoint.step}` : "";
    const reason = entry.reason ? `: ${entry.reason}` : "";
    const text = `${entry.gate}${about} ${entry.ok ? "passes" : "fails"}${reason}`;
    say(state, entry.t, name(meta, entry.verifier), text, entry.ok ? "plain" : "bad");
  },
  receipt(state, _meta, entry) {
    const { t, cause, fence, nextFence, phases, atStep, resumedFrom, stepsLost } = entry;
    const [from, to] = [entry.from.toLowerCase(), entry.to?.toLowerCase()];
    // A worker's own account replaces the one that the page made from events.
    state.receipts = state.receipts.filter((r) => r.told || r.fence !== fence);
    state.receipts.push({ t, cause, from, to, fence, nextFence, phases, atStep, resumedFrom, stepsLost, told: true });
  },
  money(state, _meta, entry) {
    state.reserves = { held: BigInt(entry.held), owed: BigInt(entry.owed), block: entry.block, t: entry.t };
  },
  log(state, _meta, entry) {
    say(state, entry.t, entry.source, entry.text, entry.level === "error" ? "bad" : "plain");
  },
};

const PULSE_WORDS = {
  up: "hears",
  closed: "sees the connection close of",
  silent: "hears nothing from",
  gone: "holds for gone",
} as const;

const FAULT_WORDS = {
  kill: "is killed",
  junk: "starts to hand in junk",
  stop: "is stopped",
  partition: "is cut off",
} as const;

function findingOf(entry: Extract<FactEntry, { kind: "gate" }>): Finding {
  return {
    t: entry.t,
    verifier: entry.verifier.toLowerCase(),
    gate: entry.gate,
    ok: entry.ok,
    reason: entry.reason,
    interval: entry.interval,
    distance: entry.distance,
    limit: entry.limit,
    committed: entry.committed,
    replayed: entry.replayed,
    accuracy: entry.accuracy,
    balancedAccuracy: entry.balancedAccuracy,
    nll: entry.nll,
  };
}
