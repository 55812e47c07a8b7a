// One random story, told to the contracts and to the model in the same order. After every call every balance is compared.
import { isDeepStrictEqual } from "node:util";
import { maxUint256 } from "viem";
import { Model } from "./model.ts";
import { account, mint } from "./money.ts";
import { checkpointId, type Maker, type Move, moves, urgent, type World } from "./moves.ts";
import { type Books, type Call, type Protocol, people } from "./protocol.ts";
import { createRandom } from "./random.ts";

const USDC = 1_000_000n;
const START = 5_000n * USDC;
const PRICES = { alice: 997n, bob: 3_001n, carol: 60_000n };
const PAYOUTS: Record<string, string> = { alice: "alice-wallet", bob: "bob-wallet", carol: "carol" };
/** As the local deployment has them. */
const LIMITS = {
  minVerifierBond: 100n * USDC,
  ...{ appealWindow: 5, arbiterPeriod: 259_200, unbondingPeriod: 60, longCoolDown: 2, shortCoolDown: 2 },
};

export interface Told {
  /** how often each function succeeded, and how often it was refused */
  done: Map<string, { succeeded: number; refused: number }>;
  moved: bigint;
}

/**
 * Tells the story of `seed` in `length` moves, then lets time pass until nobody is owed anything locked.
 * @throws when chain and model differ, with the seed and the last moves
 */
export async function tellStory(protocol: Protocol, seed: number, length: number): Promise<Told> {
  const random = createRandom(seed);
  const model = new Model(LIMITS);
  const world: World = { model, protocol, random, time: await protocol.now() };
  const told: Told = { done: new Map(), moved: 0n };
  const log: string[] = [];

  async function play({ call, rule }: Move, wait: number): Promise<boolean> {
    world.time = model.state.now + wait;
    const { ok, block, drawn } = await protocol.send(call, world.time);
    const why = model.attempt(world.time, block, drawn, rule);
    log.push(`${model.state.now} ${call.from}: ${call.name}(${show(call.args)}) ${ok ? "done" : `refused (${why})`}`);
    if (!ok && why === undefined) fail(`the model allows it, the chain does not: ${await protocol.reason(call)}`);
    if (ok !== (why === undefined)) fail(`the chain ${ok ? "did" : "refused"} it, the model says ${why ?? "yes"}`);
    const count = told.done.get(call.name) ?? { succeeded: 0, refused: 0 };
    count[ok ? "succeeded" : "refused"]++;
    told.done.set(call.name, count);
    await compare();
    return ok;
  }

  async function compare(): Promise<void> {
    const chain = await protocol.books(model.state.jobs.length);
    const expected = booksOf(model);
    for (const name of people.keys()) {
      if (!isDeepStrictEqual(chain.accounts[name], expected.accounts[name])) {
        fail(`${name}: chain ${show(chain.accounts[name])}, model ${show(expected.accounts[name])}`);
      }
    }
    if (!isDeepStrictEqual(chain.locked, expected.locked)) {
      fail(`locked: chain ${show(chain.locked)}, model ${show(expected.locked)}`);
    }
    if (chain.owed !== expected.owed || chain.held !== expected.held) {
      fail(`owed and held: chain ${chain.owed}, ${chain.held}, model ${expected.owed}`);
    }
  }

  function fail(what: string): never {
    throw new Error(`story ${seed}, move ${log.length}: ${what}\n  ${log.slice(-25).join("\n  ")}`);
  }

  await setUp(world);
  await compare();
  const tickets = moves.flatMap(([weight, maker]) => Array.from({ length: weight }, () => maker));
  for (let i = 0; i < length; i++) {
    const wait = random.chance(0.95) ? random.int(1, 2) : random.chance(0.9) ? random.int(5, 70) : 259_200;
    world.time = model.state.now + wait;
    const move = await choose(world, tickets);
    if (move !== undefined) await play(move, wait);
  }
  await ending(world, play);
  for (const job of model.state.jobs) {
    if (job.status !== "Settled" || job.locked !== 0n) fail("a job is not settled");
    told.moved += job.terms.budget;
  }
  for (const [name, { reserved }] of Object.entries(model.state.accounts)) {
    if (reserved !== 0n) fail(`${name} still has ${reserved} held`);
  }
  return told;
}

/** Something that can be tried now. Appeals and rulings come first now and then: their time is short. */
async function choose(world: World, tickets: readonly Maker[]): Promise<Move | undefined> {
  for (const maker of urgent) {
    const move = world.random.chance(0.25) ? await maker(world) : undefined;
    if (move !== undefined) return move;
  }
  for (let tries = 0; tries < 6; tries++) {
    const move = await world.random.pick(tickets)?.(world);
    if (move !== undefined) return move;
  }
  return undefined;
}

type Play = (move: Move, wait: number) => Promise<boolean>;

