// What the start refuses, in which words, and that nothing is left behind.
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { schemaName } from "../lib/schemaName.mjs";
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

  async function failure(more: Record<string, string>): Promise<{ code: number | null; output: string }> {
    const running = spawnIndexer(indexerEnv(home, anvil.url, more));
    const { code } = await running.exited;
    return { code, output: running.output() };
  }

  test.each([
    ["no RPC address", { PONDER_RPC_URL: "" }, 2, /PONDER_RPC_URL is not set/],
    ["a bad RPC address", { PONDER_RPC_URL: "localhost" }, 2, /no RPC address/],
    ["no deployment file", { DEPLOYMENT_FILE: "/nowhere/deployment.json" }, 2, /cannot read the deployment file/],
    ["a bad port", { PORT: "99999" }, 2, /PORT is no port/],
    ["contracts that are not there", {}, 1, /has no code/],
    ["a database that does not answer", { DATABASE_URL: "postgres://127.0.0.1:1/none" }, 1, /has no code|PostgreSQL/],
  ])("%s", async (_what, more, code, text) => {
    const result = await failure(more);
    expect(result.output).toMatch(text);
    expect(result.output).toMatch(/hint: /);
    expect(result.code).toBe(code);
  });

  test("an RPC that does not answer, and one of another chain", async () => {
    const silent = await failure({ PONDER_RPC_URL: `http://127.0.0.1:${await freePort()}` });
    expect(silent).toMatchObject({ code: 1, output: expect.stringMatching(/No RPC answers/) });
    const file = join(home, "other.json");
    await writeFile(file, JSON.stringify({ ...deployment, chainId: 1 }));
    const other = await failure({ DEPLOYMENT_FILE: file });
    expect(other).toMatchObject({ code: 1, output: expect.stringMatching(/serves chain 31337.*on chain 1/) });
  });

  test("a port that is taken", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
    });
    const { code, output } = await failure({ PORT: String(port) });
    server.close();
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`Port ${port} .* cannot be used`));
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
