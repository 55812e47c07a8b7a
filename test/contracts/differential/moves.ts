// What anybody may try: each move is a call to the contracts and the rule of the model that must come to the same. Most are made so that
// they could succeed; some are wrong on purpose, and both sides must refuse those.
import { zeroAddress, zeroHash } from "viem";
import type { Model } from "./model.ts";
import { type Call, type Protocol, people, stateHash, traceRoot } from "./protocol.ts";
import type { Random } from "./random.ts";
import type { Checkpoint, Job, Outcome, Terms } from "./state.ts";

export interface World {
  model: Model;
  protocol: Protocol;
  random: Random;
  /** the time of the block that the move will stand in */
  time: number;
}

export interface Move {
  call: Call;
  rule: () => void;
}

export type Maker = (world: World) => Move | undefined | Promise<Move | undefined>;

const CLIENTS = ["client", "other-client"];
const PROVIDERS = ["alice", "bob", "carol"];
const VERIFIERS = [...people.keys()].filter((name) => /^v\d$/.test(name));
const MAX_JOBS = 4;

const checkpointId = (job: number, index: number) => (index === 0 ? 0n : (BigInt(job) << 32n) | BigInt(index));

function anyJob({ model, random }: World, wanted: (job: Job) => boolean = () => true): [number, Job] | undefined {
  const fitting = model.state.jobs.map((job, i): [number, Job] => [i + 1, job]).filter(([, job]) => wanted(job));
  return random.pick(fitting);
}

function anyCheckpoint(
  world: World,
  wanted: (checkpoint: Checkpoint, job: Job, index: number) => boolean,
): { id: number; job: Job; index: number; checkpoint: Checkpoint } | undefined {
  const fitting = world.model.state.jobs.flatMap((job, j) =>
    job.checkpoints.flatMap((checkpoint, c) =>
      wanted(checkpoint, job, c + 1) ? [{ id: j + 1, job, index: c + 1, checkpoint }] : [],
    ),
  );
  return world.random.pick(fitting);
}

function terms({ random, time }: World): Terms {
  const totalSteps = random.int(5, 60);
  const interval = random.int(1, Math.max(1, Math.ceil(totalSteps / random.int(1, 12))));
  const maxPrice = BigInt(random.pick([1_000, 3_333, 70_001, 900_000]) ?? 1_000);
  const fee = BigInt(random.pick([1_000, 7_777, 30_000]) ?? 1_000);
  const leaseDuration = random.int(10, 60);
  const segmentTimeout = leaseDuration + random.int(0, 30);
  const work = BigInt(totalSteps) * maxPrice;
  const worst = work + (work * 800n) / 10_000n + BigInt(Math.ceil(totalSteps / interval)) * 3n * fee;
  const least = worst > 1_000_000n ? worst : 1_000_000n;
  return {
    ...{ totalSteps, interval, maxPrice, fee, leaseDuration, segmentTimeout },
    ...{ ramp: random.int(0, 8), verdictTimeout: random.int(5, 30), window: random.int(2, 90) },
    ...{ deadline: time + segmentTimeout + random.int(100, 1_500), grace: segmentTimeout + random.int(0, 60) },
    budget: random.chance(0.1) ? least - 1n : least + BigInt(random.int(0, 500_000)),
  };
}

const post: Maker = (world) => {
  const { model, random } = world;
  if (model.state.jobs.length >= MAX_JOBS) return undefined;
  const from = random.pick(CLIENTS) ?? "client";
  const t = terms(world);
  const args = [
    {
      ...{ templateId: 0, specHash: traceRoot(1), genesisHash: stateHash(1), eligibilityRoot: zeroHash },
      ...{ totalSteps: t.totalSteps, checkpointInterval: t.interval, maxPricePerStep: t.maxPrice, verifierFee: t.fee },
      ...{ leaseDuration: t.leaseDuration, segmentTimeout: t.segmentTimeout, pulseTimeoutMs: 500 },
      ...{ auctionRamp: t.ramp, verdictTimeout: t.verdictTimeout, deadline: t.deadline, gracePeriod: t.grace },
      ...{ disputeWindow: t.window, budget: t.budget },
    },
  ];
  return { call: { from, contract: "jobs", name: "postJob", args }, rule: () => model.post(from, t) };
};

