import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGpuchainClient, type Deployment } from "../chain/index.ts";
import { startTestChain, type TestChain, testAccount } from "../chain/testing/anvil.ts";
import { addVerifier, fund } from "../chain/testing/parties.ts";
import { deployProtocol } from "../chain/testing/protocol.ts";
import { startTestGateway, type TestGateway } from "./testing/testGateway.ts";

let chain: TestChain;
let deployment: Deployment;
let gateways: TestGateway[];
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "post-kill-"));
  chain = await startTestChain({ blockTime: 0.25 });
  deployment = await deployProtocol(chain);
  gateways = await Promise.all([1, 2, 3].map(() => startTestGateway()));
  for (const [index, { url }] of gateways.entries()) await addVerifier(chain, deployment, testAccount(3 + index), url);
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await chain.stop();
  rmSync(dir, { recursive: true, force: true });
});

it("posts and pays once although its process is killed at every stage", async () => {
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  await fund(chain, deployment, account, 10_000_000n);
  const sentBefore = await chain.test.getTransactionCount({ address: account.address });
  const input = JSON.stringify({
    rpc: chain.ws,
    deployment: { ...deployment, startBlock: Number(deployment.startBlock) },
    journal: join(dir, "client.db"),
    privateKey,
  });
  // Built, because six starts through a loader would cost half a minute.
  const script = fileURLToPath(new URL("../../dist/client/testing/postOnce.js", import.meta.url));

  /** Runs until it says this word, then kills it after a moment; without a word: to the end. @returns what it said */
  const run = async (word?: string, delayMs = 0): Promise<string[]> => {
    const argv = [script, input];
    const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
    const said: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => {
      said.push(line);
      if (line === word) setTimeout(() => child.kill("SIGKILL"), delayMs);
    });
    // A child that never ends would only show as this test's own time limit.
    const stuck = setTimeout(() => child.kill("SIGABRT"), 60_000);
    const [code, signal] = await once(child, "exit");
    clearTimeout(stuck);
    expect([code, signal], `after saying ${said.join(", ")}`).toEqual(
      word === undefined ? [0, null] : [null, "SIGKILL"],
    );
    return said;
  };

  // Before the permit is signed; while the transaction waits for its block; after it is mined; in the middle of the upload.
  await run("checked", 0);
  await run("checked", 120);
  await run("posted", 0);
  await run("uploading", 0);
  const said = await run();
  expect(said.at(-1)).toBe("job 1");
  expect((await run()).at(-1)).toBe("job 1");

  const client = createGpuchainClient({ rpc: chain.rpc, deployment });
  expect(await client.read.getJobCount()).toBe(1n);
  const { budget } = await client.read.getJob({ jobId: 1n });
  expect(await client.read.getUsdcBalance({ account: account.address })).toBe(10_000_000n - budget);
  expect(await chain.test.getTransactionCount({ address: account.address })).toBe(sentBefore + 1);
  for (const { blobs, keys } of gateways) expect([blobs.size, keys.size]).toEqual([3, 1]);
  client.close();
}, 180_000);
