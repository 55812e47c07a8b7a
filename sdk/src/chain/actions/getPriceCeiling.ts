import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetPriceCeilingParameters extends AtBlock {
  jobId: bigint;
}

/**
 * What a provider may ask at most, base units a step, as of the block's timestamp.
 *
 * @example
 * const ceiling = await getPriceCeiling(client, { jobId: 1n });
 */
export function getPriceCeiling(client: ChainReader, { jobId, ...at }: GetPriceCeilingParameters): Promise<bigint> {
  return read(client, "lens", "priceCeiling", [jobId], at);
}
