import type { Discarded, Lease, Pending, ProviderId, SimConfig, SimProvider, SimState } from "./types.ts";

type Draft = { -readonly [K in keyof SimState]: SimState[K] };

/** A fresh simulation: everybody on, nobody started. */
export function createSim(config: SimConfig): SimState {
  const fresh: SimProvider = {
    on: true,
    cheating: false,
    barredAt: undefined,
    credited: 0n,
    acceptedSteps: 0,
    lostSteps: 0,
    refusedSteps: 0,
  };
  return {
    config,
    time: 0,
    phase: "ready",
    providers: { A: fresh, B: fresh, C: fresh },
    openSince: undefined,
    fence: 0,
    lease: undefined,
    head: 0,
    pending: [],
    accepted: [],
    discarded: [],
    seats: 0n,
    seatsFromBonds: 0n,
    fee: 0n,
    refund: 0n,
    log: [],
  };
}

/** The client posts the job: the budget is locked and the auction opens. */
export function begin(state: SimState): SimState {
  if (state.phase !== "ready") return state;
  return edit(state, (draft) => {
    draft.phase = "running";
    draft.openSince = draft.time;
    say(draft, `The client locks ${usdc(draft.config.budget, 2)} USDC. The asking price starts at zero.`);
  });
}

/** Pulls a provider's plug, or puts it back. */
export function setPower(state: SimState, id: ProviderId, on: boolean): SimState {
  if (state.providers[id].on === on) return state;
  return edit(state, (draft) => {
    patch(draft, id, { on });
    const lease = draft.lease;
    if (lease?.provider !== id) return;
    if (on && lease.silentSince !== undefined) {
      // Back before two seats signed: one missed beat evicts nobody.
      draft.lease = { ...lease, silentSince: undefined, nextStepAt: draft.time + stepMs(draft, id) };
      say(draft, `${id} is back in time. Nothing lost.`);
    } else if (!on) {
      draft.lease = { ...lease, silentSince: draft.time };
      say(draft, `${id} goes silent at step ${lease.step}.`);
    }
  });
}

/** From its next step on the provider hands in junk instead of work (or stops doing so). */
export function setCheating(state: SimState, id: ProviderId, cheating: boolean): SimState {
  return state.providers[id].cheating === cheating ? state : edit(state, (draft) => patch(draft, id, { cheating }));
}

/** Lets `ms` of simulated time pass. The same total time gives the same state, however it is cut up. */
export function advance(state: SimState, ms: number): SimState {
  if (state.phase !== "running") return state;
  const until = state.time + ms;
  return edit(state, (draft) => {
    while (draft.phase === "running") {
      const due = nextEvent(draft);
      if (due === undefined || due.at > until) break;
      draft.time = Math.max(draft.time, due.at);
      due.run(draft);
    }
    if (draft.phase === "running") draft.time = until;
  });
}

interface Due {
  readonly at: number;
  readonly run: (draft: Draft) => void;
}

function nextEvent(draft: Draft): Due | undefined {
  const due = [judgement(draft), training(draft), auction(draft), deadline(draft)].filter((x) => x !== undefined);
  return due.sort((a, b) => a.at - b.at)[0];
}

function judgement(draft: Draft): Due | undefined {
  const first = draft.pending[0];
  return first && { at: first.judgeableAt + draft.config.verdictMs, run: (d) => judge(d, first) };
}

function training(draft: Draft): Due | undefined {
  const { lease, config } = draft;
  if (!lease) return undefined;
  if (lease.silentSince !== undefined) {
    return { at: lease.silentSince + config.pulseTimeoutMs + config.evictMs, run: evict };
  }
  const full = draft.pending.length >= config.queue && nextCheckpoint(config, lease.base) === lease.step + 1;
  return full ? undefined : { at: lease.nextStepAt, run: trainStep };
}

/** The ceiling rises from zero to the job's top price over the ramp; the cheapest provider is eligible first. */
function auction(draft: Draft): Due | undefined {
  if (draft.openSince === undefined) return undefined;
  const eligible = draft.config.providers.filter(({ id }) => draft.providers[id].on && canWork(draft, id));
  const cheapest = eligible.sort((a, b) => Number(a.price - b.price))[0];
  if (!cheapest) return undefined;
  const { rampMs, maxPrice } = draft.config;
  const at = draft.openSince + Math.ceil((rampMs * Number(cheapest.price)) / Number(maxPrice));
  return { at: Math.max(at, draft.time), run: (d) => acquire(d, cheapest.id) };
}

