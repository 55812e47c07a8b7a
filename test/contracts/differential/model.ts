// The money rules of the protocol once more, written from its text: who is owed what after each call. It keeps whole objects and walks
// lists where the contracts keep cursors and packed words, so that the two cannot share a mistake of bookkeeping.
// Longer than most files: one rule book, in the order of the protocol's sections.
import { account, free, need, payIn, Refused, reserve, slashFree, slashReserved } from "./money.ts";
import type { Checkpoint, Job, Lease, Limits, Outcome, State, Terms, Vote } from "./state.ts";

const USDC = 1_000_000n;
const MAX_PENDING = 8;
const TREASURY = "treasury";

const at = <T>(list: readonly T[], index: number, what: string): T => {
  const item = list[index];
  need(item !== undefined, `no such ${what}`);
  return item;
};
const max = (a: bigint, b: bigint) => (a > b ? a : b);
const min = (a: bigint, b: bigint) => (a < b ? a : b);
const round = (job: Job) => 3n * job.terms.fee;
const challengeBond = (amount: bigint) => max(USDC, (amount * 500n) / 10_000n);

export class Model {
  state: State;
  private readonly limits: Limits;
  /** who the chain drew in the call at hand: chance is the chain's, not the model's */
  private drawn: readonly string[] = [];

  constructor(limits: Limits) {
    this.limits = limits;
    this.state = { now: 0, block: 0, accounts: {}, providers: {}, verifiers: {}, jobs: [] };
  }

  /** Does what `rule` says at this time, all or nothing. @returns why not, or undefined when it was done */
  attempt(now: number, block: number, drawn: readonly string[], rule: () => void): string | undefined {
    const before = structuredClone(this.state);
    this.state.now = now;
    this.state.block = block;
    this.drawn = drawn;
    try {
      rule();
      return undefined;
    } catch (error) {
      const { now, block } = this.state;
      this.state = { ...before, now, block };
      if (error instanceof Refused) return error.message;
      throw error;
    }
  }

  job(id: number): Job {
    return at(this.state.jobs, id - 1, "job");
  }

  // ----- registry ---------------------------------------------------------------------------------------------------

  addProvider(name: string, payout: string, price: bigint, bond: bigint): void {
    payIn(this.state, name, bond);
    account(this.state, name).bond += bond;
    this.state.providers[name] = { payout, price };
  }

  addVerifier(name: string, bond: bigint): void {
    payIn(this.state, name, bond);
    account(this.state, name).bond += bond;
    this.state.verifiers[name] = { status: "active" };
  }

  depositBond(payer: string, name: string, amount: bigint): void {
    const verifier = this.state.verifiers[name];
    const provider = this.state.providers[name];
    need((verifier ?? provider) !== undefined && verifier?.status !== "gone" && !provider?.gone, "not registered");
    payIn(this.state, payer, amount);
    account(this.state, name).bond += amount;
    if (verifier?.status === "suspended" && free(this.state, name) >= this.limits.minVerifierBond) {
      verifier.status = "active";
    }
  }

  requestExit(name: string): void {
    const exitAt = this.state.now + this.limits.unbondingPeriod;
    const verifier = this.state.verifiers[name];
    const provider = this.state.providers[name];
    if (verifier !== undefined) {
      need(verifier.status === "active" || verifier.status === "suspended", "leaving");
      Object.assign(verifier, { status: "exiting", exitAt });
    } else {
      need(provider !== undefined && provider.exitAt === undefined, "leaving");
      provider.exitAt = exitAt;
    }
  }

  withdrawBond(name: string): void {
    const verifier = this.state.verifiers[name];
    const provider = this.state.providers[name];
    const party = verifier ?? provider;
    need(party?.exitAt !== undefined && this.state.now >= party.exitAt, "unbonding");
    if (verifier !== undefined) {
      need(verifier.status === "exiting", "not leaving");
      need(!this.state.jobs.some((job) => job.members[name] === false), "holds a seat");
      verifier.status = "gone";
    } else if (provider !== undefined) {
      need(!provider.gone && account(this.state, name).reserved === 0n, "a lease holds its bond");
      provider.gone = true;
    }
    const amount = free(this.state, name);
    account(this.state, name).bond -= amount;
    account(this.state, provider?.payout ?? name).claimable += amount;
  }