const acquire: Maker = (world) => {
  const { model, random, time } = world;
  const found =
    anyJob(world, (job) => job.status === "Open" && !job.cancelled && !model.isHeld(job, time)) ??
    anyJob(world, (job) => job.status === "Open");
  if (found === undefined) return undefined;
  const [id, job] = found;
  const fitting = PROVIDERS.filter((name) => {
    const price = model.state.providers[name]?.price ?? 0n;
    return price <= job.terms.maxPrice && !job.barred.includes(name);
  });
  const from = random.pick(random.chance(0.9) && fitting.length > 0 ? fitting : PROVIDERS) ?? "alice";
  const call: Call = { from, contract: "jobs", name: "acquireLease", args: [BigInt(id), []] };
  return { call, rule: () => model.acquire(id, from) };
};

/** A job that somebody holds, or now and then one whose lease is over. */
function heldJob(world: World): [number, Job] | undefined {
  const { model, random, time } = world;
  return anyJob(world, (job) => job.leases.length > 0 && (model.isHeld(job, time) || random.chance(0.03)));
}

const seat: Maker = (world) => {
  const found = anyJob(world, (job) => job.seats.length === 0 && job.leases.length > 0);
  if (found === undefined) return undefined;
  const call: Call = { from: "client", contract: "jobs", name: "seatCommittee", args: [BigInt(found[0])] };
  return { call, rule: () => world.model.seatCommittee(found[0]) };
};

const commit: Maker = (world) => {
  const { model, random } = world;
  const found = heldJob(world);
  if (found === undefined) return undefined;
  const [id, job] = found;
  const lease = job.leases.at(-1);
  const fence = job.leases.length - (random.chance(0.04) ? 1 : 0);
  const from = random.chance(0.04) ? "carol" : (lease?.provider ?? "alice");
  const queue = model.pending(job);
  const own = lease?.commits.at(-1);
  const parents = [job.head, queue.at(-1) ?? job.head, own ?? job.head, random.int(0, job.checkpoints.length)];
  const parent = own !== undefined && random.chance(0.85) ? own : (random.pick(parents) ?? 0);
  const base = model.stepOf(job, parent);
  const { interval, totalSteps } = job.terms;
  const due = Math.min((Math.floor(base / interval) + 1) * interval, totalSteps);
  const release = random.chance(0.12);
  const step = random.chance(release ? 0.6 : 0.06) ? random.int(base, due) : due;
  const args = [BigInt(id), fence, checkpointId(id, parent), step, stateHash(step), traceRoot(step), release];
  const call: Call = { from, contract: "jobs", name: "commitCheckpoint", args };
  return { call, rule: () => model.commit(id, fence, from, parent, step, release) };
};

const holder =
  (name: "renewLease" | "releaseLease"): Maker =>
  (world) => {
    const found = heldJob(world);
    if (found === undefined) return undefined;
    const [id, job] = found;
    const fence = job.leases.length;
    const from = job.leases.at(-1)?.provider ?? "alice";
    const rule = () =>
      name === "renewLease" ? world.model.renew(id, fence, from) : world.model.release(id, fence, from);
    return { call: { from, contract: "jobs", name, args: [BigInt(id), fence] }, rule };
  };

const evict: Maker = async (world) => {
  const { model, random, protocol, time } = world;
  const found = heldJob(world);
  if (found === undefined) return undefined;
  const [id, job] = found;
  const fence = job.leases.length;
  const signers = job.seats.map(({ verifier }) => verifier).filter(() => random.chance(0.85));
  if (random.chance(0.1)) signers.push("alice", signers[0] ?? "bob");
  const attestedAt = time * 1000 + (random.chance(0.15) ? random.int(-40_000, 9_000) : random.int(0, 900));
  const signed = await Promise.all(signers.map((signer) => protocol.eviction(id, fence, attestedAt, signer)));
  const call: Call = { from: "bob", contract: "jobs", name: "evictLease", args: [BigInt(id), fence, signed] };
  return { call, rule: () => model.evict(id, fence, signers, attestedAt) };
};

const cast: Maker = async (world) => {
  const { model, random, protocol } = world;
  const wanted = (checkpoint: Checkpoint, job: Job, index: number) =>
    checkpoint.status === "Pending" && (model.pending(job)[0] === index || random.chance(0.05));
  const found = random.chance(0.85)
    ? anyCheckpoint(world, wanted)
    : anyCheckpoint(world, ({ status }) => status === "Accepted" || status === "Refused");
  if (found === undefined) return undefined;
  const { id, job, index, checkpoint } = found;
  const mood = random.int(0, 99);
  const usual: Outcome = mood < 76 ? "Accept" : mood < 92 ? "Refuse" : "Unavailable";
  const said = job.seats
    .filter(() => random.chance(0.75))
    .map(({ verifier }) => {
      const outcome = random.chance(0.9) ? usual : (random.pick<Outcome>(["Accept", "Refuse", "Unavailable"]) ?? usual);
      return { verifier, outcome, metTarget: random.chance(0.8) };
    });
  if (random.chance(0.05)) said.push({ verifier: "v5", outcome: usual, metTarget: true });
  const votes = await Promise.all(
    said.map(({ verifier, outcome, metTarget }) =>
      protocol.verdict(id, index, checkpoint.lease, checkpoint.step, verifier, { outcome, metTarget }),
    ),
  );
  const call: Call = { from: "carol", contract: "jobs", name: "castVerdicts", args: [checkpointId(id, index), votes] };
  return { call, rule: () => model.cast(id, index, said) };
};

