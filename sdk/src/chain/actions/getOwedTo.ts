import type { Address } from "viem";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetOwedToParameters extends AtBlock {
  account: Address;
}

/**
 * All that the Escrow owes an account: claimable and bond, base units.
 *
 * @example
 * const owed = await getOwedTo(client, { account: account.address });
 */
export function getOwedTo(client: ChainReader, { account, ...at }: GetOwedToParameters): Promise<bigint> {
  return read(client, "escrow", "owedTo", [account], at);
}
