import { type AtBlock, type ChainReader, read } from "../reader.ts";

export type GetJobCountParameters = AtBlock;

/**
 * How many jobs were ever posted; ids count from 1.
 *
 * @example
 * const newest = await getJobCount(client);
 */
export function getJobCount(client: ChainReader, at: GetJobCountParameters = {}): Promise<bigint> {
  return read(client, "jobs", "jobCount", [], at);
}