/** When nobody may ever take the job again, its deadline passes and anyone closes it. */
function deadline(draft: Draft): Due | undefined {
  if (draft.openSince === undefined || draft.pending.length > 0) return undefined;
  if (draft.config.providers.some(({ id }) => canWork(draft, id))) return undefined;
  return { at: draft.openSince + draft.config.deadlineMs, run: close };
}

function acquire(draft: Draft, id: ProviderId): void {
  const base = tip(draft);
  draft.fence += 1;
  draft.openSince = undefined;
  const nextStepAt = draft.time + draft.config.warmMs + stepMs(draft, id);
  draft.lease = {
    fence: draft.fence,
    provider: id,
    base,
    step: base,
    nextStepAt,
    junkFrom: undefined,
    silentSince: undefined,
  };
  say(
    draft,
    base === 0
      ? `${id} takes the job at ${price(draft, id)} a step.`
      : `${id} goes on from ${base} at ${price(draft, id)} a step.`,
  );
}

function trainStep(draft: Draft): void {
  const lease = draft.lease as Lease;
  const { config } = draft;
  const id = lease.provider;
  const step = lease.step + 1;
  const junkFrom = lease.junkFrom ?? (draft.providers[id].cheating ? step : undefined);
  draft.lease = { ...lease, step, junkFrom, nextStepAt: draft.time + stepMs(draft, id) };
  if (step !== nextCheckpoint(config, lease.base)) return;
  const checkpoint: Pending = {
    from: lease.base,
    to: step,
    provider: id,
    fence: lease.fence,
    junk: junkFrom !== undefined,
    judgeableAt: draft.time,
  };
  draft.pending = [...draft.pending, checkpoint];
  draft.lease = { ...draft.lease, base: step, junkFrom: undefined };
  say(draft, `${id} hands in step ${step}. Three verifiers are on it.`);
  if (step === config.totalSteps) draft.lease = undefined;
}

function evict(draft: Draft): void {
  const lease = draft.lease as Lease;
  const lost = lease.step - lease.base;
  discardLease(draft);
  draft.openSince = draft.time;
  const kept = lease.base === 0 ? "Nothing was handed in yet." : `Step ${lease.base} is safe.`;
  say(draft, `Two verifiers sign ${lease.provider} off. ${plural(lost, "step")} lost. ${kept}`);
}

function judge(draft: Draft, first: Pending): void {
  const steps = first.to - first.from;
  const round = 3n * draft.config.verifierFee;
  const { provider: id } = first;
  const before = draft.providers[id];
  if (first.junk) {
    refuse(draft, first, steps, round);
    return;
  }
  const pay = BigInt(steps) * providerPrice(draft, id);
  draft.pending = draft.pending.slice(1).map((next, i) => (i === 0 ? { ...next, judgeableAt: draft.time } : next));
  draft.head = first.to;
  draft.seats += round;
  draft.accepted = [...draft.accepted, { from: first.from, to: first.to, provider: id }];
  patch(draft, id, { credited: before.credited + pay, acceptedSteps: before.acceptedSteps + steps });
  say(draft, `Step ${first.to} accepted, 3 of 3. ${id} has earned ${usdc(draft.providers[id].credited, 4)}.`);
  if (first.to === draft.config.totalSteps) complete(draft);
}

function refuse(draft: Draft, first: Pending, steps: number, round: bigint): void {
  const { provider: id } = first;
  const held = draft.lease;
  const descendants = draft.pending.slice(1);
  draft.pending = [];
  draft.seatsFromBonds += round;
  discard(draft, { from: first.from, to: first.to, provider: id, kind: "refused" });
  for (const { from, to, provider } of descendants) discard(draft, { from, to, provider, kind: "lost" });
  discardLease(draft);
  patch(draft, id, { barredAt: first.to });
  say(draft, `${id}’s step ${first.to} doesn’t replay. ${plural(steps, "step")} refused, 0 paid.`, true);
  if (held && held.provider !== id) {
    // An honest holder who built on the refused work keeps its lease and goes on from the head.
    draft.lease = {
      ...held,
      base: draft.head,
      step: draft.head,
      nextStepAt: draft.time + stepMs(draft, held.provider),
      junkFrom: undefined,
    };
    say(draft, `${held.provider} had built on it and starts again from ${draft.head}.`);
  } else {
    draft.openSince ??= draft.time;
  }
}

