import { type Address, parseEther, parseGwei } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createGpuchainClient, type GpuchainClient } from "../client.ts";
import { isRevert } from "../contractErrors.ts";
import type { Deployment } from "../deployment.ts";
import { testUsdcAbi } from "../generated/index.ts";
import { startTestChain, type TestChain } from "../testing/anvil.ts";
import { recordingLog } from "../testing/recordingLog.ts";
import { deployToken } from "../testing/token.ts";
import { createMemoryIntentStore, type IntentStore } from "./intents.ts";
import { createSender, type SenderParameters } from "./sender.ts";

let chain: TestChain;
let deployment: Deployment;
let controller: AbortController;
let client: GpuchainClient;
let log: ReturnType<typeof recordingLog>;
let account = privateKeyToAccount(generatePrivateKey());
const sink: Address = `0x${"5".repeat(40)}`;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  deployment = await deployToken(chain);
});
afterAll(() => chain.stop());

beforeEach(async () => {
  account = privateKeyToAccount(generatePrivateKey());
  await chain.test.setBalance({ address: account.address, value: parseEther("10") });
  await chain.test.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("1") });
  await chain.test.mine({ blocks: 1 });
  controller = new AbortController();
  log = recordingLog();
  client = createGpuchainClient({
    rpc: chain.ws,
    deployment,
    pollingInterval: 50,
    patienceMs: 5_000,
    signal: controller.signal,
  });
});
afterEach(async () => {
  controller.abort(new Error("test over"));
  client.close();
  await chain.test.mine({ blocks: 1 });
});

function open(intents: IntentStore = createMemoryIntentStore(), more: Partial<SenderParameters> = {}) {
  return createSender({ client, account, intents, log, signal: controller.signal, stuckAfterMs: 300, ...more });
}

/** Mints `amount` to this test's own key: the balance counts how often calls were executed. */
const mint = (intent: string, amount: bigint) => ({
  intent,
  address: deployment.contracts.usdc,
  abi: testUsdcAbi,
  functionName: "mint",
  args: [account.address, amount],
});
const minted = () => client.read.getUsdcBalance({ account: account.address });

/** Waits until the pool holds this many transactions of the test's key. */
async function pooled(count: number): Promise<void> {
  await expect
    .poll(() => client.public.getTransactionCount({ address: account.address, blockTag: "pending" }))
    .toBe(count);
}

async function poolHashes(): Promise<string[]> {
  const { pending, queued } = await chain.test.getTxpoolContent();
  return [pending, queued].flatMap((part) =>
    Object.entries(part)
      .filter(([owner]) => owner.toLowerCase() === account.address.toLowerCase())
      .flatMap(([, byNonce]) => Object.values(byNonce).map(({ hash }) => hash)),
  );
}

