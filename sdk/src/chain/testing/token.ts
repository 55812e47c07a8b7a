import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Abi, Address, Hex } from "viem";
import type { Deployment } from "../deployment.ts";
import { mined, type TestChain, testAccount } from "./anvil.ts";

const root = join(import.meta.dirname, "../../../..");

/** A compiled contract's ABI and code; `npm run build` compiles them. */
export function artifact(name: string): { abi: Abi; bytecode: Hex } {
  const folder = process.env.FOUNDRY_OUT ?? join(root, "contracts/out");
  const { abi, bytecode } = JSON.parse(readFileSync(join(folder, `${name}.sol/${name}.json`), "utf8"));
  return { abi, bytecode: bytecode.object };
}

/** Deploys the test token alone; a deployment whose other addresses hold nothing. */
export async function deployToken(chain: TestChain): Promise<Deployment> {
  const { abi, bytecode } = artifact("TestUSDC");
  const hash = await chain.test.deployContract({ abi, bytecode, account: testAccount(0) });
  const [receipt] = await mined(chain, [hash]);
  const usdc = receipt?.contractAddress as Address;
  const none = (digit: number): Address => `0x${String(digit).repeat(40)}`;
  const contracts = { jobs: none(1), court: none(2), registry: none(3), escrow: none(4), lens: none(5), usdc };
  return { protocolVersion: 1, chainId: 31337, startBlock: 0n, contracts };
}
