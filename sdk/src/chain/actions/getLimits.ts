import type { ContractFunctionReturnType } from "viem";
import type { registryAbi } from "../generated/index.ts";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export type GetLimitsParameters = AtBlock;

/** Bounds that differ between a public network and a local chain; see `Limits` in the contracts. Money in base units, times in seconds. */
export type GetLimitsReturnType = ContractFunctionReturnType<typeof registryAbi, "view", "limits">;

/**
 * The bounds this deployment was built with.
 *
 * @example
 * const { minDisputeWindow, maxBudget } = await getLimits(client);
 */
export function getLimits(client: ChainReader, at: GetLimitsParameters = {}): Promise<GetLimitsReturnType> {
  return read(client, "registry", "limits", [], at);
}
