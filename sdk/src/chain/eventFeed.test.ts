import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createGpuchainClient, type GpuchainClient } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { createEventFeed, type EventFeedParameters } from "./eventFeed.ts";
import { startTestChain, type TestChain } from "./testing/anvil.ts";
import { deployEmitter, emit } from "./testing/emitter.ts";
import { type FaultyProxy, startFaultyProxy } from "./testing/faultyProxy.ts";
import { recordingLog } from "./testing/recordingLog.ts";

let chain: TestChain;
let proxy: FaultyProxy;
let deployment: Deployment;
let controller: AbortController;
let client: GpuchainClient;
let log: ReturnType<typeof recordingLog>;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  proxy = await startFaultyProxy(chain.port);
  deployment = await deployEmitter(chain);
});
afterAll(async () => {
  await proxy.close();
  await chain.stop();
});
beforeEach(() => {
  controller = new AbortController();
  log = recordingLog();
});
afterEach(() => {
  controller.abort(new Error("test over"));
  client.close();
  proxy.heal();
});

/** Follows the chain from here on through the proxy, keeping what a correct consumer would: values of blocks that stand. */
async function follow(
  scheme: "ws" | "http",
  more: Partial<EventFeedParameters> = {},
  connection: { timeoutMs?: number } = {},
) {
  client = createGpuchainClient({
    rpc: `${scheme}://127.0.0.1:${proxy.port}`,
    deployment,
    pollingInterval: 50,
    patienceMs: Number.POSITIVE_INFINITY,
    signal: controller.signal,
    log,
    ...connection,
  });
  const start = await chain.test.getBlockNumber({ cacheTime: 0 });
  const blocks: { number: bigint; hash: string; values: number[] }[] = [];
  const reorgs: bigint[] = [];
  const feed = createEventFeed({ client, fromBlock: start + 1n, signal: controller.signal, log, ...more });
  const done = (async () => {
    for await (const item of feed) {
      if (item.type === "reorg") {
        reorgs.push(item.reorgTo);
        while ((blocks.at(-1)?.number ?? -1n) > item.reorgTo) blocks.pop();
        continue;
      }
      const last = blocks.at(-1);
      if (last !== undefined && more.after === undefined && last.number + 1n !== item.blockNumber)
        throw new Error("a block is missing or doubled");
      const values = item.events.map((event) => (event.eventName === "Withdrawn" ? Number(event.args.amount) : -1));
      blocks.push({ number: item.blockNumber, hash: item.blockHash, values });
    }
  })();
  await expect.poll(() => feed.head, { timeout: 20_000 }).toBe(start);
  return { feed, blocks, reorgs, done, values: () => blocks.flatMap(({ values }) => values) };
}

const mine = () => chain.test.mine({ blocks: 1 });
const soon = { timeout: 20_000 };

describe.each(["ws", "http"] as const)("createEventFeed over %s", (scheme) => {
  it("tells every block once and in order, with its events", async () => {
    const { blocks, values, feed } = await follow(scheme);
    await emit(chain, deployment, 1);
    await emit(chain, deployment, 2);
    await mine();
    await mine();
    await emit(chain, deployment, 3);
    await mine();
    await expect.poll(() => blocks.map((block) => block.values), soon).toEqual([[1, 2], [], [3]]);
    expect(values()).toEqual([1, 2, 3]);
    expect(feed.lagMs).toBeLessThan(60_000);
  });

  it("loses and doubles nothing while connections drop and blocks go on", async () => {
    const { values } = await follow(scheme);
    const sent: number[] = [];
    for (let value = 1; value <= 30; value++) {
      sent.push(value);
      await emit(chain, deployment, value);
      if (value % 3 === 0) await mine();
      if (value % 5 === 0) proxy.drop();
      if (value === 11) proxy.refuse();
      if (value === 17) proxy.heal();
    }
    await expect.poll(values, soon).toEqual(sent);
  });

  it("waits out a silent endpoint, says so, and then tells what happened meanwhile", async () => {
    const { values } = await follow(scheme);
    proxy.refuse();
    await emit(chain, deployment, 1);
    await mine();
    await expect.poll(() => log.events("rpc.down"), soon).toHaveLength(1);
    await emit(chain, deployment, 2);
    await mine();
    proxy.heal();
    await expect.poll(values, soon).toEqual([1, 2]);
    await expect.poll(() => log.events("rpc.up"), soon).toHaveLength(1);
  });

  it("says how far a reorg goes back, then tells the new blocks", async () => {
    const { blocks, reorgs, values } = await follow(scheme);
    await mine();
    const kept = await chain.test.getBlockNumber({ cacheTime: 0 });
    await emit(chain, deployment, 1);
    await mine();
    await emit(chain, deployment, 2);
    await mine();
    await expect.poll(values, soon).toEqual([1, 2]);
    await chain.test.request({ method: "anvil_reorg" as never, params: [2, []] as never });
    await emit(chain, deployment, 3);
    await mine();
    await expect.poll(() => values().at(-1), soon).toBe(3);
    expect(reorgs).toEqual([kept]);
    const newest = await chain.test.getBlock({ blockNumber: kept + 2n });
    expect(blocks.find(({ number }) => number === kept + 2n)?.hash).toBe(newest.hash);
  });
});

describe("createEventFeed", () => {
  it("catches up over many blocks and goes on live", async () => {
    await emit(chain, deployment, 41);
    await mine();
    const from = await chain.test.getBlockNumber({ cacheTime: 0 });
    await chain.test.mine({ blocks: 100 });
    await emit(chain, deployment, 42);
    await chain.test.mine({ blocks: 3 });
    const after = { blockNumber: from - 1n, blockHash: (await chain.test.getBlock({ blockNumber: from - 1n })).hash };
    const { blocks, reorgs, values } = await follow("http", { after });
    await expect.poll(values, soon).toEqual([41, 42]);
    await emit(chain, deployment, 43);
    await mine();
    await expect.poll(values, soon).toEqual([41, 42, 43]);
    expect(reorgs).toEqual([]);
    expect(new Set(blocks.map(({ number }) => number)).size).toBe(blocks.length);
  });

  it("tells a reorg that happened while the caller was away", async () => {
    await emit(chain, deployment, 1);
    await mine();
    const { number, hash } = await chain.test.getBlock();
    await chain.test.request({ method: "anvil_reorg" as never, params: [1, []] as never });
    await mine();
    const { reorgs } = await follow("http", { after: { blockNumber: number, blockHash: hash } });
    await expect.poll(() => reorgs.length, soon).toBe(1);
    expect(reorgs[0]).toBeLessThan(number);
  });

  it("leaves a connection that stays open and says nothing, and misses nothing", async () => {
    const { values } = await follow("ws", {}, { timeoutMs: 500 });
    proxy.freeze();
    await emit(chain, deployment, 1);
    await mine();
    await mine();
    await expect.poll(values, soon).toEqual([1]);
  });

  it("goes on after an endpoint stopped answering for a while", async () => {
    const { values, feed } = await follow("ws", {}, { timeoutMs: 500 });
    proxy.stall();
    await emit(chain, deployment, 1);
    await mine();
    await expect.poll(() => log.events("rpc.down"), soon).toHaveLength(1);
    expect(feed.lagMs).toBeGreaterThan(500);
    proxy.heal();
    await expect.poll(values, soon).toEqual([1]);
  });

  it("ends when its signal aborts", async () => {
    const { done } = await follow("ws");
    controller.abort(new Error("over"));
    await expect(done).resolves.toBeUndefined();
  });
});