  equivocate(reporter: string, verifier: string): void {
    const known = this.state.verifiers[verifier];
    need(known !== undefined && known.status !== "gone", "not registered");
    const half = free(this.state, verifier) / 2n;
    this.slashVerifier(verifier, reporter, half);
    this.slashVerifier(verifier, TREASURY, free(this.state, verifier));
  }

  withdraw(name: string, to: string): void {
    const { claimable } = account(this.state, name);
    need(claimable > 0n, "nothing to withdraw");
    account(this.state, name).claimable = 0n;
    account(this.state, to).wallet += claimable;
  }

  private slashVerifier(name: string, to: string, amount: bigint): bigint {
    const taken = slashFree(this.state, name, to, amount);
    const verifier = this.state.verifiers[name];
    if (verifier?.status === "active" && free(this.state, name) < this.limits.minVerifierBond) {
      verifier.status = "suspended";
    }
    return taken;
  }

  // ----- terms ------------------------------------------------------------------------------------------------------

  post(client: string, terms: Terms): void {
    const work = BigInt(terms.totalSteps) * terms.maxPrice;
    const rounds = BigInt(Math.ceil(terms.totalSteps / terms.interval));
    const worstCase = work + (work * 800n) / 10_000n + rounds * 3n * terms.fee;
    need(terms.budget >= max(worstCase, USDC), "budget too small");
    payIn(this.state, client, terms.budget);
    this.state.jobs.push({
      ...{ client, terms, deadline: terms.deadline, status: "Open", locked: terms.budget },
      ...{ openSince: this.state.now, seats: [], members: {}, leases: [], checkpoints: [], head: 0, judgeableAt: 0 },
      ...{ barred: [], evictions: {}, coolingUntil: {}, maturedThrough: 0, nextToPay: 1, providerPay: 0n },
      challenges: {},
    });
  }

  // ----- seats ------------------------------------------------------------------------------------------------------

  /** Who could be drawn now: bonded, not leaving, not a party of the job, never a member of it. */
  candidates(job: Job): string[] {
    const holder = job.leases.at(-1)?.provider ?? "";
    const out = [job.client, holder, this.state.providers[holder]?.payout];
    return Object.entries(this.state.verifiers)
      .filter(([name, { status }]) => status === "active" && !out.includes(name) && job.members[name] === undefined)
      .map(([name]) => name);
  }

  seatCommittee(id: number): void {
    const job = this.job(id);
    need(job.status === "Open" && job.anchor !== undefined && job.seats.length === 0, "nothing to draw");
    this.seatNow(job);
  }

  private seatNow(job: Job): void {
    if (job.seats.length > 0) return;
    need(job.anchor !== undefined && this.state.block > job.anchor.block, "the anchor is too recent");
    const names = this.take(job.anchor.candidates, 3);
    job.seats = names.map((verifier) => ({ verifier, seatedAt: this.state.now }));
    for (const name of names) job.members[name] = false;
  }

  /** The chain's draw, which must be one that the rules allow. When the chain refused the call, any allowed one does. */
  private take(candidates: readonly string[], count: number): string[] {
    const names = this.drawn.length > 0 ? [...this.drawn] : candidates.slice(0, count);
    const allowed = names.every((name) => candidates.includes(name)) && new Set(names).size === count;
    if (!allowed || names.length !== count) throw new Error(`drew ${names.join(", ")} of ${candidates.join(", ")}`);
    return names;
  }

  replaceSeat(id: number, seat: number): void {
    const job = this.job(id);
    need(job.seats.length > 0 && job.status !== "Settled", "no seat to replace");
    const sitting = at(job.seats, seat, "seat");
    if (job.replacing !== undefined) {
      need(job.replacing.seat === seat && this.state.block > job.replacing.block, "another replacement, or too early");
      const [verifier = ""] = this.take(job.replacing.candidates, 1);
      job.seats[seat] = { verifier, seatedAt: this.state.now };
      job.members[verifier] = false;
      job.replacing = undefined;
      return;
    }
    const silent = this.silent(job, seat, job.terms.verdictTimeout);
    const leaving = this.state.verifiers[sitting.verifier]?.status !== "active";
    need(silent || leaving, "no fault");
    const candidates = this.candidates(job);
    need(candidates.length > 0, "nobody to take its place");
    job.replacing = { seat, block: this.state.block, candidates };
    if (silent) this.slashVerifier(sitting.verifier, TREASURY, this.limits.minVerifierBond / 100n);
  }

