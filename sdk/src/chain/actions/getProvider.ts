import type { Address, ContractFunctionReturnType } from "viem";
import type { registryAbi } from "../generated/index.ts";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetProviderParameters extends AtBlock {
  account: Address;
}

/** A provider's public record; `registered` false: there is none. `pricePerStep` in base units. */
export type GetProviderReturnType = ContractFunctionReturnType<typeof registryAbi, "view", "provider"> & {
  account: Address;
};

/**
 * One provider.
 *
 * @example
 * const { registered, pricePerStep } = await getProvider(client, { account: account.address });
 */
export async function getProvider(
  client: ChainReader,
  { account, ...at }: GetProviderParameters,
): Promise<GetProviderReturnType> {
  return { account, ...(await read(client, "registry", "provider", [account], at)) };
}
