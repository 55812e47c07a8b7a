import type { Recording } from "@gpuchain/sdk/records";
import { MadeUpTimeline } from "./MadeUpTimeline.ts";
import {
  ADDRESS,
  BUDGET_PER_STEP,
  FEE,
  hash,
  JOB,
  type Name,
  PRICES,
  SEATS,
  type Shape,
  terms,
  wobble,
} from "./madeUp.ts";
import { type Books, madeUpRecording } from "./madeUpRecording.ts";

/**
 * A made-up run of the demo's shape for tests: A is killed between checkpoints, P hands in junk, B finishes.
 * Deterministic, exact to the unit, and never served as a real recording.
 */
export function makeRecording(options: { steps?: number; interval?: number; killAt?: number } = {}): Recording {
  const steps = options.steps ?? 400;
  const interval = options.interval ?? 50;
  const killAt = options.killAt ?? 158;
  const shape = { steps, interval, budget: BigInt(steps) * BUDGET_PER_STEP };
  const b = new Builder(shape);
  b.post();
  b.acquire("A");
  b.train("A", 0, killAt);
  b.kill("A", killAt);
  b.acquire("P");
  b.junk("P");
  b.acquire("B");
  b.train("B", b.head, steps);
  b.finish();
  return madeUpRecording(shape, b, b.entries);
}

/** The run's acts, each told as the contracts and the workers would tell it. */
class Builder extends MadeUpTimeline implements Books {
  head = 0;
  private index = 0;
  private headIndex = 0;
  private fence = 0;
  providerPay = 0n;
  fees = 0n;
  private readonly unpaid: { id: string; provider: Name; pay: bigint; at: number }[] = [];
  private readonly shape: Shape;

  constructor(shape: Shape) {
    super();
    this.shape = shape;
  }

  post() {
    this.add({ kind: "block", t: 0, number: this.block, timestamp: this.timestamp() });
    this.event("Escrow", "BudgetLocked", {
      jobId: "1",
      client: ADDRESS.client as string,
      amount: String(this.shape.budget),
    });
    this.event("Jobs", "JobPosted", {
      jobId: "1",
      client: ADDRESS.client as string,
      templateId: 0,
      terms: terms(this.shape),
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
      if (step % this.shape.interval === 0 || step === this.shape.steps) this.commit(name, step, true);
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
    for (let step = start + 1; step <= start + this.shape.interval; step++) {
      this.wait(40);
      this.step(name, step, 0.25 + 0.3 * Math.exp(-(step - start) / 20) + 0.02 * wobble(step));
      if (step === start + 1) this.receipt(name, step);
    }
    this.commit(name, start + this.shape.interval, false);
  }

  finish() {
    this.wait(2_400);
    this.mine();
    this.payOut();
    const fee = (this.providerPay * 800n) / 10_000n;
    const refund = this.shape.budget - this.providerPay - this.fees - fee;
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
        metTarget: honest && step === this.shape.steps,
        score: honest ? Math.round(965_000 - 60_000 * Math.exp(-step / 90)) : 531_000,
        evidenceHash: hash(3000 + this.index * 3 + i),
      });
      this.wait(1);
    }
    if (honest) this.accept(id, name, step);
    else this.refuse(id, name);
  }

  private judge(checkpoint: string, verifier: string, i: number, step: number, honest: boolean) {
    const from = step - this.shape.interval + 5 * (step % 7);
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
    if (step === this.shape.steps) {
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
    this.lost = this.shape.interval;
    this.killed = this.head + this.shape.interval;
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
}