  releaseSeats(id: number): void {
    const job = this.job(id);
    const sitting = job.seats.map(({ verifier }) => verifier);
    const freed = Object.keys(job.members).filter(
      (name) => job.members[name] === false && (job.status === "Settled" || !sitting.includes(name)),
    );
    const votes = this.front(job)?.votes ?? [];
    const released = freed.filter((name) => !votes.some(({ verifier }) => verifier === name));
    need(released.length > 0, "no seat to release");
    for (const name of released) {
      job.members[name] = true;
      const verifier = this.state.verifiers[name];
      const sitsOn = this.state.jobs.some(({ members }) => members[name] === false);
      // Its bond answers for its last votes for a whole unbonding time.
      if (verifier?.status === "exiting" && !sitsOn) verifier.exitAt = this.state.now + this.limits.unbondingPeriod;
    }
  }

  private silent(job: Job, seat: number, seconds: number): boolean {
    const front = this.front(job);
    if (front === undefined || front.votes.some((vote) => vote.seat === seat)) return false;
    if (job.status === "Closing" && this.state.now >= this.judgedUntil(job)) return false;
    return this.state.now >= Math.max(job.judgeableAt, at(job.seats, seat, "seat").seatedAt) + seconds;
  }

  // ----- leases -----------------------------------------------------------------------------------------------------

  private live(job: Job): Lease | undefined {
    const lease = job.leases.at(-1);
    return lease !== undefined && lease.ended === undefined ? lease : undefined;
  }

  /** Whether somebody holds the job at `time`, if nothing happens before. */
  isHeld(job: Job, time: number): boolean {
    const lease = this.live(job);
    return lease !== undefined && time < this.end(job, lease).at;
  }

  private draining(job: Job): boolean {
    return job.cancelled === true || job.contested !== undefined;
  }

  /** When a lease is over by itself, and whether it stalled. At the same second it expires. */
  private end(job: Job, lease: Lease): { at: number; stalled: boolean } {
    const stallsAt = lease.segmentStart === undefined ? Infinity : lease.segmentStart + job.terms.segmentTimeout;
    return { at: Math.min(stallsAt, lease.expiresAt), stalled: stallsAt < lease.expiresAt };
  }

  /** Most calls write down what time has done to the lease before they do their own. */
  private see(job: Job): void {
    const lease = this.live(job);
    if (lease === undefined) return;
    const { at: endedAt } = this.end(job, lease);
    if (this.state.now < endedAt) return;
    this.endLease(job, lease, endedAt, "passive");
    if (this.draining(job)) return;
    job.coolingUntil[lease.provider] = endedAt + this.limits.longCoolDown;
    // Behind a full queue it could not commit.
    if (lease.commits.length === 0 && lease.segmentStart !== undefined) this.squat(job, lease);
  }

  private endLease(job: Job, lease: Lease, endedAt: number, how: "passive" | "other"): void {
    lease.ended = how;
    job.openSince = endedAt;
  }

  private squat(job: Job, lease: Lease): void {
    slashReserved(this.state, lease.provider, TREASURY, round(job));
    lease.held -= round(job);
  }

  acquire(id: number, name: string): void {
    const { state } = this;
    const job = this.job(id);
    need(job.status === "Open" && !this.draining(job) && state.now < job.deadline, "the job is not open");
    this.see(job);
    need(this.live(job) === undefined, "held");
    const provider = state.providers[name];
    need(provider !== undefined && provider.exitAt === undefined, "not offering");
    need(name !== job.client && provider.payout !== job.client, "the client");
    need(!job.barred.includes(name), "barred");
    need(state.now >= (job.coolingUntil[name] ?? 0), "cooling down");
    need(provider.price <= this.priceCeiling(job), "too dear");
    if (job.leases.length > 0) {
      this.seatNow(job);
      need(job.evictedInBlock !== state.block, "evicted in this block");
      const seated = job.seats.map(({ verifier }) => verifier);
      need(!seated.includes(name) && !seated.includes(provider.payout), "seated");
    }
    job.leases.push({
      ...{ provider: name, price: provider.price, acquiredAt: state.now, lastActionAt: state.now },
      ...{ expiresAt: state.now + job.terms.leaseDuration, commits: [], held: 2n * round(job) },
      segmentStart: this.pending(job).length >= MAX_PENDING ? undefined : state.now,
    });
    if (job.leases.length === 1) {
      const candidates = this.candidates(job);
      need(candidates.length >= 3, "no committee");
      job.anchor = { block: state.block, candidates };
    }
    reserve(state, name, 2n * round(job));
  }

