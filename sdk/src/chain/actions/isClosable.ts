import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface IsClosableParameters extends AtBlock {
  jobId: bigint;
}

/**
 * Whether `close` would succeed now.
 *
 * @example
 * const closable = await isClosable(client, { jobId: 1n });
 */
export function isClosable(client: ChainReader, { jobId, ...at }: IsClosableParameters): Promise<boolean> {
  return read(client, "lens", "closable", [jobId], at);
}
