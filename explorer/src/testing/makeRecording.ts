import { type EventArg, RECORDING_VERSION, type Recording, type RecordingEntry } from "@gpuchain/sdk/records";

/**
 * A made-up run of the demo's shape for tests: A is killed between checkpoints, P hands in junk, B finishes.
 * Deterministic, exact to the unit, and never served as a real recording.
 */
export function makeRecording(options: { steps?: number; interval?: number; killAt?: number } = {}): Recording {
  const steps = options.steps ?? 400;
  const interval = options.interval ?? 50;
  const killAt = options.killAt ?? 158;
  const b = new Builder(steps, interval);
  b.post();
  b.acquire("A");
  b.train("A", 0, killAt);
  b.kill("A", killAt);
  b.acquire("P");
  b.junk("P");
  b.acquire("B");
  b.train("B", b.head, steps);
  b.finish();
  return b.recording();
}

const hex = (n: number, bytes: number) => `0x${n.toString(16).padStart(bytes * 2, "0")}` as const;
const hash = (n: number) => {
  // Spread the bits, so that shortened hashes differ in a test's picture as real ones do.
  let out = "";
  let x = (n * 2_654_435_761) >>> 0;
  while (out.length < 64) {
    x = (Math.imul(x ^ (x >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    out += x.toString(16).padStart(8, "0");
  }
  return `0x${out}`;
};
const wallet = (n: number) => `0x${hash(n).slice(2, 42)}`;

const PRICES = { A: 1_000n, P: 2_000n, B: 3_000n } as const;
type Name = keyof typeof PRICES;
const ADDRESS: Readonly<Record<string, string>> = {
  client: wallet(1),
  treasury: wallet(2),
  A: wallet(11),
  P: wallet(12),
  B: wallet(13),
  "Seat 1": wallet(21),
  "Seat 2": wallet(22),
  "Seat 3": wallet(23),
};
const SEATS = ["Seat 1", "Seat 2", "Seat 3"].map((s) => ADDRESS[s] as string);
const FEE = 10_000n;
/** Enough for any run of this shape: 5 USDC for the demo's 400 steps. */
const BUDGET_PER_STEP = 12_500n;
const JOB = 1n;

class Builder {
  head = 0;
  private t = 0;
  private block = 100;
  private index = 0;
  private headIndex = 0;
  private fence = 0;
  private logIndex = 0;
  private nextBlockAt = 2_000;
  private providerPay = 0n;
  private fees = 0n;
  private readonly timeline: RecordingEntry[] = [];
  private readonly unpaid: { id: string; provider: Name; pay: bigint; at: number }[] = [];
  private readonly steps: number;
  private readonly interval: number;
  private readonly budget: bigint;

  constructor(steps: number, interval: number) {
    this.steps = steps;
    this.interval = interval;
    this.budget = BigInt(steps) * BUDGET_PER_STEP;
  }

  post() {
    this.add({ kind: "block", t: 0, number: this.block, timestamp: this.timestamp() });
    this.event("Escrow", "BudgetLocked", { jobId: "1", client: ADDRESS.client as string, amount: String(this.budget) });
    this.event("Jobs", "JobPosted", {
      jobId: "1",
      client: ADDRESS.client as string,
      templateId: 0,
      terms: this.terms(),
    });
  }

  acquire(name: Name) {
    this.wait(name === "A" ? 2_500 : 1_400);
    this.fence++;
    this.mine();
    const expiresAt = String(this.timestamp() + 30);
    this.event("Jobs", "LeaseAcquired", {
      jobId: "1",
      fence: this.fence,
      provider: ADDRESS[name] as string,
      pricePerStep: String(PRICES[name]),
      expiresAt,
    });
    if (this.fence === 1) this.event("Jobs", "CommitteeSeated", { jobId: "1", verifiers: SEATS });
    for (const verifier of SEATS)
      this.add({ kind: "pulse", t: this.t, verifier, provider: ADDRESS[name] as string, state: "up" });
  }

  train(name: Name, from: number, to: number) {
    for (let step = from + 1; step <= to; step++) {
      this.wait(name === "A" ? 60 : 70);
      this.step(name, step, 0.7 * Math.exp(-step / 70) + 0.05 + 0.06 * wobble(step));
      if (step === from + 1 && this.fence > 1) this.receipt(name, step);
      if (step % this.interval === 0 || step === this.steps) this.commit(name, step, true);
    }
  }

  kill(name: Name, step: number) {
    this.lost = step - this.head;
    this.killed = step;
    this.add({ kind: "fault", t: this.t, fault: "kill", party: ADDRESS[name] as string, step });
    const killed = this.t;
    this.wait(540);
    for (const verifier of SEATS) {
      this.add({
        kind: "pulse",
        t: this.t,
        verifier,
        provider: ADDRESS[name] as string,
        state: "gone",
        lastBeatT: killed,
      });
      this.add({ kind: "signature", t: this.t, verifier, of: "eviction", fence: this.fence });
    }
    this.wait(700);
    this.mine();
    this.event("Jobs", "LeaseEnded", {
      jobId: "1",
      fence: this.fence,
      provider: ADDRESS[name] as string,
      cause: 4,
      at: String(this.timestamp()),
      openSince: String(this.timestamp()),
    });
    this.from = name;
    this.silence = 540;
    this.evicted = this.t - killed - 540;
  }
  private killed = 0;
  private lost = 0;
  private silence = 0;
  private evicted = 0;
  private from: Name = "A";

  junk(name: Name) {
    const start = this.head;
    this.add({ kind: "fault", t: this.t, fault: "junk", party: ADDRESS[name] as string, step: start + 1 });
    for (let step = start + 1; step <= start + this.interval; step++) {
      this.wait(40);
      this.step(name, step, 0.25 + 0.3 * Math.exp(-(step - start) / 20) + 0.02 * wobble(step));
      if (step === start + 1) this.receipt(name, step);
    }
    this.commit(name, start + this.interval, false);
  }

  finish() {
    this.wait(2_400);
    this.mine();
    this.payOut();
    const fee = (this.providerPay * 800n) / 10_000n;
    const refund = this.budget - this.providerPay - this.fees - fee;
    this.credit(ADDRESS.treasury as string, 3, fee);
    this.credit(ADDRESS.client as string, 4, refund);
    this.event("Jobs", "JobSettled", {
      jobId: "1",
      providerPay: String(this.providerPay),
      verifierFees: String(this.fees),
      protocolFee: String(fee),
      refund: String(refund),
    });
    this.add({ kind: "money", t: this.t, block: this.block, held: "6000000", owed: "6000000" });
    this.add({ kind: "log", t: this.t, source: "demo", level: "info", text: "every unit accounted for" });
  }

  recording(): Recording {
    return {
      version: RECORDING_VERSION,
      protocolVersion: "1",
      startedAt: "2026-11-04T14:00:00.000Z",
      network: { chainId: 31337, name: "Local chain", blockTimeMs: 2000 },
      job: {
        id: "1",
        title: "Spam or ham, small transformer",
        template: "text-classification",
        class: "native",
        client: ADDRESS.client as string,
        specHash: hash(99),
        steps: this.steps,
        checkpointInterval: this.interval,
        traceInterval: 5,
        budget: String(this.budget),
        terms: this.terms() as Record<string, EventArg>,
      },
      parties: [
        { role: "client", name: "Client", address: ADDRESS.client as string },
        { role: "provider", name: "A", address: ADDRESS.A as string, price: "1000", description: "garage 3060" },
        { role: "provider", name: "P", address: ADDRESS.P as string, price: "2000", description: "lab spare" },
        { role: "provider", name: "B", address: ADDRESS.B as string, price: "3000", description: "night shift" },
        ...SEATS.map((address, i) => ({ role: "verifier" as const, name: `Seat ${i + 1}`, address })),
        { role: "treasury", name: "Treasury", address: ADDRESS.treasury as string },
      ],
      badges: [{ kind: "synthetic", text: "Made up for a test" }],
      timeline: this.timeline,
      report: this.report(),
    };
  }

  /** Figures of this made-up run, in the form the demo writes them. */
  private report(): NonNullable<Recording["report"]> {
    const six = (units: bigint) => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`;
    const fee = (this.providerPay * 800n) / 10_000n;
    return {
      network: { chainId: 31337, blockTimeMs: 2000 },
      job: { steps: this.steps, checkpointInterval: this.interval, budget: six(this.budget) },
      kill: {
        provider: "A",
        atStep: 158,
        lastCheckpoint: 150,
        detectedMs: 540,
        evictedMs: 1_700,
        acquiredMs: 3_700,
        firstStepMs: 3_900,
        stepsLost: 8,
      },
      checkpoints: [],
      junk: { provider: "P", refused: true, gate: "replay", paid: "0.000000" },
      final: { accuracy: 0.97, balancedAccuracy: 0.96, nll: 0.1, heldOut: 600 },
      money: {
        budget: six(this.budget),
        providers: { A: "0.150000", P: "0.000000", B: "0.750000" },
        verifiers: six(this.fees),
        fee: six(fee),
        refund: six(this.budget - this.providerPay - this.fees - fee),
        reserves: { held: "6.000000", owed: "6.000000" },
      },
      speed: { bareStepsPerSecond: 17, runStepsPerSecond: 14 },
      wallMs: 68_000,
    };
  }

  private commit(name: Name, step: number, honest: boolean) {
    this.mine();
    this.index++;
    const id = String((JOB << 32n) | BigInt(this.index));
    this.event("Jobs", "CheckpointCommitted", {
      checkpointId: id,
      jobId: "1",
      fence: this.fence,
      parentId: String((JOB << 32n) | BigInt(this.headIndex)),
      step,
      stateHash: hash(1000 + this.index),
      traceRoot: hash(2000 + this.index),
      offSchedule: false,
      judgeableAt: String(this.timestamp()),
      expiresAt: String(this.timestamp() + 30),
    });
    this.wait(900);
    for (const [i, verifier] of SEATS.entries()) this.judge(id, verifier, i, step, honest);
    this.mine();
    for (const [i, verifier] of SEATS.slice(0, honest ? 3 : 2).entries()) {
      this.event("Jobs", "VerdictCast", {
        checkpointId: id,
        verifier,
        seat: i,
        outcome: honest ? 1 : 2,
        metTarget: honest && step === this.steps,
        score: honest ? Math.round(965_000 - 60_000 * Math.exp(-step / 90)) : 531_000,
        evidenceHash: hash(3000 + this.index * 3 + i),
      });
      this.wait(1);
    }
    if (honest) this.accept(id, name, step);
    else this.refuse(id, name);
  }

  private judge(checkpoint: string, verifier: string, i: number, step: number, honest: boolean) {
    const from = step - this.interval + 5 * (step % 7);
    this.add({ kind: "gate", t: this.t, verifier, checkpoint, gate: "integrity", ok: true });
    this.wait(120);
    this.add({
      kind: "gate",
      t: this.t,
      verifier,
      checkpoint,
      gate: "replay",
      ok: honest,
      interval: { from, to: from + 5 },
      distance: honest ? { params: 2.1e-6, m: 3.2e-7 } : { params: 0.32, m: 0.97 },
      limit: { params: 1e-3, m: 1e-5 },
      ...(honest
        ? {}
        : { reason: "the update ended 0.32 away; the job allows 0.001", committed: hash(4000), replayed: hash(4001) }),
    });
    if (!honest) return;
    this.wait(60 + i);
    const balancedAccuracy = 0.965 - 0.06 * Math.exp(-step / 90);
    this.add({ kind: "gate", t: this.t, verifier, checkpoint, gate: "quality", ok: true, balancedAccuracy, nll: 0.12 });
  }

  private accept(id: string, name: Name, step: number) {
    const pay = BigInt(step - this.head) * PRICES[name];
    this.event("Jobs", "CheckpointAccepted", {
      checkpointId: id,
      jobId: "1",
      provider: ADDRESS[name] as string,
      step,
      pay: String(pay),
    });
    this.head = step;
    this.headIndex = this.index;
    this.unpaid.push({ id, provider: name, pay, at: this.t });
    if (step === this.steps) {
      this.event("Jobs", "JobCompleted", { jobId: "1", checkpointId: id, metTarget: true });
    } else if (this.unpaid.length > 2) this.payOut();
  }

  private refuse(id: string, name: Name) {
    this.event("Jobs", "CheckpointRefused", {
      checkpointId: id,
      jobId: "1",
      provider: ADDRESS[name] as string,
      appealUntil: String(this.timestamp() + 5),
    });
    this.event("Jobs", "LeaseEnded", {
      jobId: "1",
      fence: this.fence,
      provider: ADDRESS[name] as string,
      cause: 5,
      at: String(this.timestamp()),
      openSince: String(this.timestamp()),
    });
    this.from = name;
    this.silence = 0;
    this.evicted = 100;
    this.lost = this.interval;
    this.killed = this.head + this.interval;
  }

  private payOut() {
    for (const { id, provider, pay } of this.unpaid.splice(0)) {
      this.credit(ADDRESS[provider] as string, 0, pay);
      for (const seat of SEATS) this.credit(seat, 1, FEE);
      this.providerPay += pay;
      this.fees += 3n * FEE;
      this.event("Jobs", "CheckpointPaid", {
        checkpointId: id,
        payout: ADDRESS[provider] as string,
        pay: String(pay),
        fee: String(FEE),
        voters: SEATS,
      });
    }
  }

  private credit(account: string, kind: number, amount: bigint) {
    this.event("Escrow", "Credited", { jobId: "1", account, kind, amount: String(amount) });
  }

  private receipt(name: Name, step: number) {
    const refused = this.silence === 0;
    this.add({
      kind: "receipt",
      t: this.t,
      cause: refused ? "refused" : "evicted",
      from: ADDRESS[this.from] as string,
      to: ADDRESS[name] as string,
      fence: this.fence - 1,
      nextFence: this.fence,
      phases: [
        { name: refused ? "lease ended" : "silent", ms: refused ? this.evicted : this.silence },
        ...(refused ? [] : [{ name: "evicted", ms: this.evicted }]),
        { name: "acquired", ms: 1_900 },
        { name: "firstStep", ms: 240 },
      ],
      atStep: this.killed,
      resumedFrom: step - 1,
      stepsLost: this.lost,
    });
  }

  private step(name: Name, step: number, loss: number) {
    this.add({
      kind: "step",
      t: this.t,
      provider: ADDRESS[name] as string,
      fence: this.fence,
      step,
      loss,
      lr: 1e-3,
      ms: 58,
    });
  }

  private event(contract: string, name: string, args: Record<string, EventArg>) {
    const tx = hash(10_000 + this.block);
    this.add({
      kind: "event",
      t: this.t,
      contract,
      name,
      args,
      block: this.block,
      timestamp: this.timestamp(),
      tx,
      logIndex: this.logIndex++,
    });
  }

  private wait(ms: number) {
    const until = this.t + ms;
    while (this.nextBlockAt <= until) this.tick();
    this.t = until;
  }

  /** Goes on to the next block, as a transaction does. */
  private mine() {
    this.tick();
    this.t += 5;
  }

  private tick() {
    this.t = Math.max(this.t, this.nextBlockAt);
    this.block++;
    this.nextBlockAt += 2_000;
    this.logIndex = 0;
    this.add({ kind: "block", t: this.t, number: this.block, timestamp: this.timestamp() });
  }

  private timestamp() {
    return 1_762_264_800 + 2 * (this.block - 100);
  }

  private add(entry: RecordingEntry) {
    this.timeline.push(entry);
  }

  private terms() {
    return {
      templateId: 0,
      specHash: hash(99),
      genesisHash: hash(98),
      eligibilityRoot: hex(0, 32),
      totalSteps: this.steps,
      checkpointInterval: this.interval,
      maxPricePerStep: "3000",
      verifierFee: String(FEE),
      leaseDuration: 30,
      segmentTimeout: 120,
      pulseTimeoutMs: 500,
      auctionRamp: 6,
      verdictTimeout: 30,
      deadline: String(1_762_264_800 + 3600),
      gracePeriod: 120,
      disputeWindow: 2,
      budget: String(this.budget),
    };
  }
}

const wobble = (n: number) => Math.sin(n * 12.9898) * Math.cos(n * 4.1414);