  priceCeiling(job: Job): bigint {
    const waited = this.state.now - job.openSince;
    if (waited >= job.terms.ramp) return job.terms.maxPrice;
    return (job.terms.maxPrice * BigInt(waited)) / BigInt(job.terms.ramp);
  }

  /** The lease that `name` holds under `fence`, within its time. */
  private held(job: Job, fence: number, name?: string): Lease {
    const lease = this.live(job);
    need(lease !== undefined && job.leases.length === fence, "stale fence, or over");
    need(this.state.now < this.end(job, lease).at, "over");
    need(name === undefined || lease.provider === name, "not the holder");
    return lease;
  }

  renew(id: number, fence: number, name: string): void {
    const job = this.job(id);
    const lease = this.held(job, fence, name);
    need(!this.draining(job) && this.state.now < job.deadline + job.terms.grace, "draining, or too late");
    lease.lastActionAt = this.state.now;
    lease.expiresAt = this.state.now + job.terms.leaseDuration;
  }

  release(id: number, fence: number, name: string): void {
    const job = this.job(id);
    const lease = this.held(job, fence, name);
    this.endLease(job, lease, this.state.now, "other");
    if (lease.commits.length > 0 || this.draining(job)) return;
    this.squat(job, lease);
    job.coolingUntil[name] = this.state.now + Math.max(this.limits.shortCoolDown, 2 * job.terms.ramp);
  }

  /** `signers`: whose valid attestations the call carries. */
  evict(id: number, fence: number, signers: readonly string[], attestedAtMs: number): void {
    const job = this.job(id);
    const lease = this.held(job, fence);
    this.seatNow(job);
    const fresh =
      attestedAtMs > lease.lastActionAt * 1000 &&
      attestedAtMs + 30_000 >= this.state.now * 1000 &&
      attestedAtMs <= this.state.now * 1000 + 5_000;
    const seats = new Set(signers.filter((name) => job.seats.some(({ verifier }) => verifier === name)));
    need(fresh && seats.size >= 2, "too few seats");
    this.endLease(job, lease, this.state.now, "other");
    job.evictedInBlock = this.state.block;
    const count = (job.evictions[lease.provider] ?? 0) + 1;
    job.evictions[lease.provider] = count;
    if (count > 1) job.coolingUntil[lease.provider] = this.state.now + this.limits.shortCoolDown;
  }

  releaseBond(id: number, fence: number): void {
    const job = this.job(id);
    this.see(job);
    const lease = at(job.leases, fence - 1, "lease");
    const last = lease.commits.at(-1);
    const decided = last === undefined || job.checkpoints[last - 1]?.status !== "Pending";
    need(lease.ended !== undefined && !lease.released && !lease.refusalWaits && decided, "still due");
    this.freeLease(lease);
  }

  private freeLease(lease: Lease): void {
    lease.released = true;
    account(this.state, lease.provider).reserved -= lease.held;
    lease.held = 0n;
  }

  // ----- checkpoints ------------------------------------------------------------------------------------------------

  /** Positions of the pending ones, in commit order. */
  pending(job: Job): number[] {
    return job.checkpoints.flatMap(({ status }, i) => (status === "Pending" ? [i + 1] : []));
  }

  private front(job: Job): Checkpoint | undefined {
    return job.checkpoints.find(({ status }) => status === "Pending");
  }

  stepOf(job: Job, index: number): number {
    return index === 0 ? 0 : at(job.checkpoints, index - 1, "checkpoint").step;
  }

