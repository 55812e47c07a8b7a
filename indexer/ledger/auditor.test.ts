import { describe, expect, test } from "vitest";
import { address, World } from "../test/helpers/world.ts";
import { apply, ledgerEvents, violations } from "../test/helpers/worldEvents.ts";
import { Auditor } from "./auditor.ts";
import { EMPTY_DIGEST } from "./events.ts";

function network(): World {
  const world = new World();
  world.setUp();
  for (let i = 0; i < 3; i++) world.registerVerifier(i);
  for (let i = 0; i < 3; i++) world.registerProvider(i, BigInt(1000 * (i + 1)));
  return world;
}

describe("a plain job", () => {
  test("ends with every figure in its place and no invariant broken", async () => {
    const world = network();
    world.runJob(0, { totalSteps: 400, interval: 50, price: 2_000n, fee: 1_000n });
    const auditor = await apply(world.events);
    expect(violations(auditor)).toEqual([]);
    const job = auditor.store.get("job", "1");
    const pay = 400n * 1_000n;
    expect(job).toMatchObject({
      ...{ status: "Settled", metTarget: true, headStep: 400, checkpointCount: 8, pending: 0, locked: 0n },
      ...{ providerPay: pay, verifierFees: 16_000n, protocolFee: 32_000n, owedPay: 0n, owedFees: 0n },
    });
    expect(auditor.store.get("account", world.payoutOf(address(0xaa, 0)))?.claimable).toBe(pay);
    expect(auditor.store.get("provider", address(0xaa, 0))).toMatchObject({
      ...{ stepsAccepted: 400, stepsPaid: 400, earned: pay, owed: 0n, liveLeases: 0, leaseCount: 1 },
    });
    expect(auditor.store.get("verifier", address(0xbb, 0))).toMatchObject({
      ...{ voteCount: 8, decided: 8, disagreements: 0, earned: 8_000n, sitting: 0, seatCount: 1 },
    });
    expect(auditor.store.all("payout")).toHaveLength(8 * 3);
  });

  test("double entry: every event's postings sum to zero, and outside holds the rest", async () => {
    const world = network();
    world.runJob(1);
    world.withdraw(world.treasury, 10n);
    const { store } = await apply(world.events);
    const total = store.get("total", "1");
    const outside = store.all("posting").filter(({ bucket }) => bucket === "outside");
    const held = -outside.reduce((sum, { amount }) => sum + amount, 0n);
    expect(held).toBe((total?.locked ?? 0n) + (total?.claimable ?? 0n) + (total?.bonds ?? 0n));
    expect(total?.withdrawn).toBe(10n);
  });
});

