import { type Address, getContractAddress, type Hash } from "viem";
import { type Deployment, PROTOCOL_VERSION } from "../deployment.ts";
import { registryAbi } from "../generated/index.ts";
import { mined, type TestChain, testAccount } from "./anvil.ts";
import { artifact } from "./token.ts";

/** Local limits, as in the deploy script. */
const limits = {
  minLeaseDuration: 3,
  minVerdictTimeout: 5,
  minDisputeWindow: 2,
  maxBudget: 0n,
  minProviderBond: 1_000_000n,
  minVerifierBond: 100_000_000n,
  appealWindow: 5,
  arbiterPeriod: 259_200,
  unbondingPeriod: 60,
  drawDelay: 0,
  longCoolDown: 2,
  shortCoolDown: 2,
};

/** Deploys the whole protocol with local limits from the compiled contracts, as contracts/script/Deploy.s.sol does, in well under a second. */
export async function deployProtocol(chain: TestChain): Promise<Deployment> {
  const owner = testAccount(0);
  const first = await chain.test.getTransactionCount({ address: owner.address });
  const startBlock = await chain.test.getBlockNumber({ cacheTime: 0 });
  const at = (index: number) => getContractAddress({ from: owner.address, nonce: BigInt(first + index) });
  const [usdc, escrow, registry, settlement, jobs, court, lens] = [0, 1, 2, 3, 4, 5, 6].map(at) as [
    Address,
    Address,
    Address,
    Address,
    Address,
    Address,
    Address,
  ];
  const config = { arbiter: testAccount(8).address, treasury: testAccount(9).address };
  const plan: [string, readonly unknown[]][] = [
    ["TestUSDC", []],
    ["Escrow", [usdc, jobs, registry, court]],
    ["Registry", [owner.address, escrow, jobs, court, config, limits]],
    ["Settlement", [escrow, registry, court, limits]],
    ["Jobs", [escrow, registry, court, settlement, limits]],
    ["Court", [escrow, registry, jobs, limits]],
    ["Lens", [jobs]],
  ];
  let nonce = first;
  const sent: Hash[] = [];
  for (const [name, args] of plan) {
    const { abi, bytecode } = artifact(name);
    sent.push(
      await chain.test.deployContract({ abi, bytecode, args, account: owner, nonce: nonce++, gas: 12_000_000n }),
    );
  }
  for (const name of ["text-classification", "text-classification-lora", "language-model", "mlp"]) {
    const call = {
      address: registry,
      abi: registryAbi,
      functionName: "approveTemplate",
      args: [name, 1_000n],
    } as const;
    sent.push(await chain.test.writeContract({ ...call, account: owner, nonce: nonce++, gas: 200_000n }));
  }
  await mined(chain, sent);
  const contracts = { jobs, court, registry, escrow, lens, usdc };
  return { protocolVersion: PROTOCOL_VERSION, chainId: 31337, startBlock, contracts };
}
