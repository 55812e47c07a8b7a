import type { ContractFunctionReturnType } from "viem";
import type { lensAbi } from "../generated/index.ts";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetSeatsParameters extends AtBlock {
  jobId: bigint;
}

/** The job's three seats; `drawn` false: nobody sits yet. `callable`: `seatCommittee` would do something now. */
export type GetSeatsReturnType = ContractFunctionReturnType<typeof lensAbi, "view", "getSeats">;

/**
 * Who judges a job.
 *
 * @example
 * const { drawn, seats } = await getSeats(client, { jobId: 1n });
 */
export function getSeats(client: ChainReader, { jobId, ...at }: GetSeatsParameters): Promise<GetSeatsReturnType> {
  return read(client, "lens", "getSeats", [jobId], at);
}
