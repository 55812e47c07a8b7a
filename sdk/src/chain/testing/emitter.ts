import { type Address, concatHex, encodeEventTopics, numberToHex, size } from "viem";
import type { Deployment } from "../deployment.ts";
import { escrowAbi } from "../generated/index.ts";
import { mined, type TestChain, testAccount } from "./anvil.ts";

/**
 * A deployment whose Escrow is a few bytes of code that emit `Withdrawn(caller, caller, <calldata>)` on any call: events
 * on demand, without a build.
 */
export async function deployEmitter(chain: TestChain): Promise<Deployment> {
  const [topic] = encodeEventTopics({ abi: escrowAbi, eventName: "Withdrawn" });
  // calldatacopy(0, 0, 32); log3(0, 32, topic, caller, caller)
  const runtime = concatHex(["0x6020600060003733337f", topic, "0x60206000a300"]);
  const length = numberToHex(size(runtime), { size: 1 });
  // codecopy(0, 12, length); return(0, length)
  const bytecode = concatHex(["0x60", length, "0x600c60003960", length, "0x6000f3", runtime]);
  const hash = await chain.test.deployContract({ abi: [], bytecode, account: testAccount(0) });
  const [receipt] = await mined(chain, [hash]);
  const escrow = receipt?.contractAddress as Address;
  const none = (digit: number): Address => `0x${String(digit).repeat(40)}`;
  const contracts = { jobs: none(1), court: none(2), registry: none(3), escrow, lens: none(5), usdc: none(6) };
  return { protocolVersion: 1, chainId: 31337, startBlock: 0n, contracts };
}

/** Emits one event that carries `value`, in the next block. */
export function emit(chain: TestChain, deployment: Deployment, value: number): Promise<`0x${string}`> {
  const data = numberToHex(value, { size: 32 });
  return chain.test.sendTransaction({ account: testAccount(0), to: deployment.contracts.escrow, data, gas: 60_000n });
}
