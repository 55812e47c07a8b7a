// A small model of the protocol that emits what the contracts would, in their order, with money that adds up. Tests of the
// ledger's arithmetic use it directly; tests of the indexer's plumbing write the same events to a real chain. What the real
// contracts emit is checked against them in contracts.test.ts.
import { challengeStates, creditKinds, endCauses, outcomes, slashKinds } from "../../ledger/rows.ts";

export type Address = `0x${string}`;
export interface WorldEvent {
  contract: "Jobs" | "Escrow" | "Registry" | "Court";
  name: string;
  args: Record<string, unknown>;
  /** block time, seconds */
  at: number;
}

const ZERO: Address = `0x${"0".repeat(40)}`;

/** A readable, unique address: `address(0xa1, 7)`. */
export function address(kind: number, index: number): Address {
  return `0x${kind.toString(16).padStart(2, "0")}${index.toString(16).padStart(38, "0")}`;
}

/** A readable, unique 32-byte value. */
export function hash(kind: number, index: number): `0x${string}` {
  return `0x${kind.toString(16).padStart(8, "0")}${index.toString(16).padStart(56, "0")}`;
}

interface JobState {
  client: Address;
  totalSteps: number;
  interval: number;
  fee: bigint;
  budget: bigint;
  spent: bigint;
  window: number;
  fence: number;
  holder: Address | undefined;
  price: bigint;
  count: number;
  tip: number;
  sums: { providerPay: bigint; verifierFees: bigint; protocolFee: bigint };
}

interface CheckpointState {
  provider: Address;
  price: bigint;
  parent: number;
  step: number;
  steps: number;
  voters: Address[];
  fence: number;
}

/** See the file's first comment. Every method is one call to the contracts and returns the events of its transaction. */
export class World {
  readonly events: WorldEvent[] = [];
  readonly treasury = address(0xfe, 1);
  readonly arbiter = address(0xfe, 2);
  readonly verifiers: Address[] = [];
  readonly prices = new Map<Address, bigint>();
  readonly jobs = new Map<bigint, JobState>();
  readonly checkpoints = new Map<bigint, CheckpointState>();
  now: number;
  private nextJob = 1n;

  constructor(now = 1_900_000_000) {
    this.now = now;
  }

  setUp(): WorldEvent[] {
    return this.emit([
      ["Registry", "TemplateApproved", { templateId: 0, name: "text-classification", minVerifierFee: 100n }],
      ["Registry", "ConfigNamed", { configId: 0, arbiter: this.arbiter, treasury: this.treasury }],
    ]);
  }

  registerVerifier(index: number, bond = 100_000_000n): WorldEvent[] {
    const verifier = address(0xbb, index);
    this.verifiers.push(verifier);
    const profile = { endpoint: `http://127.0.0.1:${9000 + index}`, encryptionKey: hash(2, index), minFee: 100n };
    return this.emit([
      [
        "Registry",
        "VerifierRegistered",
        { verifier, verifierId: index, activeFrom: this.now, profile: { ...profile, templateMask: 1 } },
      ],
      ["Escrow", "BondDeposited", { account: verifier, payer: verifier, amount: bond }],
    ]);
  }

  registerProvider(index: number, price: bigint, bond = 1_000_000_000n): WorldEvent[] {
    const provider = address(0xaa, index);
    this.prices.set(provider, price);
    const profile = { name: `provider ${index}`, pricePerStep: price, deviceHash: hash(3, index) };
    return this.emit([
      [
        "Registry",
        "ProviderRegistered",
        {
          provider,
          payout: this.payoutOf(provider),
          profile: { ...profile, encryptionKey: hash(4, index), metadata: '{"device":"cpu"}' },
        },
      ],
      ["Escrow", "BondDeposited", { account: provider, payer: provider, amount: bond }],
    ]);
  }

  payoutOf(provider: Address): Address {
    return `0xcc${provider.slice(4)}`;
  }

