import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { foreverUntil } from "./actions/canAcquire.ts";
import { createGpuchainClient, type GpuchainClient } from "./client.ts";
import { isRevert } from "./contractErrors.ts";
import { checkpointIdOf, genesisIdOf } from "./ids.ts";
import { createMemoryIntentStore } from "./sender/intents.ts";
import { createSender } from "./sender/sender.ts";
import { recoverEviction, recoverVerdict, signEviction } from "./signVerdict.ts";
import { startTestChain, type TestChain } from "./testing/anvil.ts";
import { addProvider } from "./testing/parties.ts";
import { deployProtocol } from "./testing/protocol.ts";
import { createScenario, type Scenario } from "./testing/scenario.ts";
import { write } from "./write.ts";

let chain: TestChain;
let client: GpuchainClient;
let scene: Scenario;
const controller = new AbortController();

beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(async () => {
  controller.abort(new Error("over"));
  client.close();
  await chain.stop();
});
beforeEach(async () => {
  client?.close();
  const deployment = await deployProtocol(chain);
  client = createGpuchainClient({ rpc: chain.ws, deployment, pollingInterval: 50, signal: controller.signal });
  scene = await createScenario(chain, client, controller.signal);
});

describe("reads, writes and signatures against the real contracts", () => {
  it("follows a job from posting to the last payment", async () => {
    const { read } = client;
    const { jobId, terms } = await scene.post();
    expect(await read.getJob({ jobId })).toMatchObject({
      status: "Open",
      client: scene.owner.address,
      budget: 5_000_000n,
      terms,
    });
    expect((await read.listJobs({ status: ["Open"], client: scene.owner.address })).map((job) => job.jobId)).toEqual([
      jobId,
    ]);
    expect(await read.listJobs({ status: ["Settled"] })).toEqual([]);
    expect(await read.getLease({ jobId })).toMatchObject({ fence: 0, live: false });
    expect(await read.getPriceCeiling({ jobId })).toBe(3_000n);
    const provider = scene.provider.address;
    expect(await read.canAcquire({ jobId, provider })).toEqual({ reason: "None", until: 0 });
    expect(await read.canAcquire({ jobId, provider: scene.owner.address })).toMatchObject({ reason: "NotOffering" });
    expect(await read.getProvider({ account: provider })).toMatchObject({
      registered: true,
      pricePerStep: 1_000n,
      name: "test",
    });
    expect(await read.listProviders()).toHaveLength(1);
    expect((await read.listVerifiers()).map(({ status }) => status)).toEqual(["Active", "Active", "Active"]);

    const fence = await scene.acquire(jobId);
    expect(await read.getLease({ jobId })).toMatchObject({
      fence: 1,
      live: true,
      provider,
      cause: "None",
      pricePerStep: 1_000n,
    });
    expect(await read.getSeats({ jobId })).toMatchObject({ drawn: false, callable: false });
    await scene.seat(jobId);
    expect((await read.getSeats({ jobId })).seats.map(({ verifier }) => verifier).sort()).toEqual(
      scene.verifiers.map(({ address }) => address).sort(),
    );

    expect(await read.getNextStep({ parentId: genesisIdOf(jobId) })).toBe(10);
    const first = await scene.commit(jobId, fence, 10);
    expect(first.checkpointId).toBe(checkpointIdOf(jobId, 1));
    const commit = await read.getCommit({ checkpointId: first.checkpointId });
    expect(commit).toMatchObject({
      parentId: 0n,
      step: 10,
      stateHash: scene.hashOf("state 10"),
      fence,
    });
    expect(await read.getQueue({ jobId })).toMatchObject({
      judgingId: first.checkpointId,
      pending: [first.checkpointId],
      headStep: 0,
    });
    const signed = await scene.judge(first.checkpointId, "Accept", false);
    for (const verdict of signed) {
      expect(scene.verifiers.map(({ address }) => address)).toContain(await recoverVerdict(client.deployment, verdict));
    }
    const accepted = await read.getCheckpoint({ checkpointId: first.checkpointId });
    expect(accepted).toMatchObject({ status: "Accepted", step: 10, steps: 10, pay: 10_000n, index: 1 });
    expect(accepted.votes.map(({ outcome }) => outcome)).toEqual(["Accept", "Accept"]);

    const last = await scene.commit(jobId, fence, 20, first.checkpointId);
    await scene.judge(last.checkpointId, "Accept", true, 3);
    expect(await read.getJob({ jobId })).toMatchObject({ status: "Completed", metTarget: true });
    expect((await read.getCheckpoints({ jobId })).map(({ index, step }) => [index, step])).toEqual([
      [1, 10],
      [2, 20],
    ]);
    expect(await read.getPayOutStatus({ jobId })).toEqual({ mature: 0n, settles: false });
    await scene.pass(61);
    expect(await read.getPayOutStatus({ jobId })).toEqual({ mature: 2n, settles: true });
    await scene.payOut(jobId);

    expect(await read.getJob({ jobId })).toMatchObject({ status: "Settled", locked: 0n, providerPay: 20_000n });
    expect(await read.getAccount({ account: provider })).toMatchObject({ claimable: 20_000n });
    const spent = 20_000n + 1_600n + 5n * 10_000n;
    expect(await read.getAccount({ account: scene.owner.address })).toMatchObject({ claimable: 5_000_000n - spent });
    const { held, owed } = await read.getReserves();
    expect(held).toBe(owed);
    expect(await read.isClosable({ jobId })).toBe(false);
  });

  it("names why a stale fence, a missing job or a refused provider gets nothing", async () => {
    const { jobId } = await scene.post();
    const fence = await scene.acquire(jobId);
    await scene.seat(jobId);
    const stale = await scene.commit(jobId, fence + 1, 10).catch((error: unknown) => error);
    expect(stale).toMatchObject({ code: "REVERTED", data: { errorName: "StaleFence" } });
    expect(isRevert(stale) && stale.data.args).toEqual([2, 1]);
    expect(isRevert(stale) && stale.hint).toMatch(/another lease/);
    await expect(client.read.getJob({ jobId: 999n })).rejects.toMatchObject({ code: "JOB_NOT_FOUND" });
    const { checkpointId } = await scene.commit(jobId, fence, 10);
    await scene.judge(checkpointId, "Refuse", false);
    expect((await client.read.getCheckpoint({ checkpointId })).status).toBe("Refused");
    expect((await client.read.getLease({ jobId })).cause).toBe("Refused");
    const barred = await client.read.canAcquire({ jobId, provider: scene.provider.address });
    expect(barred).toEqual({ reason: "Barred", until: foreverUntil });
  });

  it("evicts on two seats' signed word, and on no other's", async () => {
    const { jobId } = await scene.post();
    const fence = await scene.acquire(jobId);
    await scene.seat(jobId);
    await scene.pass(5);
    const { timestamp } = await chain.test.getBlock();
    const sign = (index: number) => {
      const account = scene.verifiers[index] ?? scene.provider;
      return signEviction(client.deployment, account, { jobId, fence, attestedAt: timestamp * 1000n });
    };
    const evict = (signatures: Awaited<ReturnType<typeof sign>>[], intent: string) =>
      write(scene.senders.anyone, client.deployment, "jobs", "evictLease", [jobId, fence, signatures], { intent });
    const [first, second, foreign] = [await sign(0), await sign(1), await sign(9)];
    expect(await recoverEviction(client.deployment, first)).toBe(scene.verifiers[0]?.address);
    expect(await recoverEviction(client.deployment, foreign)).toBe(scene.provider.address);
    const refused = await evict([first, foreign], "e1").catch((error: unknown) => error);
    expect(isRevert(refused, "TooFewSeats")).toBe(true);
    await evict([first, second], "e2");
    expect(await client.read.getLease({ jobId })).toMatchObject({ live: false, cause: "Evicted" });
  });
});

