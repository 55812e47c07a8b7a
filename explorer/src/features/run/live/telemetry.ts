import { plainText } from "../../../format/plain.ts";
import type { FactEntry } from "../model/fold.ts";
import {
  isAddressText,
  isGate,
  isLog,
  isPulse,
  isReceipt,
  isStep,
  only,
  type ToldLog,
  type ToldPulse,
  type ToldReceipt,
  type ToldStep,
} from "./told.ts";

/** What the gateways told of one job so far. Fact entries carry epoch ms in `t`. */
export interface Telemetry {
  readonly steps: readonly ToldStep[];
  readonly logs: readonly ToldLog[];
  readonly facts: readonly FactEntry[];
  /** hosts that tell the steps, or would */
  readonly up: readonly string[];
  /** hosts that don't answer just now */
  readonly down: readonly string[];
}

export const NO_TELEMETRY: Telemetry = { steps: [], logs: [], facts: [], up: [], down: [] };

/** What is asked for. The chain says who has a seat and how many leases there were. */
export interface FollowOptions {
  readonly gateways: readonly string[];
  readonly jobId: string;
  /** lower-case addresses of the job's verifiers; only they are told a job's steps */
  readonly seats: readonly string[];
  readonly newestFence: () => number;
  readonly publish: (telemetry: Telemetry) => void;
}

const PAGE = 5_000;
/** Steps come many a second; the page needs them a few times a second. */
const PUBLISH_MS = 250;
const RETRY_MS = 5_000;
const MOST_RETRY_MS = 60_000;

/**
 * Follows one job on the configured gateways: what is known first, then server-sent events. Pulses, evidence and receipts are
 * each seat's own and come from all of them; steps and log lines are the same on every seat, so each comes from one that
 * answers, and from another when that one goes away.
 */