  commit(id: number, fence: number, name: string, parent: number, step: number, release: boolean): void {
    const job = this.job(id);
    const lease = this.held(job, fence, name);
    need(this.state.now < job.deadline + job.terms.grace, "too late");
    this.seatNow(job);
    const queue = this.pending(job);
    const last = release || this.draining(job);
    need(queue.length < MAX_PENDING + (last ? 1 : 0), "queue full");

    const own = lease.commits.at(-1);
    const ownStands = own !== undefined && (own === job.head || queue.includes(own));
    need(ownStands ? parent === own : parent === job.head || parent === queue.at(-1), "wrong parent");
    const from = this.stepOf(job, parent);
    const { interval, totalSteps } = job.terms;
    const due = Math.min((Math.floor(from / interval) + 1) * interval, totalSteps);
    need(step > from && step <= due && (step === due || release), "wrong step");
    const offSchedule = step !== due;
    if (offSchedule) need(BigInt(step - from) * lease.price >= round(job), "pay below a round");

    job.checkpoints.push({
      ...{ lease: fence, parent, step, steps: step - from, offSchedule, status: "Pending" as const },
      ...{ decidedAt: 0, votes: [] },
    });
    lease.commits.push(job.checkpoints.length);
    if (queue.length === 0) job.judgeableAt = this.state.now;
    lease.lastActionAt = this.state.now;
    lease.expiresAt = this.state.now + job.terms.leaseDuration;
    lease.segmentStart = queue.length + 1 >= MAX_PENDING ? undefined : this.state.now;
    if (last) this.endLease(job, lease, this.state.now, "other");
  }

  private pay(job: Job, checkpoint: Checkpoint): bigint {
    const lease = at(job.leases, checkpoint.lease - 1, "lease");
    return BigInt(checkpoint.steps) * lease.price - (checkpoint.offSchedule ? round(job) : 0n);
  }

  private descends(job: Job, index: number, ancestor: number): boolean {
    for (let i = index; i !== 0; i = at(job.checkpoints, i - 1, "checkpoint").parent) if (i === ancestor) return true;
    return ancestor === 0;
  }

  // ----- verdicts ---------------------------------------------------------------------------------------------------

  cast(id: number, index: number, said: readonly { verifier: string; outcome: Outcome; metTarget: boolean }[]): void {
    const { now } = this.state;
    const job = this.job(id);
    const checkpoint = at(job.checkpoints, index - 1, "checkpoint");
    const open = checkpoint.status === "Pending";
    if (open) {
      need(this.front(job) === checkpoint, "not its turn");
      need(job.status !== "Closing" || now < this.judgedUntil(job), "judged no more");
    } else if (checkpoint.status === "Accepted") {
      need(index > job.maturedThrough && now < this.maturesAt(job, checkpoint), "mature");
    } else {
      need(checkpoint.status === "Refused" && now < checkpoint.decidedAt + this.limits.appealWindow, "decided");
    }

    const fresh: Vote[] = [];
    for (const { verifier, outcome, metTarget } of said) {
      const seat = job.seats.findIndex((sitting) => sitting.verifier === verifier);
      if (seat < 0 || [...checkpoint.votes, ...fresh].some((vote) => vote.seat === seat)) continue;
      const counts = outcome === "Accept" && checkpoint.step === job.terms.totalSteps;
      fresh.push({ seat, verifier, outcome, metTarget: metTarget && counts });
    }
    need(fresh.length > 0, "no vote counts");
    checkpoint.votes.push(...fresh);
    if (!open) return;

    const { votes } = checkpoint;
    const winner = votes.find((a) =>
      votes.some((b) => b !== a && b.outcome === a.outcome && b.metTarget === a.metTarget),
    );
    if (winner === undefined && votes.length < 3) return;
    // Two that accept and differ on the target: the work is paid, and no fee is due.
    const twoAccept = votes.filter((vote) => vote.outcome === "Accept").length === 2;
    const outcome = winner?.outcome ?? (twoAccept ? "Accept" : "Unavailable");
    if (outcome === "Accept") this.accept(job, index, checkpoint, winner?.metTarget === true);
    else this.drop(job, index, checkpoint, outcome);
  }

