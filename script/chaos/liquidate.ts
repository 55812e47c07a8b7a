import { existsSync } from "node:fs";
import path from "node:path";
import { contractAbis, fromContractError } from "@gpuchain/sdk/chain";
import Database from "libsql";
import { createWalletClient, http, type LocalAccount } from "viem";
import { foundry } from "viem/chains";
import { localAccounts } from "../lib/anvil.ts";
import type { Arena } from "./arena.ts";

/**
 * Ends an arena as its owners would: daemons are stopped, and everybody takes out all they have, bonds included.
 *
 * @param trustJournals false where a story restored an old journal or shared a key: those journals do not know everything
 * @returns what does not hold: money left behind, intents left open, transactions that no journal knows
 */
export async function liquidate(arena: Arena, trustJournals: boolean): Promise<string[]> {
  const { network, client, daemons: parties } = arena;
  const { public: chain, read, deployment } = client.client;
  const { contracts } = deployment;
  const violations: string[] = [];
  for (const { daemon } of parties) daemon.process.signal("SIGTERM");
  for (const { name, role, daemon } of parties) {
    const { code } = await daemon.process.exited;
    if (code !== 0) violations.push(`${name} ended with code ${code} when asked to stop`);
    if (trustJournals)
      violations.push(
        ...(await journalProblems(
          name,
          role === "verifier" ? "intent" : "intents",
          daemon.dataDir,
          await chain.getTransactionCount({ address: daemon.account.address }),
        )),
      );
  }
  const call = async (
    account: LocalAccount,
    contract: "escrow" | "registry" | "jobs",
    functionName: string,
    args: readonly unknown[],
    mayFail = false,
  ) => {
    const wallet = createWalletClient({
      account,
      chain: { ...foundry, id: deployment.chainId },
      transport: http(network.chain.rpcUrl),
    });
    const request = { address: contracts[contract], abi: contractAbis[contract], functionName, args } as never;
    try {
      await chain.simulateContract({ ...(request as object), account } as never);
      const hash = await wallet.writeContract({ ...(request as object), gas: 500_000n } as never);
      const { status } = await chain.waitForTransactionReceipt({ hash });
      if (status !== "success") violations.push(`${functionName} by ${account.address} failed`);
    } catch (error) {
      if (mayFail) return;
      violations.push(`${functionName} by ${account.address}: ${fromContractError(error, functionName).message}`);
    }
  };
  await Promise.all(parties.map(({ daemon }) => call(daemon.account, "registry", "requestExit", [])));
  // What seats and leases still hold is free for the asking, by anyone: one caller after the other's nonce. A verifier's unbonding time
  // begins with its last seat.
  for (const { jobId } of await read.listJobs({})) {
    await call(localAccounts.guest, "jobs", "releaseSeats", [jobId], true);
    const { fence: leases } = await read.getLease({ jobId });
    for (let fence = 1; fence <= leases; fence++)
      await call(localAccounts.guest, "jobs", "releaseBond", [jobId, fence], true);
  }
  const { unbondingPeriod } = await read.getLimits();
  await network.chain.test.request({
    method: "evm_increaseTime",
    params: [`0x${(Number(unbondingPeriod) + 5).toString(16)}`],
  } as never);
  await network.chain.test.request({ method: "evm_mine", params: [] } as never);
  await Promise.all(parties.map(({ daemon }) => call(daemon.account, "registry", "withdrawBond", [])));
  const accounts = [...parties.map(({ daemon }) => daemon.account), ...Object.values(localAccounts)];
  await Promise.all(
    accounts.map(async (account) => {
      const { claimable } = await read.getAccount({ account: account.address });
      if (claimable > 0n) await call(account, "escrow", "withdraw", [account.address]);
    }),
  );
  const left = await read.getUsdcBalance({ account: contracts.escrow });
  if (left !== 0n) violations.push(`${left} base units are left in the escrow after everybody took out all they have`);
  return violations;
}

interface Intent {
  readonly intent: string;
  readonly status: string;
  readonly nonce: number;
}

/** Each intent was settled, and each of the account's nonces belongs to one. */
async function journalProblems(name: string, table: string, directory: string, nonce: number): Promise<string[]> {
  const file = path.join(directory, "journal.db");
  if (!existsSync(file)) return [`${name} has no journal`];
  const journal = new Database(file);
  try {
    const intents = journal.prepare(`SELECT intent, status, nonce FROM ${table}`).all() as Intent[];
    const used = intents.filter(({ status }) => ["mined", "final", "reverted", "cancelled"].includes(status));
    const problems = intents
      .filter(({ status }) => status === "open")
      .map(({ intent }) => `${name} stopped with an open intent: ${intent}`);
    if (new Set(used.map((one) => one.nonce)).size !== used.length)
      problems.push(`${name} used a nonce for two intents`);
    if (used.length !== nonce) problems.push(`${name} has ${used.length} settled intents and ${nonce} transactions`);
    return problems;
  } finally {
    journal.close();
  }
}
