import type { Address } from "viem";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetAccountParameters extends AtBlock {
  account: Address;
}

export interface GetAccountReturnType {
  /** What `withdraw` pays, base units. */
  claimable: bigint;
  /** Bond, the reserved part included. */
  bond: bigint;
  /** The part of the bond that leases and challenges hold. */
  reserved: bigint;
}

/**
 * An account's money in the Escrow.
 *
 * @example
 * const { claimable } = await getAccount(client, { account: account.address });
 */
export async function getAccount(
  client: ChainReader,
  { account, ...at }: GetAccountParameters,
): Promise<GetAccountReturnType> {
  const { claimable, bond, reserved } = await read(client, "escrow", "balanceOf", [account], at);
  return { claimable, bond, reserved };
}