  private accept(job: Job, index: number, checkpoint: Checkpoint, metTarget: boolean): void {
    const wasFull = this.pending(job).length >= MAX_PENDING;
    Object.assign(checkpoint, { status: "Accepted", decidedAt: this.state.now });
    job.head = index;
    for (const i of this.pending(job)) {
      if (!this.descends(job, i, index)) at(job.checkpoints, i - 1, "checkpoint").status = "Dropped";
    }
    job.judgeableAt = this.state.now;
    const lease = this.live(job);
    if (checkpoint.step === job.terms.totalSteps) {
      job.status = "Completed";
      job.metTarget = metTarget;
      this.see(job);
      const still = this.live(job);
      if (still !== undefined) this.endLease(job, still, this.state.now, "other");
    } else if (wasFull && this.pending(job).length < MAX_PENDING && lease !== undefined) {
      lease.segmentStart = this.state.now;
    }
  }

  private drop(job: Job, index: number, checkpoint: Checkpoint, outcome: "Refuse" | "Unavailable"): void {
    const { now } = this.state;
    const lease = at(job.leases, checkpoint.lease - 1, "lease");
    this.see(job);
    Object.assign(checkpoint, { status: outcome === "Refuse" ? "Refused" : "Dropped", decidedAt: now });
    for (const i of this.pending(job)) {
      if (this.descends(job, i, index)) at(job.checkpoints, i - 1, "checkpoint").status = "Dropped";
    }
    job.judgeableAt = now;
    if (outcome === "Refuse") {
      lease.refusalWaits = true;
      job.barred.push(lease.provider);
    } else {
      job.coolingUntil[lease.provider] = now + this.limits.longCoolDown;
      this.payRound(job, checkpoint, lease, "Unavailable");
    }
    const holder = this.live(job);
    if (holder?.provider === lease.provider) this.endLease(job, holder, now, "other");
    else if (holder !== undefined) holder.segmentStart = this.pending(job).length >= MAX_PENDING ? undefined : now;
  }

  private payRound(job: Job, checkpoint: Checkpoint, lease: Lease, outcome: Outcome): void {
    for (const vote of checkpoint.votes.filter((vote) => vote.outcome === outcome)) {
      slashReserved(this.state, lease.provider, vote.verifier, job.terms.fee);
      lease.held -= job.terms.fee;
    }
  }

  private finalize(job: Job, checkpoint: Checkpoint): void {
    const lease = at(job.leases, checkpoint.lease - 1, "lease");
    checkpoint.status = "Final";
    lease.refusalWaits = false;
    this.payRound(job, checkpoint, lease, "Refuse");
    this.freeLease(lease);
  }

  settleRefusal(id: number, index: number): void {
    const job = this.job(id);
    const checkpoint = at(job.checkpoints, index - 1, "checkpoint");
    need(checkpoint.status === "Refused", "not refused, or appealed");
    need(this.state.now >= checkpoint.decidedAt + this.limits.appealWindow, "appeals are open");
    this.finalize(job, checkpoint);
  }

  // ----- payouts, ends ----------------------------------------------------------------------------------------------

  private credit(job: Job, name: string, amount: bigint): void {
    if (job.locked < amount) throw new Error(`${amount} are due to ${name}, ${job.locked} are left`);
    job.locked -= amount;
    account(this.state, name).claimable += amount;
  }

  private judgedUntil(job: Job): number {
    return (job.closedAt ?? 0) + 2 * job.terms.verdictTimeout;
  }

  payOut(id: number, most: number): void {
    const { now } = this.state;
    const job = this.job(id);
    need(most <= 50 && job.status !== "Settled", "settled");
    const expired = job.status === "Closing" && this.pending(job).length > 0 && now >= this.judgedUntil(job);
    if (expired) this.voidPending(job);
    const until = job.contested?.from ?? job.cutFrom ?? this.pending(job)[0] ?? job.checkpoints.length + 1;
    let looked = 0;
    for (; looked < most && job.nextToPay < until; looked++) {
      const checkpoint = at(job.checkpoints, job.nextToPay - 1, "checkpoint");
      if (checkpoint.status === "Accepted") {
        const mature = job.nextToPay <= job.maturedThrough || now >= this.maturesAt(job, checkpoint);
        if (!mature) break;
        const pay = this.pay(job, checkpoint);
        const provider = at(job.leases, checkpoint.lease - 1, "lease").provider;
        this.credit(job, this.state.providers[provider]?.payout ?? "", pay);
        job.providerPay += pay;
        for (const vote of checkpoint.votes) {
          if (vote.outcome === "Accept") this.credit(job, vote.verifier, job.terms.fee);
        }
        checkpoint.paid = true;
      }
      job.nextToPay++;
    }
    const done = job.nextToPay >= until && job.status !== "Open" && !job.contested && this.pending(job).length === 0;
    if (done) this.settle(job);
    else need(looked > 0 || expired, "nothing to pay");
  }

