import type { Address } from "viem";
import { isAddressEqual } from "viem";
import type { JobStatus } from "../enums.ts";
import type { AtBlock, ChainReader } from "../reader.ts";
import { type GetJobReturnType, getJob } from "./getJob.ts";
import { getJobCount } from "./getJobCount.ts";

export interface ListJobsParameters extends AtBlock {
  /** Only jobs in one of these states. */
  status?: readonly JobStatus[];
  /** Only this client's. */
  client?: Address;
  /** At most this many, newest first. Default: all. */
  limit?: number;
}

export type ListJobsReturnType = GetJobReturnType[];

const pageSize = 10n;

/**
 * Jobs, newest first. Reads one job a call; for long histories ask the indexer.
 *
 * @example
 * const mine = await listJobs(client, { client: account.address, limit: 10 });
 */
export async function listJobs(
  client: ChainReader,
  { status, client: owner, limit = Number.POSITIVE_INFINITY, ...at }: ListJobsParameters = {},
): Promise<ListJobsReturnType> {
  const found: GetJobReturnType[] = [];
  for (let last = await getJobCount(client, at); last > 0n && found.length < limit; last -= pageSize) {
    const size = last < pageSize ? Number(last) : Number(pageSize);
    const ids = Array.from({ length: size }, (_, back) => last - BigInt(back));
    const page = await Promise.all(ids.map((jobId) => getJob(client, { jobId, ...at })));
    found.push(
      ...page.filter(
        (job) =>
          (status === undefined || status.includes(job.status)) &&
          (owner === undefined || isAddressEqual(job.client, owner)),
      ),
    );
  }
  return found.slice(0, limit);
}
