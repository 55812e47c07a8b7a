import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assertDeployment } from "./assertDeployment.ts";
import { createGpuchainClient } from "./client.ts";
import { type Deployment, loadDeployment, parseDeployment } from "./deployment.ts";
import { startTestChain, type TestChain } from "./testing/anvil.ts";
import { deployProtocol } from "./testing/protocol.ts";

let chain: TestChain;
let deployment: Deployment;
beforeAll(async () => {
  chain = await startTestChain();
  deployment = await deployProtocol(chain);
});
afterAll(() => chain.stop());

async function check(rpc: string, changed: Partial<Deployment> = {}): Promise<unknown> {
  const client = createGpuchainClient({ rpc, deployment: { ...deployment, ...changed }, patienceMs: 300 });
  try {
    return await assertDeployment(client).catch((error: unknown) => error);
  } finally {
    client.close();
  }
}

describe("assertDeployment", () => {
  it("passes over HTTP and WebSocket", async () => {
    expect(await check(chain.rpc)).toBeUndefined();
    expect(await check(chain.ws)).toBeUndefined();
  });

  it.each(["http", "ws"])("says that nothing answers, over %s", async (scheme) => {
    expect(await check(`${scheme}://127.0.0.1:1`)).toMatchObject({ code: "RPC_UNREACHABLE", retryable: true });
  });

  it("refuses what is no RPC address", async () => {
    await expect(check("ftp://127.0.0.1")).rejects.toMatchObject({ code: "RPC_ADDRESS" });
    await expect(check("localhost")).rejects.toMatchObject({ code: "RPC_ADDRESS" });
  });

  it("tells another chain, missing contracts, and another protocol version apart", async () => {
    expect(await check(chain.rpc, { chainId: 84532 })).toMatchObject({ code: "WRONG_CHAIN" });
    const contracts = { ...deployment.contracts, court: `0x${"9".repeat(40)}` as const };
    const missing = await check(chain.rpc, { contracts });
    expect(missing).toMatchObject({ code: "NO_CONTRACT", message: expect.stringContaining("court") });
    const version = await check(chain.rpc, { protocolVersion: 2 });
    expect(version).toMatchObject({
      code: "PROTOCOL_VERSION",
      message: expect.stringMatching(/version 1.*2 in its file/),
    });
    const wrong = { ...deployment.contracts, registry: deployment.contracts.usdc };
    expect(await check(chain.rpc, { contracts: wrong })).toMatchObject({ code: "NO_CONTRACT" });
  });
});

describe("parseDeployment", () => {
  const file = () => ({ protocolVersion: 1, chainId: 31337, startBlock: 3, contracts: { ...deployment.contracts } });

  it("reads what the deploy script writes, and more fields besides", () => {
    const json = JSON.stringify({ ...file(), owner: "0x", limits: {} });
    expect(parseDeployment(json)).toEqual({ ...deployment, startBlock: 3n });
  });

  it.each([
    ["not JSON", "{"],
    ["a list", "[]"],
    ["no contracts", JSON.stringify({ protocolVersion: 1, chainId: 1, startBlock: 0 })],
    ["a bad address", JSON.stringify({ protocolVersion: 1, chainId: 1, startBlock: 0, contracts: { jobs: "0x1" } })],
    ["a fraction", JSON.stringify({ protocolVersion: 1.5, chainId: 1, startBlock: 0, contracts: {} })],
  ])("refuses %s", (_what, json) => {
    expect(() => parseDeployment(json)).toThrowError(expect.objectContaining({ code: "DEPLOYMENT_INVALID" }));
  });

  it("says that a file is missing", () => {
    expect(() => loadDeployment("/nowhere/x.json")).toThrowError(
      expect.objectContaining({ code: "DEPLOYMENT_MISSING" }),
    );
  });
});
