import { type ChainReader, read } from "../reader.ts";
import type { JobTerms } from "./getJob.ts";

export interface GetMaxLiabilityParameters {
  terms: JobTerms;
}

/**
 * The most that terms can cost: all steps at the ceiling, the protocol's fee, every round of votes. Base units.
 *
 * @example
 * const { terms } = await getJob(client, { jobId: 1n });
 * const worstCase = await getMaxLiability(client, { terms });
 */
export function getMaxLiability(client: ChainReader, { terms }: GetMaxLiabilityParameters): Promise<bigint> {
  return read(client, "lens", "maxLiability", [terms]);
}
