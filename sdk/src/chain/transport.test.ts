import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createGpuchainClient, type GpuchainClient } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { createRpcSocket } from "./rpcSocket.ts";
import { startTestChain, type TestChain } from "./testing/anvil.ts";
import { type FaultyProxy, startFaultyProxy, startLimitingProxy } from "./testing/faultyProxy.ts";
import { recordingLog } from "./testing/recordingLog.ts";

let chain: TestChain;
let proxy: FaultyProxy;
let limiting: Awaited<ReturnType<typeof startLimitingProxy>>;
let client: GpuchainClient;
const none = `0x${"1".repeat(40)}` as const;
const contracts = { jobs: none, court: none, registry: none, escrow: none, usdc: none, lens: none };
const deployment: Deployment = { protocolVersion: 1, chainId: 31337, startBlock: 0n, contracts };

beforeAll(async () => {
  chain = await startTestChain();
  proxy = await startFaultyProxy(chain.port);
  limiting = await startLimitingProxy(chain.rpc);
});
afterAll(async () => {
  await proxy.close();
  await limiting.close();
  await chain.stop();
});
afterEach(() => {
  client.close();
  proxy.heal();
});

function connect(rpc: string, patienceMs: number) {
  const log = recordingLog();
  client = createGpuchainClient({ rpc, deployment, patienceMs, log });
  return log;
}

describe("createRpcTransport", () => {
  it("waits as long as a rate limit asks, and says so once", async () => {
    const log = connect(limiting.url, 20_000);
    limiting.limit(2);
    expect(await client.public.getChainId()).toBe(31337);
    expect(limiting.left).toBe(0);
    expect(log.events("rpc.limited")).toMatchObject([{ waitMs: 1_000 }]);
    expect(log.events("rpc.up")).toHaveLength(1);
  });

  it("gives up with its own error when patience ends", async () => {
    connect(limiting.url, 100);
    limiting.limit(5);
    await expect(client.public.getChainId()).rejects.toMatchObject({ code: "RPC_RATE_LIMITED" });
    limiting.limit(0);
  });

  it.each(["http", "ws"])(
    "lets go of what is under way over %s when the client is closed, however patient",
    async (scheme) => {
      connect(`${scheme}://127.0.0.1:1`, 3_600_000);
      const asked = client.public.getChainId();
      client.close();
      await expect(asked).rejects.toMatchObject({ code: "CLIENT_CLOSED" });
      await expect(client.public.getBlockNumber({ cacheTime: 0 })).rejects.toMatchObject({ code: "CLIENT_CLOSED" });
    },
  );

  it("does not wait for the answer to a request that a closing socket never sent", async () => {
    const socket = createRpcSocket(chain.ws, { timeoutMs: 3_600_000 });
    expect(await socket.request("eth_chainId")).toBe("0x7a69");
    const asked = socket.request("eth_blockNumber");
    socket.close();
    await expect(asked).rejects.toThrow(/closed/);
  });

  it("names the outage, not its symptom, also inside a contract call", async () => {
    connect("http://127.0.0.1:1", 100);
    await expect(client.read.getJobCount()).rejects.toMatchObject({
      code: "RPC_UNREACHABLE",
      message: expect.stringContaining("no answer from the chain at http://127.0.0.1:1"),
    });
  });

  it.each(["http", "ws"])("goes on after an outage without a failed call, over %s", async (scheme) => {
    connect(`${scheme}://127.0.0.1:${proxy.port}`, 20_000);
    expect(await client.public.getChainId()).toBe(31337);
    proxy.refuse();
    const waiting = Promise.all([client.public.getBlockNumber({ cacheTime: 0 }), client.public.getGasPrice()]);
    setTimeout(() => proxy.heal(), 400);
    expect(await waiting).toEqual([0n, expect.any(BigInt)]);
  });

  it("does not try a refused call again", async () => {
    const log = connect(chain.ws, 60_000);
    await expect(client.public.request({ method: "no_such_method" } as never)).rejects.toThrow();
    expect(log.texts()).toEqual([]);
  });
});
