// What the start refuses, and in which words.
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkChain } from "../lib/network.mjs";
import { schemaName } from "../lib/schemaName.mjs";
import { readSettings, StartError } from "../lib/settings.mjs";
import { type Anvil, startAnvil } from "./helpers/anvil.ts";
import { createHome, indexerEnv, spawnIndexer } from "./helpers/indexer.ts";
import { createCleanup, freePort } from "./helpers/processes.ts";

const nowhere = (digit: number) => `0x${String(digit).repeat(40)}`;
const deployment = {
  ...{ protocolVersion: 1, chainId: 31337, startBlock: 0 },
  contracts: {
    ...{
      jobs: nowhere(1),
      court: nowhere(2),
      registry: nowhere(3),
      escrow: nowhere(4),
      usdc: nowhere(5),
      lens: nowhere(6),
    },
  },
};

/** The error of a start that cannot succeed. */
async function refusal(attempt: () => unknown): Promise<StartError> {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("a start that cannot succeed says why and what to do", () => {
  const cleanup = createCleanup();
  let anvil: Anvil;
  let home: string;
  beforeAll(async () => {
    anvil = await startAnvil();
    cleanup.add(() => anvil.stop());
    const folder = await createHome(deployment);
    cleanup.add(() => folder.remove());
    home = folder.path;
  });
  afterAll(() => cleanup.run());

  test.each([
    ["no RPC address", { PONDER_RPC_URL: "" }, /PONDER_RPC_URL is not set/],
    ["a bad RPC address", { PONDER_RPC_URL: "localhost" }, /no RPC address/],
    ["no deployment file", { DEPLOYMENT_FILE: "/nowhere/deployment.json" }, /cannot read the deployment file/],
    ["a bad port", { PORT: "99999" }, /PORT is no port/],
    ["a bad finality", { FINALITY_BLOCKS: "soon" }, /FINALITY_BLOCKS is no number/],
  ])("%s", async (_what, more, text) => {
    const env = indexerEnv(home, anvil.url);
    expect(readSettings(env)).toMatchObject({ port: 0, audit: true });
    const error = await refusal(() => readSettings({ ...env, ...more }));
    expect(error.message).toMatch(text);
    expect(error.hint).not.toBe("");
    expect(error.exitCode).toBe(2);
  });

  test("contracts that are not there, an RPC that does not answer, one of another chain, no WebSocket where one is named", async () => {
    const check = (more: object) => refusal(() => checkChain({ rpcUrl: anvil.url, deployment, ...more }));
    expect(await check({})).toMatchObject({ exitCode: 1, message: expect.stringMatching(/has no code/) });
    const rpcUrl = `http://127.0.0.1:${await freePort()}`;
    expect(await check({ rpcUrl })).toMatchObject({ message: expect.stringMatching(/No RPC answers/) });
    const other = await check({ deployment: { ...deployment, chainId: 1 } });
    expect(other.message).toMatch(/serves chain 31337.*on chain 1/);
    const later = await check({ deployment: { ...deployment, startBlock: 9 } });
    expect(later.message).toMatch(/no block 9/);
    const usdc = { contracts: {} };
    const wsUrl = rpcUrl.replace("http", "ws");
    expect((await check({ deployment: { ...deployment, ...usdc }, wsUrl })).message).toMatch(/No WebSocket/);
  });

  test("the process says it on stderr and ends with the code", async () => {
    const running = spawnIndexer(indexerEnv(home, anvil.url, { PONDER_RPC_URL: "localhost" }));
    expect(await running.exited).toMatchObject({ code: 2 });
    expect(running.output()).toMatch(/^error: .*\n {2}hint: /);
  });

  test("a port that is taken", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
    });
    const running = spawnIndexer(indexerEnv(home, anvil.url, { PORT: String(port) }));
    const { code } = await running.exited;
    server.close();
    expect(code).toBe(1);
    expect(running.output()).toMatch(new RegExp(`Port ${port} .* cannot be used`));
  });
});

test("a re-created chain or other contracts get a schema of their own", () => {
  const name = (change: object, anchorHash = `0x${"a".repeat(64)}`) =>
    schemaName({ deployment: { ...deployment, ...change }, anchorHash });
  expect(name({})).toBe(name({}));
  expect(name({}, `0x${"b".repeat(64)}`)).not.toBe(name({}));
  expect(name({ contracts: { ...deployment.contracts, jobs: nowhere(7) } })).not.toBe(name({}));
  expect(name({}).length).toBeLessThanOrEqual(45);
});