  private settle(job: Job): void {
    if (job.status === "Completed" && job.metTarget) this.credit(job, TREASURY, (job.providerPay * 800n) / 10_000n);
    if (job.roundDue && job.checkpoints.length === 0) {
      for (const { verifier } of job.seats) this.credit(job, verifier, job.terms.fee);
      if (job.seats.length === 0) this.credit(job, TREASURY, round(job));
    }
    this.credit(job, job.client, job.locked);
    job.status = "Settled";
  }

  private voidPending(job: Job): void {
    for (const i of this.pending(job)) at(job.checkpoints, i - 1, "checkpoint").status = "Dropped";
  }

  cancel(id: number, name: string): void {
    const job = this.job(id);
    need(job.status === "Open" && name === job.client && !job.cancelled, "not the client's to cancel");
    this.see(job);
    job.cancelled = true;
    this.oweRound(job);
  }

  /** Whoever ends a job that was leased pays for the draw unless something is committed. A draw that can be foreseen is drawn. */
  private oweRound(job: Job): void {
    const age = this.state.block - (job.anchor?.block ?? this.state.block);
    if (age > 0 && age <= 256) this.seatNow(job);
    // In the anchor's own block nobody can foresee it.
    job.roundDue = (age > 0 || job.seats.length > 0) && job.checkpoints.length === 0;
  }

  close(id: number): void {
    const job = this.job(id);
    need(job.status === "Open", "not open");
    this.see(job);
    const drained = job.cancelled === true && this.live(job) === undefined;
    const late = this.state.now >= job.deadline + job.terms.grace;
    need(drained || (job.contested === undefined && (late || this.abandoned(job))), "not closable");
    if (!job.cancelled) this.oweRound(job);
    this.enterClosing(job);
  }

  private abandoned(job: Job): boolean {
    const silent = job.seats.filter((_, seat) => this.silent(job, seat, 3 * job.terms.verdictTimeout)).length;
    return silent >= 2 && this.candidates(job).length === 0;
  }

  private enterClosing(job: Job): void {
    const lease = this.live(job);
    if (lease !== undefined) this.endLease(job, lease, this.state.now, "other");
    job.status = "Closing";
    job.closedAt = this.state.now;
  }

  // ----- challenges -------------------------------------------------------------------------------------------------

  private openChallenge(job: Job, index: number, kind: "dispute" | "appeal", opener: string, bond: bigint): void {
    payIn(this.state, opener, bond);
    account(this.state, opener).bond += bond;
    reserve(this.state, opener, bond);
    job.challenges[index] = { kind, opener, openedAt: this.state.now, bond, open: true };
  }

  dispute(id: number, index: number, name: string): void {
    const job = this.job(id);
    const checkpoint = at(job.checkpoints, index - 1, "checkpoint");
    need(name === job.client && checkpoint.status === "Accepted", "not the client, or not accepted");
    need(job.contested === undefined && job.cutFrom === undefined, "contested or cut");
    need(index > job.maturedThrough && this.state.now < this.maturesAt(job, checkpoint), "mature");
    this.see(job);
    job.contested = { from: index, since: this.state.now };
    this.openChallenge(job, index, "dispute", name, challengeBond(job.locked));
  }

  appeal(id: number, index: number, name: string): void {
    const job = this.job(id);
    const checkpoint = at(job.checkpoints, index - 1, "checkpoint");
    const lease = at(job.leases, checkpoint.lease - 1, "lease");
    need(checkpoint.status === "Refused" && name === lease.provider, "not its refusal");
    need(this.state.now < checkpoint.decidedAt + this.limits.appealWindow, "too late");
    checkpoint.status = "Appealed";
    this.openChallenge(job, index, "appeal", name, challengeBond(BigInt(checkpoint.steps) * lease.price));
  }

  private ruling(job: Job, index: number, kind: "dispute" | "appeal", arbiter: string) {
    const challenge = job.challenges[index];
    need(challenge?.open === true && challenge.kind === kind, "no such challenge");
    need(arbiter === "arbiter" && this.state.now < challenge.openedAt + this.limits.arbiterPeriod, "no ruling");
    challenge.open = false;
    return challenge;
  }

