import type { FactEntry } from "../model/fold.ts";

export interface ToldStep {
  readonly fence: number;
  readonly step: number;
  readonly loss: number;
  readonly ms: number;
  /** epoch ms, by the node's own clock */
  readonly at: number;
}

/** What the gateways told of one job so far. Fact entries carry epoch ms in `t`. */
export interface Telemetry {
  readonly steps: readonly ToldStep[];
  readonly facts: readonly FactEntry[];
  readonly problem: string | undefined;
}

export const NO_TELEMETRY: Telemetry = { steps: [], facts: [], problem: undefined };

const PAGE = 5_000;

/**
 * Follows one job on the configured gateways: what is known first, then server-sent events. Steps come from one gateway (they
 * are the same on all), evidence from each.
 */
export function followJob(
  gateways: readonly string[],
  jobId: string,
  publish: (telemetry: Telemetry) => void,
): { stop: () => void; askEvidence: (checkpoints: readonly string[]) => void } {
  const steps = new Map<string, ToldStep>();
  const facts = new Map<string, FactEntry>();
  const asked = new Set<string>();
  const abort = new AbortController();
  const sources: EventSource[] = [];
  let problem: string | undefined;
  let pending = false;

  const changed = () => {
    if (pending || abort.signal.aborted) return;
    pending = true;
    // Steps come many a second; the page needs them a few times a second.
    setTimeout(() => {
      pending = false;
      if (abort.signal.aborted) return;
      const sorted = [...steps.values()].sort((a, b) => a.at - b.at);
      publish({ steps: sorted, facts: [...facts.values()], problem });
    }, 250);
  };
  const addSteps = (news: readonly ToldStep[]) => {
    for (const s of news) steps.set(`${s.fence}/${s.step}`, s);
    changed();
  };

  void start();
  return {
    stop() {
      abort.abort();
      for (const source of sources) source.close();
    },
    askEvidence(checkpoints) {
      for (const checkpoint of checkpoints) {
        for (const gateway of gateways) {
          const key = `${gateway} ${checkpoint}`;
          if (asked.has(key)) continue;
          asked.add(key);
          void evidence(gateway, checkpoint).catch(() => asked.delete(key));
        }
      }
    },
  };

  async function start(): Promise<void> {
    for (const gateway of gateways) {
      try {
        await known(gateway);
        listen(gateway);
        problem = undefined;
        changed();
        return;
      } catch (error) {
        if (abort.signal.aborted) return;
        problem = error instanceof Error ? error.message : String(error);
        changed();
      }
    }
  }

  async function known(gateway: string): Promise<void> {
    const { receipts, pulses, verifier } = await ask<{
      receipts: ToldReceipt[];
      pulses: ToldPulse[];
      verifier: { address: string };
    }>(gateway, `query($job: ID!) { ${RECEIPTS} pulses { ${PULSE} } verifier { address } }`, { job: jobId });
    for (const receipt of receipts) addReceipt(receipt);
    for (const pulse of pulses) addPulse(verifier.address, pulse, true);
    for (let fence = 1; fence <= 4096; fence++) {
      const got = await allSteps(gateway, fence);
      addSteps(got);
      const later =
        receipts.some((r) => r.nextFence > fence) || pulses.some((p) => p.job === jobId && (p.fence ?? 0) > fence);
      if (got.length === 0 && !later) return;
    }
  }

  async function allSteps(gateway: string, fence: number): Promise<ToldStep[]> {
    const all: ToldStep[] = [];
    for (let after = -1; ; ) {
      const query = `query($job: ID!, $fence: Int, $after: Int) { steps(job: $job, fence: $fence, after: $after, limit: ${PAGE}) { ${STEP} } }`;
      const { steps: page } = await ask<{ steps: ToldStep[] }>(gateway, query, { job: jobId, fence, after });
      all.push(...page);
      const last = page.at(-1);
      if (!last || page.length < PAGE) return all;
      after = last.step;
    }
  }

  function listen(gateway: string): void {
    subscribe<{ stepsAdded: ToldStep[] }>(gateway, `subscription { stepsAdded(job: "${jobId}") { ${STEP} } }`, (data) =>
      addSteps(data.stepsAdded),
    );
    subscribe<{ receiptAdded: ToldReceipt }>(
      gateway,
      `subscription { receiptAdded(job: "${jobId}") { ${RECEIPT} } }`,
      (data) => addReceipt(data.receiptAdded),
    );
    for (const each of gateways) {
      void ask<{ verifier: { address: string } }>(each, "query { verifier { address } }", {}).then(
        ({ verifier }) =>
          subscribe<{ pulseChanged: ToldPulse }>(each, `subscription { pulseChanged { ${PULSE} } }`, (data) =>
            addPulse(verifier.address, data.pulseChanged, false),
          ),
        () => undefined, // A gateway that is away has nothing to tell; the others do.
      );
    }
  }

  function subscribe<T>(gateway: string, query: string, onData: (data: T) => void): void {
    if (abort.signal.aborted) return;
    const source = new EventSource(`${gateway}/graphql?query=${encodeURIComponent(query)}`);
    source.addEventListener("next", (event) => {
      const { data } = JSON.parse((event as MessageEvent<string>).data) as { data?: T };
      if (data) onData(data);
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
    const { verifier, evidence: found } = await ask<{ verifier: { address: string }; evidence: ToldEvidence | null }>(
      gateway,
      query,
      { id: checkpoint },
    );
    for (const gate of found?.gates ?? []) {
      if (gate.gate !== "integrity" && gate.gate !== "replay" && gate.gate !== "quality") continue;
      facts.set(`gate ${verifier.address} ${checkpoint} ${gate.gate}`, {
        kind: "gate",
        t: found?.judgedAt ?? 0,
        verifier: verifier.address,
        checkpoint,
        gate: gate.gate,
        ok: gate.ok,
        reason: gate.ok ? undefined : gate.reason,
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
    const { data, errors } = (await response.json()) as { data?: T; errors?: { message: string }[] };
    if (!data || errors?.[0])
      throw new Error(errors?.[0]?.message ?? `${new URL(gateway).host} answered ${response.status}`);
    return data;
  }
}

const STEP = "fence step loss ms at";
const PULSE = "address connected silentMs job fence";
const RECEIPT =
  "fence nextFence from to cause silentAt signedAt endedAt firstStepAt endedToAcquiredMs acquiredToFirstStepMs lastStep resumedFrom stepsLost verifier";
const RECEIPTS = `receipts(job: $job) { ${RECEIPT} }`;

interface ToldReceipt {
  readonly fence: number;
  readonly nextFence: number;
  readonly from: string;
  readonly to: string;
  readonly cause: string;
  readonly silentAt: number;
  readonly signedAt: number | null;
  readonly endedAt: number;
  readonly firstStepAt: number;
  readonly endedToAcquiredMs: number;
  readonly acquiredToFirstStepMs: number;
  readonly lastStep: number | null;
  readonly resumedFrom: number;
  readonly stepsLost: number | null;
  readonly verifier: string;
}

interface ToldPulse {
  readonly address: string;
  readonly connected: boolean;
  readonly silentMs: number;
  readonly job: string | null;
  readonly fence: number | null;
}

interface ToldEvidence {
  readonly judgedAt: number;
  readonly gates: readonly {
    readonly gate: string;
    readonly ok: boolean;
    readonly reason: string;
    readonly fromStep: number | null;
    readonly toStep: number | null;
    readonly distanceParams: number | null;
    readonly distanceMoment: number | null;
    readonly accuracy: number | null;
    readonly balancedAccuracy: number | null;
    readonly nll: number | null;
  }[];
}

const CAUSES = ["released", "expired", "stalled", "evicted", "refused", "unavailable", "jobClosed"] as const;
const causeOf = (cause: string) => CAUSES.find((c) => c.toLowerCase() === cause.toLowerCase()) ?? "released";
