import type { ContractFunctionReturnType } from "viem";
import { jobNotFound } from "../contractErrors.ts";
import { enumName, type JobStatus, jobStatuses } from "../enums.ts";
import type { lensAbi } from "../generated/index.ts";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetJobParameters extends AtBlock {
  jobId: bigint;
}

type View = ContractFunctionReturnType<typeof lensAbi, "view", "getJob">;

/** What a client asked for; see `JobTerms` in the contracts. */
export type JobTerms = View["terms"];

/** A job's terms and state. Times are Unix seconds, money is in base units of USDC. */
export type GetJobReturnType = Omit<View, "status"> & { jobId: bigint; status: JobStatus };

/**
 * One job as of a block. Throws JOB_NOT_FOUND.
 *
 * @example
 * const { status, terms } = await getJob(client, { jobId: 1n });
 */
export async function getJob(client: ChainReader, { jobId, ...at }: GetJobParameters): Promise<GetJobReturnType> {
  const view = await read(client, "lens", "getJob", [jobId], at);
  const status = enumName(jobStatuses, view.status);
  if (status === "None") throw jobNotFound(jobId);
  return { ...view, jobId, status };
}
