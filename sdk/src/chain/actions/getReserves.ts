import { type AtBlock, type ChainReader, read } from "../reader.ts";

export type GetReservesParameters = AtBlock;

export interface GetReservesReturnType {
  /** USDC that the Escrow holds, base units. */
  held: bigint;
  /** What it owes: locked budgets, claimable balances, bonds. */
  owed: bigint;
}

/**
 * Proof of reserves: `held ≥ owed` after every call.
 *
 * @example
 * const { held, owed } = await getReserves(client);
 * if (held < owed) throw new Error("the Escrow holds less than it owes");
 */
export async function getReserves(client: ChainReader, at: GetReservesParameters = {}): Promise<GetReservesReturnType> {
  const [held, owed] = await read(client, "escrow", "reserves", [], at);
  return { held, owed };
}