  postJob({ client = 1, totalSteps = 400, interval = 50, price = 2_000n, fee = 1_000n, window = 2 } = {}): {
    jobId: bigint;
    events: WorldEvent[];
  } {
    const jobId = this.nextJob++;
    const steps = BigInt(totalSteps);
    const pay = steps * price;
    const checkpoints = BigInt(Math.ceil(totalSteps / interval));
    const budget = pay + (pay * 800n) / 10_000n + checkpoints * 3n * fee + 1_000_000n;
    const job: JobState = {
      ...{ client: address(0xdd, client), totalSteps, interval, fee, budget, spent: 0n, window, fence: 0 },
      ...{
        holder: undefined,
        price: 0n,
        count: 0,
        tip: 0,
        sums: { providerPay: 0n, verifierFees: 0n, protocolFee: 0n },
      },
    };
    this.jobs.set(jobId, job);
    const terms = {
      ...{ templateId: 0, specHash: hash(5, Number(jobId)), genesisHash: hash(6, 1), eligibilityRoot: hash(0, 0) },
      ...{ totalSteps, checkpointInterval: interval, maxPricePerStep: price, verifierFee: fee, leaseDuration: 30 },
      ...{ segmentTimeout: 60, pulseTimeoutMs: 500, auctionRamp: 6, verdictTimeout: 20, deadline: this.now + 86_400 },
      ...{ gracePeriod: 60, disputeWindow: window, budget },
    };
    const events = this.emit([
      ["Escrow", "BudgetLocked", { jobId, client: job.client, amount: budget }],
      [
        "Jobs",
        "JobPosted",
        {
          jobId,
          client: job.client,
          templateId: 0,
          configId: 0,
          arbiter: this.arbiter,
          treasury: this.treasury,
          terms,
        },
      ],
    ]);
    return { jobId, events };
  }

  acquire(jobId: bigint, index: number): WorldEvent[] {
    const job = this.job(jobId);
    const provider = address(0xaa, index);
    const price = this.prices.get(provider) ?? 0n;
    job.fence += 1;
    job.holder = provider;
    job.price = price;
    return this.emit([
      ["Jobs", "LeaseAcquired", { jobId, fence: job.fence, provider, pricePerStep: price, expiresAt: this.now + 30 }],
      [
        "Escrow",
        "BondReserved",
        { account: provider, kind: 0, id: (jobId << 32n) | BigInt(job.fence), amount: 6n * job.fee },
      ],
    ]);
  }

  seat(jobId: bigint): WorldEvent[] {
    const members = this.verifiers.slice(0, 3);
    return this.emit([["Jobs", "CommitteeSeated", { jobId, verifiers: members }]]);
  }

  commit(jobId: bigint): { checkpointId: bigint; events: WorldEvent[] } {
    const job = this.job(jobId);
    if (!job.holder) throw new Error("no lease");
    const parent = job.tip;
    const parentStep = parent === 0 ? 0 : this.checkpoint((jobId << 32n) | BigInt(parent)).step;
    const step = Math.min(job.totalSteps, (Math.floor(parentStep / job.interval) + 1) * job.interval);
    job.count += 1;
    job.tip = job.count;
    const checkpointId = (jobId << 32n) | BigInt(job.count);
    this.checkpoints.set(checkpointId, {
      ...{
        provider: job.holder,
        price: job.price,
        parent,
        step,
        steps: step - parentStep,
        voters: [],
        fence: job.fence,
      },
    });
    const events = this.emit([
      [
        "Jobs",
        "CheckpointCommitted",
        {
          ...{ checkpointId, jobId, fence: job.fence, parentId: parent === 0 ? 0n : (jobId << 32n) | BigInt(parent) },
          ...{ step, stateHash: hash(7, Number(checkpointId & 0xffffn)), traceRoot: hash(8, job.count) },
          ...{ offSchedule: false, judgeableAt: this.now, expiresAt: this.now + 30 },
        },
      ],
    ]);
    return { checkpointId, events };
  }

  vote(checkpointId: bigint, seats: number[], outcome: (typeof outcomes)[number], metTarget = false): WorldEvent[] {
    const checkpoint = this.checkpoint(checkpointId);
    return this.emit(
      seats.map((seat): Draft => {
        const verifier = this.seatOf(seat);
        checkpoint.voters.push(verifier);
        const code = outcomes.indexOf(outcome) + 1;
        const rest = { metTarget, score: 900_000 + seat, evidenceHash: hash(9, seat) };
        return ["Jobs", "VerdictCast", { checkpointId, verifier, seat, outcome: code, ...rest }];
      }),
    );
  }

  accept(checkpointId: bigint): WorldEvent[] {
    const jobId = checkpointId >> 32n;
    const job = this.job(jobId);
    const { provider, price, steps, step } = this.checkpoint(checkpointId);
    const pay = price * BigInt(steps);
    const last = step === job.totalSteps;
    const drafts: Draft[] = [["Jobs", "CheckpointAccepted", { checkpointId, jobId, provider, step, pay }]];
    if (last) {
      drafts.push(["Jobs", "JobCompleted", { jobId, checkpointId, metTarget: true }]);
      drafts.push(this.endLease(jobId, "JobClosed"));
    }
    return this.emit(drafts);
  }

