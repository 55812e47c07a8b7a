import { type AtBlock, type ChainReader, read } from "../reader.ts";
import { fromCheckpointView, type GetCheckpointReturnType } from "./getCheckpoint.ts";

export interface GetCheckpointsParameters extends AtBlock {
  jobId: bigint;
  /** First index, from 1. Default 1. */
  from?: number;
  /** At most this many. Default: all. */
  limit?: number;
}

export type GetCheckpointsReturnType = GetCheckpointReturnType[];

/** How many one call asks for: keeps the answer within what public endpoints compute for one `eth_call`. */
const pageSize = 50;

/**
 * Checkpoints of a job in commit order, each as in `getCheckpoint`.
 *
 * @example
 * const checkpoints = await getCheckpoints(client, { jobId: 1n });
 * const paid = checkpoints.filter(({ status }) => status === "Paid");
 */
export async function getCheckpoints(
  client: ChainReader,
  { jobId, from = 1, limit = Number.POSITIVE_INFINITY, ...at }: GetCheckpointsParameters,
): Promise<GetCheckpointsReturnType> {
  const found: GetCheckpointReturnType[] = [];
  while (found.length < limit) {
    const ask = Math.min(pageSize, limit - found.length);
    const page = await read(client, "lens", "getCheckpoints", [jobId, from + found.length, ask], at);
    found.push(...page.map(fromCheckpointView));
    if (page.length < ask) break;
  }
  return found;
}
