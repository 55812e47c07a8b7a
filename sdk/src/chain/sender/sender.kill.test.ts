import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Deployment } from "../deployment.ts";
import { testUsdcAbi } from "../generated/index.ts";
import { startTestChain, type TestChain } from "../testing/anvil.ts";
import { deployToken } from "../testing/token.ts";

let chain: TestChain;
let deployment: Deployment;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "kill-"));
  chain = await startTestChain({ blockTime: 0.1 });
  deployment = await deployToken(chain);
});
afterAll(async () => {
  await chain.stop();
  rmSync(dir, { recursive: true, force: true });
});

it("executes every intent once although the process is killed again and again in the middle of one", async () => {
  const privateKey = generatePrivateKey();
  const { address } = privateKeyToAccount(privateKey);
  await chain.test.setBalance({ address, value: parseEther("10") });
  const count = 12;
  const input = {
    rpc: chain.ws,
    deployment: { ...deployment, startBlock: 0 },
    journal: join(dir, "j.db"),
    privateKey,
    count,
  };
  // Built, because four starts through a loader would cost ten seconds.
  const script = fileURLToPath(new URL("../../../dist/chain/testing/mintLoop.js", import.meta.url));

  /** Runs until the intent of this number is done, then kills; `undefined`: to the end. */
  const run = async (killAfter: number | undefined, delayMs: number) => {
    const child = spawn(process.execPath, [script, JSON.stringify(input)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (Number(line) === killAfter) setTimeout(() => child.kill("SIGKILL"), delayMs);
    });
    return once(child, "exit");
  };

  // Delays within one block: the next intent is then at its simulation, its signature, its broadcast or its receipt.
  for (const [kills, delayMs] of [5, 30, 70].entries()) {
    expect(await run(1 + kills * 3, delayMs)).toEqual([null, "SIGKILL"]);
  }
  expect(await run(undefined, 0)).toEqual([0, null]);
  const read = { address: deployment.contracts.usdc, abi: testUsdcAbi, functionName: "balanceOf" } as const;
  expect(await chain.test.readContract({ ...read, args: [address] })).toBe(BigInt(count));
  expect(await chain.test.getTransactionCount({ address })).toBe(count);
});