describe("a run that loses its provider and meets junk", () => {
  test("hand-over, refusal, fine and the survivor's pay are told apart", async () => {
    const world = network();
    const { jobId } = world.postJob({ totalSteps: 200, interval: 50, price: 5_000n, fee: 100n });
    world.acquire(jobId, 0);
    world.seat(jobId);
    const first = world.commit(jobId).checkpointId;
    world.vote(first, [0, 1], "Accept");
    world.accept(first);
    world.now += 10;
    world.evict(jobId);
    world.acquire(jobId, 1);
    const junk = world.commit(jobId).checkpointId;
    world.vote(junk, [0, 2], "Refuse");
    world.refuse(junk);
    world.acquire(jobId, 2);
    for (let i = 0; i < 3; i++) {
      const id = world.commit(jobId).checkpointId;
      world.vote(id, [1, 2], "Accept", i === 2);
      world.accept(id);
      world.now += 10;
      world.payOut(i === 0 ? first : id - 1n);
    }
    world.payOut((jobId << 32n) | 5n);
    world.settleRefusal(junk);
    world.settle(jobId);
    const auditor = await apply(world.events);
    expect(violations(auditor)).toEqual([]);
    const { store } = auditor;
    expect(store.get("job", "1")).toMatchObject({ status: "Settled", handOvers: 2, refusals: 1, headStep: 200 });
    expect(store.get("lease", "1:1")).toMatchObject({ cause: "Evicted", paid: 50_000n, bondHeld: 0n });
    expect(store.get("lease", "1:2")).toMatchObject({ cause: "Refused", stepsRefused: 50, bondLost: 200n, paid: 0n });
    expect(store.get("lease", "1:3")).toMatchObject({ previousProvider: address(0xaa, 1), fromStep: 50 });
    expect(store.get("standing", `1:${address(0xaa, 1)}`)).toMatchObject({ barred: true });
    expect(store.get("checkpoint", String(junk))).toMatchObject({ status: "Final", outcome: "Refuse", paid: 0n });
    expect(store.get("provider", address(0xaa, 1))).toMatchObject({ refusals: 1, stepsRefused: 50, bondLost: 200n });
    expect(store.all("eviction")).toHaveLength(1);
    const signers = store.all("attestation").map(({ fence, verifier, seat }) => ({ fence, verifier, seat }));
    expect(signers).toEqual([
      { fence: 1, verifier: world.verifiers[0], seat: 0 },
      { fence: 1, verifier: world.verifiers[2], seat: 2 },
    ]);
  });

  test("a dispute's cut takes back what was not paid and closes the job", async () => {
    const world = network();
    const { jobId } = world.postJob({ totalSteps: 200, interval: 50, window: 100 });
    world.acquire(jobId, 0);
    world.seat(jobId);
    const ids = [0, 1].map(() => {
      const { checkpointId } = world.commit(jobId);
      world.vote(checkpointId, [0, 1, 2], "Accept");
      world.accept(checkpointId);
      return checkpointId;
    });
    const second = ids[1] ?? 0n;
    world.dispute(second);
    const contested = await apply(world.events);
    expect(contested.store.get("checkpoint", String(second))?.contested).toBe(true);
    expect(contested.store.get("job", "1")).toMatchObject({ draining: true, contestedFrom: second });
    world.cut(second);
    const auditor = await apply(world.events);
    expect(violations(auditor)).toEqual([]);
    expect(auditor.store.get("checkpoint", String(second))).toMatchObject({ status: "Cut", owedFees: 0n });
    expect(auditor.store.get("job", "1")).toMatchObject({
      status: "Closing",
      headStep: 50,
      owedPay: 50_000n,
      owedFees: 3_000n,
    });
    expect(auditor.store.get("challenge", String(second))).toMatchObject({ state: "Cut", cutFrom: second });
  });
});

describe("broken histories are found", () => {
  const cases: [string, string, (world: World, jobId: bigint) => void][] = [
    ["pay", "paid twice", (world, jobId) => world.payOut((jobId << 32n) | 1n)],
    ["budgets", "credited beyond the budget", (world, jobId) => world.creditFreely(jobId, 10n ** 12n)],
    ["fences", "two leases at once", (world, jobId) => world.acquire(jobId, 1)],
    [
      "verdicts",
      "accepted by one vote",
      (world, jobId) => {
        const { checkpointId } = world.commit(jobId);
        world.vote(checkpointId, [0], "Accept");
        world.accept(checkpointId);
      },
    ],
    ["transitions", "refused after acceptance", (world, jobId) => world.refuse((jobId << 32n) | 1n)],
    ["reserves", "withdrawn beyond the balance", (world) => world.withdraw(world.treasury, 5n)],
  ];
  test.each(cases)("%s: %s", async (id, _what, harm) => {
    const world = network();
    const { jobId } = world.postJob();
    world.acquire(jobId, 0);
    world.seat(jobId);
    const { checkpointId } = world.commit(jobId);
    world.vote(checkpointId, [0, 1], "Accept");
    world.accept(checkpointId);
    world.now += 10;
    world.payOut(checkpointId);
    expect(violations(await apply(world.events))).toEqual([]);
    harm(world, jobId);
    const found = violations(await apply(world.events)).map((text) => text.split(":")[0]);
    expect(found).toContain(id);
  });
});

test("the digest names the history: any changed log changes it", async () => {
  const world = network();
  world.runJob(0);
  const events = ledgerEvents(world.events);
  const run = async (list: typeof events) => {
    const auditor = new Auditor();
    for (const event of list) await auditor.apply(event);
    return auditor.store.get("total", "1")?.digest;
  };
  const honest = await run(events);
  expect(honest).not.toBe(EMPTY_DIGEST);
  expect(await run(events)).toBe(honest);
  const changed = events.map((event, index) =>
    index === 3 ? { ...event, log: { ...event.log, data: "0x01" as const } } : event,
  );
  expect(await run(changed)).not.toBe(honest);
});