function complete(draft: Draft): void {
  const pay = providerPay(draft);
  draft.fee = (pay * draft.config.feeBps) / 10_000n;
  draft.refund = draft.config.budget - pay - draft.seats - draft.fee;
  draft.phase = "completed";
  draft.openSince = undefined;
  say(draft, `Finished. ${usdc(draft.fee, 4)} fee, ${usdc(draft.refund, 4)} back to the client.`);
}

function close(draft: Draft): void {
  draft.refund = draft.config.budget - providerPay(draft) - draft.seats;
  draft.phase = "closed";
  draft.openSince = undefined;
  say(draft, `Nobody is left to train. Deadline passes, anyone closes: ${usdc(draft.refund, 4)} back, no fee.`, true);
}

function discardLease(draft: Draft): void {
  const { lease } = draft;
  if (!lease) return;
  const { base: from, step: to, provider } = lease;
  if (to > from) discard(draft, { from, to, provider, kind: "lost" });
  draft.lease = undefined;
}

function discard(draft: Draft, piece: Discarded): void {
  const steps = piece.to - piece.from;
  const before = draft.providers[piece.provider];
  draft.discarded = [...draft.discarded, piece];
  if (piece.kind === "lost") patch(draft, piece.provider, { lostSteps: before.lostSteps + steps });
  else patch(draft, piece.provider, { refusedSteps: before.refusedSteps + steps });
}

function edit(state: SimState, change: (draft: Draft) => void): SimState {
  const draft: Draft = { ...state };
  change(draft);
  return draft;
}

function patch(draft: Draft, id: ProviderId, change: Partial<SimProvider>): void {
  draft.providers = { ...draft.providers, [id]: { ...draft.providers[id], ...change } };
}

function say(draft: Draft, text: string, bad = false): void {
  draft.log = [{ at: draft.time, text, bad }, ...draft.log];
}

const tip = (draft: Draft) => draft.pending.at(-1)?.to ?? draft.head;
const canWork = (draft: Draft, id: ProviderId) => draft.providers[id].barredAt === undefined;
const nextCheckpoint = (config: SimConfig, base: number) =>
  Math.min(config.totalSteps, (Math.floor(base / config.interval) + 1) * config.interval);
const find = (draft: SimState, id: ProviderId) => draft.config.providers.find((p) => p.id === id);
const stepMs = (draft: Draft, id: ProviderId) => find(draft, id)?.stepMs ?? 0;
const providerPrice = (draft: SimState, id: ProviderId) => find(draft, id)?.price ?? 0n;
const price = (draft: Draft, id: ProviderId) => usdc(providerPrice(draft, id), 4);
const plural = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
const usdc = (units: bigint, places: number) => (Number(units) / 1e6).toFixed(places);

function providerPay(state: SimState): bigint {
  return state.config.providers.reduce((sum, { id }) => sum + state.providers[id].credited, 0n);
}

/** Where the budget is now. The parts always add up to it exactly. */
export function whereTheMoneyIs(state: SimState): {
  readonly paid: Readonly<Record<ProviderId, bigint>>;
  readonly seats: bigint;
  readonly fee: bigint;
  /** worked for, not judged yet, by provider: promised to nobody until it passes */
  readonly unchecked: Readonly<Record<ProviderId, bigint>>;
  readonly client: bigint;
} {
  const paid = { A: state.providers.A.credited, B: state.providers.B.credited, C: state.providers.C.credited };
  const unchecked: Record<ProviderId, bigint> = { A: 0n, B: 0n, C: 0n };
  for (const p of state.pending) unchecked[p.provider] += BigInt(p.to - p.from) * providerPrice(state, p.provider);
  if (state.lease) {
    const { provider, step, base } = state.lease;
    unchecked[provider] += BigInt(step - base) * providerPrice(state, provider);
  }
  const spent = providerPay(state) + state.seats + state.fee + unchecked.A + unchecked.B + unchecked.C;
  return { paid, seats: state.seats, fee: state.fee, unchecked, client: state.config.budget - spent };
}
