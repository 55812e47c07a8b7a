import type { ContractFunctionReturnType } from "viem";
import { type EndCause, endCauses, enumName } from "../enums.ts";
import type { lensAbi } from "../generated/index.ts";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetLeaseParameters extends AtBlock {
  jobId: bigint;
  /** Default: the newest lease. */
  fence?: number;
}

/** A lease; `fence` 0: the job never had one. `cause` is "None" while it lives. Times are Unix seconds. */
export type GetLeaseReturnType = Omit<ContractFunctionReturnType<typeof lensAbi, "view", "getLease">, "cause"> & {
  jobId: bigint;
  cause: EndCause;
};

/**
 * The newest lease of a job, or the one of a given fence, as of the block's timestamp: one whose time is over reads as ended.
 *
 * @example
 * const { live, provider, expiresAt } = await getLease(client, { jobId: 1n });
 */
export async function getLease(
  client: ChainReader,
  { jobId, fence, ...at }: GetLeaseParameters,
): Promise<GetLeaseReturnType> {
  const view =
    fence === undefined
      ? await read(client, "lens", "getLease", [jobId], at)
      : await read(client, "lens", "getLeaseAt", [jobId, fence], at);
  return { ...view, jobId, cause: enumName(endCauses, view.cause) };
}