export function followJob({ gateways, jobId, seats, newestFence, publish }: FollowOptions): {
  stop: () => void;
  askEvidence: (checkpoints: readonly string[]) => void;
} {
  const steps = new Map<string, ToldStep>();
  const logs = new Map<number, ToldLog>();
  const facts = new Map<string, FactEntry>();
  const asked = new Set<string>();
  const abort = new AbortController();
  let sources: EventSource[] = [];
  let up: readonly Gateway[] = [];
  let down: readonly string[] = [];
  let retry: ReturnType<typeof setTimeout> | undefined;
  let startedAt = 0;
  let publishing: ReturnType<typeof setTimeout> | undefined;

  const changed = () => {
    if (abort.signal.aborted) return;
    publishing ??= setTimeout(() => {
      publishing = undefined;
      publish({
        steps: [...steps.values()].sort((a, b) => a.at - b.at),
        logs: [...logs.values()].sort((a, b) => a.at - b.at),
        facts: [...facts.values()],
        up: up.map(({ url }) => new URL(url).host),
        down: down.map((url) => new URL(url).host),
      });
    }, PUBLISH_MS);
  };
  const addSteps = (news: unknown) => {
    for (const s of only(isStep, news)) steps.set(`${s.fence}/${s.step}`, s);
    changed();
  };
  const addLogs = (news: unknown) => {
    for (const line of only(isLog, news)) logs.set(line.id, line);
    changed();
  };

  void start();
  return {
    stop() {
      abort.abort();
      clearTimeout(retry);
      clearTimeout(publishing);
      for (const source of sources) source.close();
    },
    askEvidence(checkpoints) {
      for (const checkpoint of checkpoints) {
        for (const { url } of up) {
          const key = `${url} ${checkpoint}`;
          if (asked.has(key)) continue;
          asked.add(key);
          void evidence(url, checkpoint).catch(() => asked.delete(key));
        }
      }
    },
  };

  /** Asks every gateway who it is, then listens to those that answer. Called again when one goes away or may be back. */
  async function start(): Promise<void> {
    for (const source of sources) source.close();
    sources = [];
    startedAt = Date.now();
    const answers = await Promise.all(gateways.map((url) => hello(url).catch(() => undefined)));
    if (abort.signal.aborted) return;
    const known = answers.filter((g) => g !== undefined);
    const seated = known.filter((g) => seats.includes(g.address));
    up = seated.length > 0 ? seated : known;
    down = gateways.filter((_, i) => answers[i] === undefined);
    clearTimeout(retry);
    if (up.length === 0 && down.length > 0) retry = setTimeout(() => void start(), RETRY_MS);
    else if (down.length > 0) knock(RETRY_MS);
    const [first] = up;
    // Steps and log lines from different seats: a browser keeps only six connections to one host.
    if (first) {
      for (const gateway of up) listen(gateway);
      listenTo(first, "stepsAdded", `job: "${jobId}"`, STEP, addSteps);
      listenTo(up[1] ?? first, "logsAdded", `job: "${jobId}"`, LOG, addLogs);
      await catchUp(first, up[1] ?? first).catch(() => lost());
    }
    changed();
  }

  /** While others tell, one that is down is only asked whether it is back, less and less often; what the others tell goes on. */
  function knock(ms: number): void {
    clearTimeout(retry);
    retry = setTimeout(async () => {
      const answers = await Promise.all(down.map((url) => hello(url).catch(() => undefined)));
      if (abort.signal.aborted) return;
      if (answers.some((gateway) => gateway !== undefined)) void start();
      else knock(Math.min(2 * ms, MOST_RETRY_MS));
    }, ms);
  }

  function lost(): void {
    if (abort.signal.aborted) return;
    for (const source of sources) source.close();
    sources = [];
    clearTimeout(retry);
    // At once when it went well until now; a gateway that breaks off each time is not asked in a circle.
    const wait = Math.max(0, startedAt + RETRY_MS - Date.now());
    retry = setTimeout(() => void start(), wait);
  }

  /** A gateway's own view of who is alive, and the receipts it has signed. */
  async function hello(url: string): Promise<Gateway> {
    const { receipts, pulses, verifier } = await ask<{
      receipts: unknown;
      pulses: unknown;
      verifier: { address: unknown } | null;
    }>(url, `query($job: ID!) { receipts(job: $job) { ${RECEIPT} } pulses { ${PULSE} } verifier { address } }`, {
      job: jobId,
    });
    if (!isAddressText(verifier?.address)) throw new Error(`${new URL(url).host} doesn’t say whose it is`);
    const gateway = { url, address: verifier.address.toLowerCase() };
    for (const receipt of only(isReceipt, receipts)) addReceipt(receipt);
    for (const pulse of only(isPulse, pulses)) addPulse(gateway.address, pulse, true);
    return gateway;
  }

  /** What was told before this page listened; after a break only from the newest lease on. */
  async function catchUp(stepsFrom: Gateway, logsFrom: Gateway): Promise<void> {
    const seen = [...steps.values()].reduce((newest, { fence }) => Math.max(newest, fence), 1);
    for (let fence = seen; fence <= Math.max(1, newestFence()); fence++) {
      for (let after = -1; ; ) {
        const query = `query($job: ID!, $fence: Int, $after: Int) { steps(job: $job, fence: $fence, after: $after, limit: ${PAGE}) { ${STEP} } }`;
        const told = await ask<{ steps: unknown }>(stepsFrom.url, query, { job: jobId, fence, after });
        const page = only(isStep, told.steps);
        addSteps(page);
        const last = page.at(-1);
        // A page that leads no further would be asked for again without end.
        if (!last || page.length < PAGE || last.step <= after) break;
        after = last.step;
      }
    }
    const query = `query($job: ID!) { logs(job: $job, limit: ${PAGE}) { ${LOG} } }`;
    addLogs((await ask<{ logs: unknown }>(logsFrom.url, query, { job: jobId })).logs);
  }

  function listen(gateway: Gateway): void {
    listenTo(gateway, "pulseChanged", "", PULSE, (pulse) => {
      if (isPulse(pulse)) addPulse(gateway.address, pulse, false);
    });
    // One seat's receipt is enough to see the hand-over; the others' are read with their greeting.
    if (gateway === up[up.length - 1]) {
      listenTo(gateway, "receiptAdded", `job: "${jobId}"`, RECEIPT, (receipt) => {
        if (isReceipt(receipt)) addReceipt(receipt);
      });
    }
  }

  function listenTo(
    gateway: Gateway,
    field: string,
    args: string,
    fields: string,
    tell: (told: unknown) => void,
  ): void {
    const query = `subscription { ${field}${args && `(${args})`} { ${fields} } }`;
    const source = new EventSource(`${gateway.url}/graphql?query=${encodeURIComponent(query)}`);
    source.addEventListener("next", (event) => {
      tell(dataOf((event as MessageEvent<string>).data)?.[field]);
    });
    // What a browser's own reconnection would miss is asked for by starting again.
    source.addEventListener("error", () => {
      source.close();
      if (sources.includes(source)) lost();
    });
    sources.push(source);
  }

  function addReceipt(r: ToldReceipt): void {
    facts.set(`receipt ${r.fence}`, {
      kind: "receipt",
      t: r.firstStepAt,
      cause: causeOf(r.cause),
      from: r.from,
      to: r.to,
      fence: r.fence,
      nextFence: r.nextFence,
      phases: [
        { name: "silent", ms: Math.max(0, (r.signedAt ?? r.endedAt) - r.silentAt) },
        { name: "evicted", ms: Math.max(0, r.endedAt - (r.signedAt ?? r.endedAt)) },
        { name: "acquired", ms: Math.max(0, r.endedToAcquiredMs) },
        { name: "firstStep", ms: Math.max(0, r.acquiredToFirstStepMs) },
      ].filter((p) => p.ms > 0),
      atStep: r.lastStep ?? undefined,
      resumedFrom: r.resumedFrom,
      stepsLost: r.stepsLost ?? undefined,
      signedBy: [r.verifier],
    });
    changed();
  }

  function addPulse(verifier: string, p: ToldPulse, first: boolean): void {
    const now = Date.now();
    const t = first ? now - p.silentMs : now;
    facts.set(`pulse ${verifier} ${p.address} ${first ? "first" : now}`, {
      kind: "pulse",
      t,
      verifier,
      provider: p.address,
      state: p.connected ? "up" : "closed",
      lastBeatT: undefined,
    });
    changed();
  }

  async function evidence(gateway: string, checkpoint: string): Promise<void> {
    const query = `query($id: ID!) { verifier { address } evidence(checkpoint: $id) { judgedAt gates { gate ok reason fromStep toStep distanceParams distanceMoment accuracy balancedAccuracy nll } } }`;
    const { verifier, evidence: found } = await ask<{
      verifier: { address: unknown } | null;
      evidence: { judgedAt: unknown; gates: unknown } | null;
    }>(gateway, query, { id: checkpoint });
    if (!isAddressText(verifier?.address)) return;
    const judgedAt = Number.isSafeInteger(found?.judgedAt) ? (found?.judgedAt as number) : 0;
    for (const gate of only(isGate, found?.gates)) {
      facts.set(`gate ${verifier.address} ${checkpoint} ${gate.gate}`, {
        kind: "gate",
        t: judgedAt,
        verifier: verifier.address,
        checkpoint,
        gate: gate.gate,
        ok: gate.ok,
        reason: gate.ok ? undefined : plainText(gate.reason, 300),
        interval: gate.fromStep == null || gate.toStep == null ? undefined : { from: gate.fromStep, to: gate.toStep },
        distance:
          gate.distanceParams == null ? undefined : { params: gate.distanceParams, m: gate.distanceMoment ?? 0 },
        accuracy: gate.accuracy ?? undefined,
        balancedAccuracy: gate.balancedAccuracy ?? undefined,
        nll: gate.nll ?? undefined,
      });
    }
    changed();
  }

  async function ask<T>(gateway: string, query: string, variables: Record<string, unknown>): Promise<T> {
    const response = await fetch(`${gateway}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.any([abort.signal, AbortSignal.timeout(10_000)]),
    });
    const answer = (await response.json()) as { data?: T; errors?: { message?: string }[] } | null;
    const said = Array.isArray(answer?.errors) ? answer.errors[0] : undefined;
    if (!answer?.data || said) throw new Error(said?.message ?? `${new URL(gateway).host} answered ${response.status}`);
    return answer.data;
  }
}

interface Gateway {
  readonly url: string;
  /** of its verifier, lower case */
  readonly address: string;
}

const STEP = "fence step loss ms at";
const LOG = "id fence at level message";
const PULSE = "address connected silentMs job fence";
const RECEIPT =
  "fence nextFence from to cause silentAt signedAt endedAt firstStepAt endedToAcquiredMs acquiredToFirstStepMs lastStep resumedFrom stepsLost verifier";

/** The data of a server-sent event; undefined for what is none. */
function dataOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { data } = (JSON.parse(text) ?? {}) as { data?: unknown };
    return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const CAUSES = ["released", "expired", "stalled", "evicted", "refused", "unavailable", "jobClosed"] as const;
const causeOf = (cause: string) => CAUSES.find((c) => c.toLowerCase() === cause.toLowerCase()) ?? "released";
