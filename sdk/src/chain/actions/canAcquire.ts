import type { Address, Hex } from "viem";
import { type AcquireBlock, acquireBlocks, enumName } from "../enums.ts";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface CanAcquireParameters extends AtBlock {
  jobId: bigint;
  provider: Address;
  /** Merkle proof for jobs with a list of providers. */
  proof?: readonly Hex[];
}

export interface CanAcquireReturnType {
  /** "None": it can. Otherwise the first thing that stands in its way. */
  reason: AcquireBlock;
  /**
   * Unix seconds: when a cool-down ends, or when the price ceiling reaches the provider's price; `foreverUntil` for a bar;
   * 0 where time alone changes nothing.
   */
  until: number;
}

/** `until` of a provider that is barred for good. */
export const foreverUntil = 2 ** 40 - 1;

/**
 * Whether a provider could take the lease at the block's timestamp, and if not, why and until when.
 *
 * @example
 * const { reason, until } = await canAcquire(client, { jobId: 1n, provider: account.address });
 */
export async function canAcquire(
  client: ChainReader,
  { jobId, provider, proof = [], ...at }: CanAcquireParameters,
): Promise<CanAcquireReturnType> {
  const [reason, until] = await read(client, "lens", "canAcquire", [jobId, provider, proof], at);
  return { reason: enumName(acquireBlocks, reason), until };
}