const replace: Maker = (world) => {
  const found = anyJob(world, (job) => job.seats.length > 0 && job.status !== "Settled");
  if (found === undefined) return undefined;
  const [id, job] = found;
  const front = job.checkpoints.find(({ status }) => status === "Pending");
  const faulty = job.seats.flatMap(({ verifier }, i) =>
    world.model.state.verifiers[verifier]?.status !== "active" || !front?.votes.some((vote) => vote.seat === i)
      ? [i]
      : [],
  );
  const seat = job.replacing?.seat ?? world.random.pick(faulty) ?? 0;
  const call: Call = { from: "client", contract: "jobs", name: "replaceSeat", args: [BigInt(id), seat] };
  return { call, rule: () => world.model.replaceSeat(id, seat) };
};

const payOut: Maker = (world) => {
  const found = anyJob(world, (job) => job.status !== "Settled") ?? anyJob(world);
  if (found === undefined) return undefined;
  const most = world.random.chance(0.3) ? world.random.int(0, 3) : 50;
  const call: Call = { from: "treasury", contract: "jobs", name: "payOut", args: [BigInt(found[0]), BigInt(most)] };
  return { call, rule: () => world.model.payOut(found[0], most) };
};

const anybodys =
  (name: "close" | "releaseSeats"): Maker =>
  (world) => {
    const found = anyJob(world);
    if (found === undefined) return undefined;
    const call: Call = { from: "bob", contract: "jobs", name, args: [BigInt(found[0])] };
    return { call, rule: () => world.model[name](found[0]) };
  };

const cancel: Maker = (world) => {
  const found = anyJob(world, (job) => job.status === "Open");
  if (found === undefined) return undefined;
  const from = world.random.chance(0.9) ? found[1].client : "alice";
  const call: Call = { from, contract: "jobs", name: "cancel", args: [BigInt(found[0])] };
  return { call, rule: () => world.model.cancel(found[0], from) };
};

const releaseBond: Maker = (world) => {
  const found = anyJob(world, (job) => job.leases.some(({ released }) => !released));
  if (found === undefined) return undefined;
  const [id, job] = found;
  const fence = world.random.int(1, job.leases.length);
  const call: Call = { from: "carol", contract: "jobs", name: "releaseBond", args: [BigInt(id), fence] };
  return { call, rule: () => world.model.releaseBond(id, fence) };
};

const settleRefusal: Maker = (world) => {
  const found = anyCheckpoint(world, ({ status }) => status === "Refused");
  if (found === undefined) return undefined;
  const { id, index } = found;
  const call: Call = { from: "alice", contract: "jobs", name: "settleRefusal", args: [checkpointId(id, index)] };
  return { call, rule: () => world.model.settleRefusal(id, index) };
};

const dispute: Maker = (world) => {
  const found = anyCheckpoint(world, ({ status, paid, decidedAt }, job) => {
    return status === "Accepted" && !paid && (world.time < decidedAt + job.terms.window || world.random.chance(0.1));
  });
  if (found === undefined) return undefined;
  const { id, index, job } = found;
  const from = world.random.chance(0.9) ? job.client : "bob";
  const call: Call = { from, contract: "court", name: "dispute", args: [checkpointId(id, index), zeroHash] };
  return { call, rule: () => world.model.dispute(id, index, from) };
};

const appeal: Maker = (world) => {
  const { random, time } = world;
  const found = anyCheckpoint(
    world,
    ({ status, decidedAt }) => status === "Refused" && (time < decidedAt + 5 || random.chance(0.1)),
  );
  if (found === undefined) return undefined;
  const { id, index, job, checkpoint } = found;
  const from = world.random.chance(0.9) ? (job.leases[checkpoint.lease - 1]?.provider ?? "bob") : "bob";
  const call: Call = { from, contract: "court", name: "appeal", args: [checkpointId(id, index), zeroHash] };
  return { call, rule: () => world.model.appeal(id, index, from) };
};