  refuse(checkpointId: bigint): WorldEvent[] {
    const jobId = checkpointId >> 32n;
    const job = this.job(jobId);
    const { provider, parent } = this.checkpoint(checkpointId);
    const drafts: Draft[] = [
      ["Jobs", "CheckpointRefused", { checkpointId, jobId, provider, appealUntil: this.now + 5 }],
      ["Jobs", "ProviderCooling", { jobId, provider, until: 2 ** 40 - 1 }],
    ];
    if (job.holder === provider) drafts.push(this.endLease(jobId, "Refused"));
    job.tip = parent;
    return this.emit(drafts);
  }

  settleRefusal(checkpointId: bigint): WorldEvent[] {
    const jobId = checkpointId >> 32n;
    const job = this.job(jobId);
    const { provider, voters, fence } = this.checkpoint(checkpointId);
    const id = (jobId << 32n) | BigInt(fence);
    const kind = slashKinds.indexOf("Round");
    return this.emit([
      ["Jobs", "RefusalFinal", { checkpointId, jobId }],
      ...voters.map(
        (to): Draft => [
          "Escrow",
          "BondSlashed",
          { account: provider, to, kind, id: checkpointId, amount: job.fee, reserved: true },
        ],
      ),
      ["Jobs", "LeaseBondReleased", { jobId, fence, provider }],
      ["Escrow", "BondReleased", { account: provider, id, amount: (6n - BigInt(voters.length)) * job.fee }],
    ]);
  }

  evict(jobId: bigint): WorldEvent[] {
    const job = this.job(jobId);
    const fence = job.fence;
    const provider = job.holder;
    const attested = [0, 2].map((seat): Draft => {
      const verifier = this.verifiers[seat];
      const attestedAt = BigInt(this.now) * 1000n - BigInt(seat);
      return ["Jobs", "EvictionCast", { jobId, fence, verifier, seat, attestedAt }];
    });
    const ended = this.endLease(jobId, "Evicted");
    return this.emit([
      ...attested,
      ended,
      ["Jobs", "LeaseBondReleased", { jobId, fence, provider }],
      ["Escrow", "BondReleased", { account: provider, id: (jobId << 32n) | BigInt(fence), amount: 6n * job.fee }],
    ]);
  }

  payOut(checkpointId: bigint): WorldEvent[] {
    const jobId = checkpointId >> 32n;
    const job = this.job(jobId);
    const { provider, price, steps, voters } = this.checkpoint(checkpointId);
    const pay = price * BigInt(steps);
    const payout = this.payoutOf(provider);
    job.spent += pay + job.fee * BigInt(voters.length);
    job.sums.providerPay += pay;
    job.sums.verifierFees += job.fee * BigInt(voters.length);
    const padded = [...voters, ZERO, ZERO, ZERO].slice(0, 3);
    return this.emit([
      ["Jobs", "CheckpointPaid", { checkpointId, payout, pay, fee: job.fee, voters: padded }],
      this.credit(jobId, payout, "ProviderPay", pay),
      ...voters.map((voter) => this.credit(jobId, voter, "VerifierFee", job.fee)),
    ]);
  }

  settle(jobId: bigint, completed = true): WorldEvent[] {
    const job = this.job(jobId);
    const protocolFee = completed ? (job.sums.providerPay * 800n) / 10_000n : 0n;
    const refund = job.budget - job.spent - protocolFee;
    const { providerPay, verifierFees } = job.sums;
    return this.emit([
      ...(protocolFee > 0n ? [this.credit(jobId, this.treasury, "ProtocolFee", protocolFee)] : []),
      this.credit(jobId, job.client, "Refund", refund),
      ["Jobs", "JobSettled", { jobId, providerPay, verifierFees, protocolFee, refund }],
    ]);
  }

  cancel(jobId: bigint): WorldEvent[] {
    return this.emit([["Jobs", "JobCancelled", { jobId, drainUntil: this.now + 30, cancelFeeDue: false }]]);
  }

  close(jobId: bigint): WorldEvent[] {
    const job = this.job(jobId);
    const drafts: Draft[] = job.holder ? [this.endLease(jobId, "JobClosed")] : [];
    return this.emit([...drafts, ["Jobs", "JobClosing", { jobId, judgedUntil: this.now + 40 }]]);
  }

