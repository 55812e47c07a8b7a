// The ledger against the real contracts: what they emit in many kinds of lives is rebuilt to the cent.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { testUsdcAbi } from "@gpuchain/sdk/abis";
import type { Abi, PublicClient } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLoadNetwork, type LoadNetwork } from "../../script/bench/load/loadNetwork.ts";
import { type Life, runJobs, withdrawAll } from "../../script/bench/load/runLoad.ts";
import { Auditor } from "../ledger/auditor.ts";
import { compareWithChain } from "../ledger/compareWithChain.ts";
import { readEvents } from "../ledger/readEvents.ts";
import { type Anvil, startAnvil } from "./helpers/anvil.ts";
import { createHome } from "./helpers/indexer.ts";
import { start } from "./helpers/processes.ts";
import { violations } from "./helpers/worldEvents.ts";

const LIVES: Life[] = ["plain", "evicted", "refused", "cancelled", "disputed"];

describe("real contracts", () => {
  let anvil: Anvil;
  let network: LoadNetwork;
  const auditor = new Auditor();

  beforeAll(async () => {
    anvil = await startAnvil();
    network = await createLoadNetwork(anvil.url);
    await runJobs(network, LIVES, 1n);
    await withdrawAll(network);
    const { contracts, startBlock } = network.deployment;
    const toBlock = Number(await anvil.client.getBlockNumber());
    const client = anvil.client as PublicClient;
    for await (const events of readEvents({ client, contracts, fromBlock: Number(startBlock), toBlock })) {
      for (const event of events) await auditor.apply(event);
    }
  });
  afterAll(async () => {
    await anvil?.stop();
  });

  test("every invariant holds, each having been put to the test", () => {
    expect(violations(auditor)).toEqual([]);
    expect(auditor.findings.filter(({ checked }) => checked === 0)).toEqual([]);
  });

  test("every balance is the escrow's own", async () => {
    const client = anvil.client as PublicClient;
    const block = Number(await client.getBlockNumber());
    const escrow = network.deployment.contracts.escrow;
    const { findings, owed, rebuilt } = await compareWithChain({ client, escrow, store: auditor.store, block });
    expect(findings.flatMap(({ violations: found }) => found)).toEqual([]);
    expect(rebuilt).toBe(owed);
    expect(findings.every(({ checked }) => checked > 0)).toBe(true);
  });

  test("each life ends as it should", () => {
    const job = (index: number) => auditor.store.get("job", String(index + 1));
    expect(job(0)).toMatchObject({ status: "Settled", metTarget: true, headStep: 400, handOvers: 0, locked: 0n });
    expect(job(1)).toMatchObject({ status: "Settled", headStep: 400, handOvers: 1, owedPay: 0n, owedFees: 0n });
    expect(job(2)).toMatchObject({ status: "Settled", headStep: 400, refusals: 1 });
    expect(job(3)).toMatchObject({ status: "Settled", cancelled: true, headStep: 100, protocolFee: 0n });
    expect(job(4)).toMatchObject({ status: "Settled", headStep: 50, protocolFee: 0n, contestedFrom: null });
    expect(auditor.store.get("lease", "2:1")).toMatchObject({ cause: "Evicted", bondHeld: 0n });
    expect(auditor.store.get("lease", "3:1")).toMatchObject({ cause: "Refused", bondLost: 2_000n, bondHeld: 0n });
    expect(auditor.store.get("checkpoint", String((5n << 32n) | 2n))).toMatchObject({ status: "Cut", paid: 0n });
  });

  describe("npm run audit", () => {
    const script = fileURLToPath(new URL("../../script/audit/main.ts", import.meta.url));
    let folder: { path: string; remove(): Promise<void> };
    beforeAll(async () => {
      folder = await createHome(network.deployment);
    });
    afterAll(() => folder?.remove());

    async function audit(...args: string[]): Promise<{ code: number | null; output: string }> {
      const given = ["--rpc", anvil.url, "--deployment", join(folder.path, "deployment.json"), ...args];
      const running = start(process.execPath, ["--import", "tsx", "--conditions=source", script, ...given]);
      const { code } = await running.exited;
      return { code, output: running.output() };
    }

    test("says that all holds, with exit code 0", async () => {
      const { code, output } = await audit();
      expect(output).toMatch(/All invariants hold/);
      expect(output).not.toMatch(/FAILS/);
      expect(code).toBe(0);
    });

    test("finds money that is gone, with exit code 1", async () => {
      const { escrow, usdc } = network.deployment.contracts;
      const [thief] = network.clients;
      network.queue([
        { from: escrow, to: usdc, abi: testUsdcAbi as Abi, functionName: "transfer", args: [thief?.address, 1n] },
      ]);
      await anvil.test.setBalance({ address: escrow, value: 10n ** 18n });
      await network.resync();
      await network.block();
      const { code, output } = await audit("--json");
      const report = JSON.parse(output.slice(output.indexOf("{"))) as {
        ok: boolean;
        findings: { id: string; violated: number }[];
      };
      expect(report.findings.filter(({ violated }) => violated > 0).map(({ id }) => id)).toEqual(["solvency"]);
      expect(code).toBe(1);
    });

    test("says what is missing, with exit code 2", async () => {
      const { code, output } = await audit("--block", "soon");
      expect(output).toMatch(/--block is no block/);
      expect(code).toBe(2);
    });
  });
});