describe("two providers in one block", () => {
  it("both commit, each on its own lease; of two bids for one lease the later reverts by name, and nothing is dropped", async () => {
    const other = privateKeyToAccount(generatePrivateKey());
    await addProvider(chain, client.deployment, other, 1_000n);
    const { signal } = controller;
    const rival = createSender({ client, account: other, intents: createMemoryIntentStore(), log: scene.log, signal });
    const acquire = (sender: typeof rival, jobId: bigint, intent: string) =>
      write(sender, client.deployment, "jobs", "acquireLease", [jobId, []], { intent, gas: 600_000n, simulate: false });
    const commit = (sender: typeof rival, jobId: bigint, intent: string) => {
      const args = [jobId, 1, 0n, 10, scene.hashOf(intent), scene.hashOf("trace"), false] as const;
      const options = { intent, gas: 600_000n, simulate: false } as const;
      return write(sender, client.deployment, "jobs", "commitCheckpoint", args, options);
    };
    const [contested, mine, theirs] = [
      (await scene.post()).jobId,
      (await scene.post()).jobId,
      (await scene.post()).jobId,
    ];
    await scene.acquire(mine);
    await acquire(rival, theirs, "theirs");
    await chain.test.setAutomine(false);
    await chain.test.setIntervalMining({ interval: 0 });
    try {
      const inOneBlock = async <T extends readonly Promise<unknown>[]>(...calls: T) => {
        const settled = Promise.allSettled(calls);
        await expect.poll(async () => (await chain.test.getTxpoolStatus()).pending).toBe(calls.length);
        await chain.test.mine({ blocks: 1 });
        return settled;
      };
      const commits = await inOneBlock(
        commit(scene.senders.provider, mine, "mine 10"),
        commit(rival, theirs, "theirs 10"),
      );
      const blocks = commits.map((one) => (one.status === "fulfilled" ? one.value.receipt.blockNumber : one.reason));
      expect(blocks[0]).toBeTypeOf("bigint");
      expect(blocks[1]).toBe(blocks[0]);

      const bids = await inOneBlock(
        acquire(scene.senders.provider, contested, "bid"),
        acquire(rival, contested, "rival bid"),
      );
      expect(bids.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const lost = bids.find((one) => one.status === "rejected");
      expect(lost?.reason).toMatchObject({ code: "REVERTED", data: { errorName: "LeaseHeld" } });
      expect(await client.read.getLease({ jobId: contested })).toMatchObject({ fence: 1, live: true });
    } finally {
      await chain.test.setAutomine(true);
    }
  });
});

describe("calls that depend on the time of the next block", () => {
  it("can be sent so that they are mined in the first block that allows them", async () => {
    await chain.test.setAutomine(false);
    await chain.test.setIntervalMining({ interval: 0 });
    try {
      const pending = scene.post({ auctionRamp: 6 });
      await expect.poll(async () => (await chain.test.getTxpoolStatus()).pending).toBe(1);
      await chain.test.mine({ blocks: 1 });
      const { jobId } = await pending;
      const { timestamp: openSince } = await chain.test.getBlock();
      // A price of 1,000 under a ceiling that climbs to 3,000 in 6 s: from 2 s after the opening.
      const provider = scene.provider.address;
      const { reason, until } = await client.read.canAcquire({ jobId, provider });
      expect([reason, BigInt(until)]).toEqual(["PriceAboveCeiling", openSince + 2n]);
      const call = (intent: string, atTimestamp: bigint) =>
        write(scene.senders.provider, client.deployment, "jobs", "acquireLease", [jobId, []], {
          ...{ intent, gas: 400_000n, simulate: { atTimestamp } },
        });
      const early = await call("early", openSince + 1n).catch((error: unknown) => error);
      expect(isRevert(early, "PriceAboveCeiling")).toBe(true);
      const acquired = call("due", openSince + 2n);
      await expect.poll(async () => (await chain.test.getTxpoolStatus()).pending).toBe(1);
      await chain.test.setNextBlockTimestamp({ timestamp: openSince + 2n });
      await chain.test.mine({ blocks: 1 });
      const { receipt } = await acquired;
      expect((await chain.test.getBlock({ blockHash: receipt.blockHash })).timestamp).toBe(openSince + 2n);
    } finally {
      await chain.test.setAutomine(true);
    }
  });
});
