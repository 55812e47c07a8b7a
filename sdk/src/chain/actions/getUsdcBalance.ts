import type { Address } from "viem";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetUsdcBalanceParameters extends AtBlock {
  account: Address;
}

/**
 * USDC in a wallet itself (not in the Escrow), base units.
 *
 * @example
 * const balance = await getUsdcBalance(client, { account: account.address });
 */
export function getUsdcBalance(client: ChainReader, { account, ...at }: GetUsdcBalanceParameters): Promise<bigint> {
  return read(client, "usdc", "balanceOf", [account], at);
}