describe("createSender", () => {
  it("sends one transaction for an intent, however often it is asked", async () => {
    const sender = open();
    const first = sender.send(mint("a", 5n));
    const again = sender.send(mint("a", 5n));
    await pooled(1);
    await chain.test.mine({ blocks: 1 });
    expect((await first).hash).toBe((await again).hash);
    expect((await sender.send(mint("a", 5n))).hash).toBe((await first).hash);
    expect(await minted()).toBe(5n);
  });

  it("gives intents one nonce after the other and waits for them side by side", async () => {
    const sender = open();
    const all = Promise.all(["a", "b", "c", "d"].map((intent) => sender.send(mint(intent, 1n))));
    await pooled(4);
    await chain.test.mine({ blocks: 1 });
    const results = await all;
    expect(new Set(results.map(({ receipt }) => receipt.blockNumber)).size).toBe(1);
    expect(await minted()).toBe(4n);
  });

  it("names the contract's error before anything is sent, and lets the intent be tried again", async () => {
    const sender = open();
    const failure = await sender.send(mint("a", 10n ** 15n)).catch((error: unknown) => error);
    expect(isRevert(failure, "FaucetLimit")).toBe(true);
    expect(isRevert(failure) && failure.data.args).toEqual([10n ** 15n, 10_000_000_000n]);
    expect(isRevert(failure) && failure.hint).toBe("ask for less");
    expect(await poolHashes()).toEqual([]);
    const second = sender.send(mint("a", 1n));
    await pooled(1);
    await chain.test.mine({ blocks: 1 });
    expect((await second).receipt.status).toBe("success");
  });

  it("names the contract's error when the call fails in its block, and never sends that intent again", async () => {
    const sender = open();
    const call = { ...mint("a", 10n ** 15n), simulate: false, gas: 100_000n } as const;
    const first = sender.send(call).catch((error: unknown) => error);
    await pooled(1);
    await chain.test.mine({ blocks: 1 });
    const failure = await first;
    expect(isRevert(failure, "FaucetLimit")).toBe(true);
    expect(isRevert(failure) && failure.data.hash).toMatch(/^0x/);
    expect(isRevert(await sender.send(call).catch((error: unknown) => error), "FaucetLimit")).toBe(true);
    expect(await client.public.getTransactionCount({ address: account.address, blockTag: "pending" })).toBe(1);
  });

  it("says who needs ether when there is none for gas, and leaves no hole", async () => {
    await chain.test.setBalance({ address: account.address, value: 1n });
    const sender = open();
    const call = { ...mint("a", 1n), simulate: false, gas: 100_000n } as const;
    await expect(sender.send(call)).rejects.toMatchObject({
      code: "INTENT_REFUSED",
      hint: expect.stringContaining(account.address),
    });
    await chain.test.setBalance({ address: account.address, value: parseEther("1") });
    const other = sender.send(mint("b", 2n));
    const again = sender.send(call);
    await pooled(1);
    await chain.test.mine({ blocks: 1 });
    await other;
    await pooled(2);
    await chain.test.mine({ blocks: 1 });
    await again;
    expect(await minted()).toBe(3n);
  });

  it("replaces a stuck transaction at a higher fee; only one of the two is executed", async () => {
    const sender = open();
    const sent = sender.send(mint("a", 7n));
    await pooled(1);
    const [before] = await poolHashes();
    await expect.poll(poolHashes, { timeout: 10_000 }).not.toContain(before);
    await chain.test.mine({ blocks: 1 });
    expect((await sent).hash).not.toBe(before);
    expect(await minted()).toBe(7n);
    expect(log.events("tx.replaced")).not.toEqual([]);
  });

  it("outbids a base fee that rose above what was signed", async () => {
    const sender = open(undefined, { stuckAfterMs: 1_000 });
    const sent = sender.send(mint("a", 7n));
    await pooled(1);
    await chain.test.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("50") });
    const mining = setInterval(() => void chain.test.mine({ blocks: 1 }), 200);
    try {
      expect((await sent).receipt.effectiveGasPrice).toBeGreaterThan(parseGwei("2"));
    } finally {
      clearInterval(mining);
    }
    expect(await minted()).toBe(7n);
  });

  it("does not pay more than its cap", async () => {
    const sender = open(undefined, { maxFeePerGas: parseGwei("3") });
    const sent = sender.send(mint("a", 7n));
    await pooled(1);
    await expect.poll(() => log.texts(), { timeout: 10_000 }).toContain("stuck, and our fee is at its cap");
    await chain.test.mine({ blocks: 1 });
    expect((await sent).receipt.effectiveGasPrice).toBeLessThanOrEqual(parseGwei("3"));
  });

  it("sends a transaction again that vanished from the pool", async () => {
    const sender = open(undefined, { stuckAfterMs: 60_000 });
    const sent = sender.send(mint("a", 7n));
    await pooled(1);
    const [hash] = await poolHashes();
    await chain.test.dropTransaction({ hash: hash as Address });
    await expect.poll(poolHashes, { timeout: 10_000 }).toContain(hash);
    await chain.test.mine({ blocks: 1 });
    expect((await sent).hash).toBe(hash);
  });

  it("finds a hole in the nonces, fills it and says so", async () => {
    const foreign = await chain.test.sendTransaction({ account, to: sink, value: 1n, gas: 21_000n });
    await pooled(1);
    const sender = open(undefined, { stuckAfterMs: 60_000 });
    const sent = sender.send(mint("a", 7n));
    await expect.poll(poolHashes).toHaveLength(2);
    await chain.test.dropTransaction({ hash: foreign });
    await expect.poll(() => log.events("tx.hole-filled"), { timeout: 10_000 }).toMatchObject([{ nonce: 0 }]);
    await chain.test.mine({ blocks: 1 });
    expect((await sent).receipt.status).toBe("success");
    expect(await minted()).toBe(7n);
  });

  it("takes the next nonce when another program used ours", async () => {
    const sender = open();
    const sent = sender.send(mint("a", 7n));
    await pooled(1);
    const [hash] = await poolHashes();
    await chain.test.dropTransaction({ hash: hash as Address });
    await chain.test.sendTransaction({
      account,
      to: sink,
      value: 1n,
      gas: 21_000n,
      nonce: 0,
      gasPrice: parseGwei("90"),
    });
    const mining = setInterval(() => void chain.test.mine({ blocks: 1 }), 100);
    try {
      expect((await sent).receipt.status).toBe("success");
    } finally {
      clearInterval(mining);
    }
    expect(await minted()).toBe(7n);
    expect(await client.public.getTransactionCount({ address: account.address })).toBe(2);
  });

  it("sends again what a reorg undid", async () => {
    const sender = open(undefined, { stuckAfterMs: 60_000 });
    const sent = sender.send(mint("a", 7n));
    await pooled(1);
    await chain.test.mine({ blocks: 1 });
    const { hash } = await sent;
    await chain.test.request({ method: "anvil_reorg" as never, params: [1, []] as never });
    const [left] = await poolHashes();
    if (left !== undefined) await chain.test.dropTransaction({ hash: left as Address });
    expect(await minted()).toBe(0n);
    await expect.poll(poolHashes, { timeout: 10_000 }).toContain(hash);
    await chain.test.mine({ blocks: 1 });
    expect(await minted()).toBe(7n);
  });

  describe("after a crash between the record of a version and its signature", () => {
    /** A key whose signature never comes: what the store holds is what such a crash leaves. */
    const mute = () => ({ ...account, signTransaction: () => new Promise<never>(() => undefined) });

    async function crash(intents: IntentStore): Promise<void> {
      const dead = open(intents, { account: mute() });
      void dead.send(mint("a", 5n)).catch(() => undefined);
      await expect.poll(() => intents.unsettled(deployment.chainId, account.address)).toHaveLength(1);
      expect(intents.unsettled(deployment.chainId, account.address)[0]?.versions[0]?.raw).toBeUndefined();
    }

    const ways = {
      "its outcome is asked for": (sender: ReturnType<typeof open>) => sender.find("a"),
      "it is sent again": (sender: ReturnType<typeof open>) => sender.send(mint("a", 5n)),
      "everything open is taken up": async (sender: ReturnType<typeof open>) => {
        await sender.resume();
        return sender.find("a");
      },
    };
    for (const [when, take] of Object.entries(ways)) {
      it(`signs and sends it once when ${when}`, async () => {
        const intents = createMemoryIntentStore();
        await crash(intents);
        const result = take(open(intents));
        await pooled(1);
        await chain.test.mine({ blocks: 1 });
        expect((await result)?.receipt.status).toBe("success");
        expect(await minted()).toBe(5n);
      });
    }
  });

  it("gives up after the deadline without leaving a hole", async () => {
    const sender = open(undefined, { stuckAfterMs: 60_000 });
    const now = Number((await client.public.getBlock()).timestamp);
    const sent = sender.send({ ...mint("a", 7n), deadline: now + 1 }).catch((error: unknown) => error);
    await pooled(1);
    await expect.poll(() => log.texts(), { timeout: 10_000 }).toContain("its time is over: using its nonce up");
    await chain.test.mine({ blocks: 1 });
    expect(await sent).toMatchObject({ code: "INTENT_EXPIRED" });
    expect(await minted()).toBe(0n);
    await expect(sender.send({ ...mint("b", 7n), deadline: now - 1 })).rejects.toMatchObject({
      code: "INTENT_EXPIRED",
    });
  });

  it.each([1, 2, 3])("executes an intent once when the process dies at write %i of it", async (dieAt) => {
    const durable = createMemoryIntentStore();
    let writes = 0;
    const dying: IntentStore = {
      ...durable,
      put(record) {
        writes += 1;
        if (writes < dieAt) return durable.put(record);
        // The process is gone before (even writes) or right after (odd) the record is durable.
        if (writes % 2 === 1) durable.put(record);
        throw new Error("killed");
      },
    };
    const first = open(dying, { signal: new AbortController().signal });
    const killed = first.send(mint("a", 7n)).catch((error: unknown) => error);
    if (dieAt < 3) await killed;
    else {
      await pooled(1);
      await chain.test.mine({ blocks: 1 });
    }
    const second = open(durable);
    await second.resume();
    const sent = second.send(mint("a", 7n));
    await pooled(1);
    await chain.test.mine({ blocks: 1 });
    expect((await sent).receipt.status).toBe("success");
    await chain.test.mine({ blocks: 3 });
    expect(await minted()).toBe(7n);
    expect(await client.public.getTransactionCount({ address: account.address, blockTag: "pending" })).toBe(1);
  });
});