  private returnBond(opener: string, bond: bigint): void {
    account(this.state, opener).reserved -= bond;
    account(this.state, opener).bond -= bond;
    account(this.state, opener).claimable += bond;
  }

  private stand(job: Job): void {
    this.see(job);
    if (this.live(job) === undefined) job.openSince = this.state.now;
    const { from, since } = job.contested ?? { from: 0, since: 0 };
    if (job.status === "Open") job.deadline += this.state.now - since;
    job.contested = undefined;
    job.ruledAt = this.state.now;
    // What was accepted meanwhile nobody could contest: it matures by its own window, which begins now.
    const before = job.checkpoints.flatMap(({ status, decidedAt }, i) =>
      status === "Accepted" && decidedAt < since ? [i + 1] : [],
    );
    job.maturedThrough = Math.max(from, ...before);
  }

  /** When an accepted checkpoint matures by its window. */
  private maturesAt(job: Job, { decidedAt }: Checkpoint): number {
    const ruledAt = job.contested === undefined ? (job.ruledAt ?? 0) : 0;
    return Math.max(decidedAt, ruledAt) + job.terms.window;
  }

  uphold(id: number, index: number, name: string): void {
    const job = this.job(id);
    const { opener, bond } = this.ruling(job, index, "dispute", name);
    this.stand(job);
    const provider = at(job.leases, at(job.checkpoints, index - 1, "checkpoint").lease - 1, "lease").provider;
    slashReserved(this.state, opener, this.state.providers[provider]?.payout ?? "", bond / 2n);
    slashReserved(this.state, opener, TREASURY, bond - bond / 2n);
  }

  cut(id: number, index: number, from: number, name: string): void {
    const job = this.job(id);
    const { opener, bond } = this.ruling(job, index, "dispute", name);
    const first = at(job.checkpoints, from - 1, "checkpoint");
    need(from >= (job.contested?.from ?? 0) && first.status === "Accepted", "not contested");
    this.see(job);
    this.voidPending(job);
    job.contested = undefined;
    job.metTarget = false;
    job.cutFrom = from;
    job.maturedThrough = from - 1;
    job.head = first.parent;
    this.enterClosing(job);
    this.returnBond(opener, bond);
    for (const { verifier, outcome } of first.votes) {
      if (outcome === "Accept") this.slashVerifier(verifier, opener, this.limits.minVerifierBond / 5n);
    }
  }

  grant(id: number, index: number, name: string): void {
    const job = this.job(id);
    const { opener, bond } = this.ruling(job, index, "appeal", name);
    const checkpoint = at(job.checkpoints, index - 1, "checkpoint");
    const lease = at(job.leases, checkpoint.lease - 1, "lease");
    checkpoint.status = "Overturned";
    lease.refusalWaits = false;
    // Once for this refusal; another one keeps its own bar.
    job.barred.splice(job.barred.indexOf(lease.provider), 1);
    this.freeLease(lease);
    this.returnBond(opener, bond);
    const forfeit = this.limits.minVerifierBond / 5n;
    let lost = this.pay(job, checkpoint);
    for (const { verifier, outcome } of checkpoint.votes) {
      if (outcome !== "Refuse") continue;
      const share = min(lost, forfeit);
      lost -= this.slashVerifier(verifier, this.state.providers[lease.provider]?.payout ?? "", share);
      this.slashVerifier(verifier, TREASURY, forfeit - share);
    }
  }

  reject(id: number, index: number, name: string): void {
    const job = this.job(id);
    const { opener, bond } = this.ruling(job, index, "appeal", name);
    this.finalize(job, at(job.checkpoints, index - 1, "checkpoint"));
    slashReserved(this.state, opener, TREASURY, bond);
  }

  lapse(id: number, index: number): void {
    const job = this.job(id);
    const challenge = job.challenges[index];
    need(challenge?.open === true, "no such challenge");
    need(this.state.now >= challenge.openedAt + this.limits.arbiterPeriod, "the arbiter's time runs");
    challenge.open = false;
    if (challenge.kind === "dispute") this.stand(job);
    else this.finalize(job, at(job.checkpoints, index - 1, "checkpoint"));
    this.returnBond(challenge.opener, challenge.bond);
  }
}