/** Money for everybody, three providers, six verifiers of whom one has just the minimum. */
async function setUp({ model, protocol }: World): Promise<void> {
  const begin: Call[] = [];
  const register: Call[] = [];
  model.state.now = (await protocol.now()) + 1;
  for (const [name, { address }] of people) {
    begin.push({ from: name, contract: "usdc", name: "mint", args: [address, START] });
    begin.push({ from: name, contract: "usdc", name: "approve", args: [protocol.contracts.escrow, maxUint256] });
    mint(model.state, name, START);
  }
  for (const [name, pricePerStep] of Object.entries(PRICES)) {
    const profile = { name, pricePerStep, deviceHash: key, encryptionKey: key, metadata: "{}" };
    const payout = PAYOUTS[name] ?? name;
    const args = [profile, people.get(payout)?.address, 20n * USDC];
    register.push({ from: name, contract: "registry", name: "registerProvider", args });
    model.addProvider(name, payout, pricePerStep, 20n * USDC);
  }
  for (const name of [...people.keys()].filter((name) => /^v\d$/.test(name))) {
    const bond = name === "v0" ? 100n * USDC : 130n * USDC;
    const profile = { endpoint: "http://localhost:1", encryptionKey: key, minFee: 1_000n, templateMask: 65_535 };
    register.push({ from: name, contract: "registry", name: "registerVerifier", args: [profile, bond] });
    model.addVerifier(name, bond);
  }
  await protocol.sendAll(begin, model.state.now);
  model.state.now++;
  await protocol.sendAll(register, model.state.now);
}

const key = `0x${"11".repeat(32)}`;

/** Time and calls that anybody may make: every job settles, every bond is free. */
async function ending({ model }: World, play: Play): Promise<void> {
  const long = 3 * 86_400;
  for (const [i, job] of model.state.jobs.entries()) {
    const id = i + 1;
    const jobs = (name: string, args: readonly unknown[], rule: () => void): Move => ({
      call: { from: "treasury", contract: "jobs", name, args },
      rule,
    });
    for (const [index, challenge] of Object.entries(job.challenges)) {
      if (!challenge.open) continue;
      const args = [checkpointId(id, Number(index))];
      const call: Call = { from: "treasury", contract: "court", name: "lapse", args };
      await play({ call, rule: () => model.lapse(id, Number(index)) }, long);
    }
    if (model.job(id).status === "Open")
      await play(
        jobs("close", [BigInt(id)], () => model.close(id)),
        long,
      );
    for (let tries = 0; model.job(id).status !== "Settled" && tries < 5; tries++) {
      await play(
        jobs("payOut", [BigInt(id), 50n], () => model.payOut(id, 50)),
        long,
      );
    }
    for (const [c, { status }] of model.job(id).checkpoints.entries()) {
      if (status !== "Refused") continue;
      await play(
        jobs("settleRefusal", [checkpointId(id, c + 1)], () => model.settleRefusal(id, c + 1)),
        10,
      );
    }
    for (const [l, { released }] of model.job(id).leases.entries()) {
      if (!released)
        await play(
          jobs("releaseBond", [BigInt(id), l + 1], () => model.releaseBond(id, l + 1)),
          1,
        );
    }
  }
  await everybodyLeaves(model, play);
}

/** The last seats are given back, and all bonds are taken out. */
async function everybodyLeaves(model: Model, play: Play): Promise<void> {
  const { providers, verifiers, jobs } = model.state;
  const parties = (): [name: string, leaving: boolean, gone: boolean][] => [
    ...Object.entries(model.state.providers).map(([name, { exitAt, gone }]): [string, boolean, boolean] => [
      name,
      exitAt !== undefined,
      gone === true,
    ]),
    ...Object.entries(model.state.verifiers).map(([name, { status }]): [string, boolean, boolean] => [
      name,
      status === "exiting",
      status === "gone",
    ]),
  ];
  const registry = (from: string, name: "requestExit" | "withdrawBond"): Move => ({
    call: { from, contract: "registry", name, args: [] },
    rule: () => model[name](from),
  });
  for (const [name, leaving, gone] of parties()) if (!leaving && !gone) await play(registry(name, "requestExit"), 1);
  for (const [i, { members }] of jobs.entries()) {
    if (!Object.values(members).includes(false)) continue;
    const call: Call = { from: "treasury", contract: "jobs", name: "releaseSeats", args: [BigInt(i + 1)] };
    await play({ call, rule: () => model.releaseSeats(i + 1) }, 1);
  }
  let wait = LIMITS.unbondingPeriod;
  for (const [name, , gone] of parties()) {
    if (gone) continue;
    await play(registry(name, "withdrawBond"), wait);
    wait = 1;
  }
  for (const name of [...Object.keys(providers), ...Object.keys(verifiers)]) {
    const { bond } = model.state.accounts[name] ?? { bond: 0n };
    if (bond !== 0n) throw new Error(`${name} has left and ${bond} of its bond have not`);
  }
}

function booksOf({ state }: Model): Books {
  const accounts = Object.fromEntries([...people.keys()].map((name) => [name, { ...account(state, name) }]));
  const locked = state.jobs.map((job) => job.locked);
  const sum = (values: bigint[]) => values.reduce((a, b) => a + b, 0n);
  const owed = sum(locked) + sum(Object.values(accounts).flatMap(({ claimable, bond }) => [claimable, bond]));
  return { accounts, locked, owed, held: owed };
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? `${inner}` : inner)).slice(0, 200);
}
