import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetBudgetParameters extends AtBlock {
  jobId: bigint;
}

export interface GetBudgetReturnType {
  /** Locked at posting, base units. */
  budget: bigint;
  /** Of it, not yet credited to anybody. */
  locked: bigint;
}

/**
 * A job's money.
 *
 * @example
 * const { budget, locked } = await getBudget(client, { jobId: 1n });
 */
export async function getBudget(
  client: ChainReader,
  { jobId, ...at }: GetBudgetParameters,
): Promise<GetBudgetReturnType> {
  const [budget, locked] = await read(client, "escrow", "budgetOf", [jobId], at);
  return { budget, locked };
}