  withdraw(account: Address, amount: bigint): WorldEvent[] {
    return this.emit([["Escrow", "Withdrawn", { account, to: account, amount }]]);
  }

  dispute(checkpointId: bigint, bond = 1_000_000n): WorldEvent[] {
    const jobId = checkpointId >> 32n;
    const { client } = this.job(jobId);
    return this.emit([
      ["Jobs", "ChainContested", { jobId, fromId: checkpointId, drainUntil: this.now + 30 }],
      [
        "Court",
        "ChallengeOpened",
        { checkpointId, jobId, opener: client, kind: 1, bond, reasonHash: hash(1, 1), arbiterUntil: this.now + 60 },
      ],
      ["Escrow", "BondDeposited", { account: client, payer: client, amount: bond }],
      ["Escrow", "BondReserved", { account: client, kind: 1, id: checkpointId, amount: bond }],
    ]);
  }

  /** The dispute's chain is cut from its first checkpoint on; its bond goes back. */
  cut(checkpointId: bigint, bond = 1_000_000n): WorldEvent[] {
    const jobId = checkpointId >> 32n;
    const { client } = this.job(jobId);
    const { parent } = this.checkpoint(checkpointId);
    const headId = (jobId << 32n) | BigInt(parent);
    const state = challengeStates.indexOf("Cut") + 1;
    return this.emit([
      ["Jobs", "ChainCut", { jobId, fromId: checkpointId, headId }],
      ["Jobs", "JobClosing", { jobId, judgedUntil: this.now }],
      ["Court", "ChallengeClosed", { checkpointId, jobId, kind: 1, state, cutFrom: checkpointId }],
      ["Escrow", "BondReleased", { account: client, id: checkpointId, amount: bond }],
      ["Escrow", "BondReturned", { account: client, to: client, amount: bond }],
    ]);
  }

  /** Posts a job and runs it to its settlement, as most go: every event of a plain life. */
  runJob(provider: number, terms: Parameters<World["postJob"]>[0] = {}): WorldEvent[] {
    const from = this.events.length;
    const { jobId } = this.postJob(terms);
    this.acquire(jobId, provider);
    this.seat(jobId);
    const job = this.job(jobId);
    const ids: bigint[] = [];
    while ((ids.length === 0 ? 0 : this.checkpoint(ids.at(-1) ?? 0n).step) < job.totalSteps) {
      const { checkpointId } = this.commit(jobId);
      ids.push(checkpointId);
      const last = this.checkpoint(checkpointId).step === job.totalSteps;
      this.vote(checkpointId, [0, 1], "Accept", last);
      this.accept(checkpointId);
    }
    this.now += job.window;
    for (const id of ids) this.payOut(id);
    this.settle(jobId);
    return this.events.slice(from);
  }

  /** Money out of a budget for no reason at all: what no contract may do. */
  creditFreely(jobId: bigint, amount: bigint): WorldEvent[] {
    return this.emit([this.credit(jobId, this.treasury, "VerifierFee", amount)]);
  }

  private credit(jobId: bigint, account: Address, kind: (typeof creditKinds)[number], amount: bigint): Draft {
    return ["Escrow", "Credited", { jobId, account, kind: creditKinds.indexOf(kind), amount }];
  }

  private endLease(jobId: bigint, cause: (typeof endCauses)[number]): Draft {
    const job = this.job(jobId);
    const provider = job.holder;
    job.holder = undefined;
    const end = { cause: endCauses.indexOf(cause) + 1, endedAt: this.now, openSince: this.now };
    return ["Jobs", "LeaseEnded", { jobId, fence: job.fence, provider, ...end }];
  }

  private emit(drafts: Draft[]): WorldEvent[] {
    const events = drafts.map(([contract, name, args]): WorldEvent => ({ contract, name, args, at: this.now }));
    this.events.push(...events);
    return events;
  }

  private job(jobId: bigint): JobState {
    const job = this.jobs.get(jobId);
    if (!job) throw new Error(`no job ${jobId}`);
    return job;
  }

  private checkpoint(id: bigint): CheckpointState {
    const checkpoint = this.checkpoints.get(id);
    if (!checkpoint) throw new Error(`no checkpoint ${id}`);
    return checkpoint;
  }

  private seatOf(seat: number): Address {
    const verifier = this.verifiers[seat];
    if (!verifier) throw new Error(`no seat ${seat}`);
    return verifier;
  }
}

type Draft = [WorldEvent["contract"], string, Record<string, unknown>];