const rule: Maker = (world) => {
  const { model, random } = world;
  const found = anyCheckpoint(world, (_, job, index) => job.challenges[index]?.open === true);
  if (found === undefined) return undefined;
  const { id, index, job } = found;
  const from = random.chance(0.9) ? "arbiter" : "alice";
  const disputed = job.challenges[index]?.kind === "dispute";
  const name = random.pick(
    disputed || random.chance(0.1) ? (["uphold", "cut"] as const) : (["grant", "reject"] as const),
  );
  const target = checkpointId(id, index);
  if (name === undefined) return undefined;
  if (name === "cut") {
    const first = random.chance(0.7) ? index : random.int(1, job.checkpoints.length);
    const call: Call = { from, contract: "court", name, args: [target, checkpointId(id, first)] };
    return { call, rule: () => model.cut(id, index, first, from) };
  }
  return { call: { from, contract: "court", name, args: [target] }, rule: () => model[name](id, index, from) };
};

const lapse: Maker = (world) => {
  const found = anyCheckpoint(world, (_, job, index) => job.challenges[index]?.open === true);
  if (found === undefined) return undefined;
  const { id, index } = found;
  const call: Call = { from: "bob", contract: "court", name: "lapse", args: [checkpointId(id, index)] };
  return { call, rule: () => world.model.lapse(id, index) };
};

const equivocate: Maker = async ({ model, random, protocol }) => {
  const verifier = random.pick(VERIFIERS) ?? "v0";
  if (model.state.jobs.length === 0) return undefined;
  const said = { outcome: "Accept", metTarget: false } as const;
  const votes = await Promise.all([
    protocol.verdict(1, 1, 1, 1, verifier, said),
    protocol.verdict(1, 1, 1, 1, verifier, { ...said, outcome: "Refuse" }),
  ]);
  const digests = votes.map(({ contentDigest }) => contentDigest);
  const args = [checkpointId(1, 1), [1, 1], digests, votes];
  const call: Call = { from: "other-client", contract: "registry", name: "reportEquivocation", args };
  return { call, rule: () => model.equivocate("other-client", verifier) };
};

const depositBond: Maker = ({ model, random }) => {
  const name = random.pick([...PROVIDERS, ...VERIFIERS, "client"]) ?? "alice";
  const amount = BigInt(random.int(1, 30_000_000));
  const args = [
    model.state.verifiers[name] || model.state.providers[name] ? people.get(name)?.address : zeroAddress,
    amount,
  ];
  const call: Call = { from: "client", contract: "registry", name: "depositBond", args };
  return { call, rule: () => model.depositBond("client", name, amount) };
};

const leave =
  (name: "requestExit" | "withdrawBond"): Maker =>
  ({ model, random }) => {
    const everybody = [...PROVIDERS, ...VERIFIERS];
    const { providers, verifiers, now } = model.state;
    const due = everybody.filter((who) => (providers[who] ?? verifiers[who])?.exitAt !== undefined);
    const ready = due.filter((who) => now >= ((providers[who] ?? verifiers[who])?.exitAt ?? now));
    const from = random.pick(name === "withdrawBond" ? (ready.length > 0 ? ready : due) : everybody) ?? "v0";
    return { call: { from, contract: "registry", name, args: [] }, rule: () => model[name](from) };
  };

const withdraw: Maker = ({ model, random }) => {
  const rich = [...people.keys()].filter((name) => (model.state.accounts[name]?.claimable ?? 0n) > 0n);
  const from = random.pick(rich) ?? "alice";
  const to = random.pick([...people.keys()]) ?? "alice";
  const call: Call = { from, contract: "escrow", name: "withdraw", args: [people.get(to)?.address] };
  return { call, rule: () => model.withdraw(from, to) };
};

/** Each move with how often it is tried. */
export const moves: readonly [weight: number, maker: Maker][] = [
  [6, post],
  [12, acquire],
  [5, seat],
  [34, commit],
  [34, cast],
  [2, holder("renewLease")],
  [2, holder("releaseLease")],
  [2, evict],
  [6, replace],
  [8, payOut],
  [2, anybodys("close")],
  [3, anybodys("releaseSeats")],
  [1, cancel],
  [4, releaseBond],
  [4, settleRefusal],
  [4, dispute],
  [10, appeal],
  [8, rule],
  [2, lapse],
  [1, equivocate],
  [3, depositBond],
  [1, leave("requestExit")],
  [3, leave("withdrawBond")],
  [3, withdraw],
];

/** What is tried before all others now and then. */
export const urgent: readonly Maker[] = [appeal, rule];

export { checkpointId };
