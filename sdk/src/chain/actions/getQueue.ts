import type { ContractFunctionReturnType } from "viem";
import type { lensAbi } from "../generated/index.ts";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetQueueParameters extends AtBlock {
  jobId: bigint;
}

/** The accepted head, the tip a new lease may build on, and what waits for a verdict. */
export type GetQueueReturnType = ContractFunctionReturnType<typeof lensAbi, "view", "getQueue">;

/**
 * A job's chain of checkpoints from its head on. An id of 0 is genesis.
 *
 * @example
 * const { headId, headStep, pending } = await getQueue(client, { jobId: 1n });
 */
export function getQueue(client: ChainReader, { jobId, ...at }: GetQueueParameters): Promise<GetQueueReturnType> {
  return read(client, "lens", "getQueue", [jobId], at);
}
