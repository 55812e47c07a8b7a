import type { Abi, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType, PublicClient } from "viem";
import { readContract as viemReadContract } from "viem/actions";
import { fromContractError } from "./contractErrors.ts";
import type { Deployment, DeploymentContracts } from "./deployment.ts";
import { courtAbi, escrowAbi, jobsAbi, lensAbi, registryAbi, testUsdcAbi } from "./generated/index.ts";

/** What a read action needs. */
export interface ChainReader {
  readonly public: PublicClient;
  readonly deployment: Deployment;
}

/** The state to read: the newest block when neither is given. */
export interface AtBlock {
  blockNumber?: bigint;
  blockTag?: "latest" | "pending" | "safe" | "finalized";
}

export const contractAbis = {
  jobs: jobsAbi,
  court: courtAbi,
  registry: registryAbi,
  escrow: escrowAbi,
  usdc: testUsdcAbi,
  lens: lensAbi,
} as const satisfies Record<keyof DeploymentContracts, Abi>;

type Abis = typeof contractAbis;

/** Calls a view function of one of the deployment's contracts; a revert comes out as a named error. */
export async function read<
  Contract extends keyof Abis,
  const Name extends ContractFunctionName<Abis[Contract], "view" | "pure">,
  const Args extends ContractFunctionArgs<Abis[Contract], "view" | "pure", Name>,
>(
  client: ChainReader,
  contract: Contract,
  functionName: Name,
  args: Args,
  at: AtBlock = {},
): Promise<ContractFunctionReturnType<Abis[Contract], "view" | "pure", Name, Args>> {
  try {
    const result = await viemReadContract(client.public, {
      address: client.deployment.contracts[contract],
      abi: contractAbis[contract] as Abi,
      functionName: functionName as string,
      args: args as readonly unknown[],
      ...at,
    } as Parameters<typeof viemReadContract>[1]);
    return result as ContractFunctionReturnType<Abis[Contract], "view" | "pure", Name, Args>;
  } catch (error) {
    throw fromContractError(error, String(functionName));
  }
}
