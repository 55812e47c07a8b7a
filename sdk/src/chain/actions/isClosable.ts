import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface IsClosableParameters extends AtBlock {
  jobId: bigint;
}

/** Whether `close` would succeed now. */
export function isClosable(client: ChainReader, { jobId, ...at }: IsClosableParameters): Promise<boolean> {
  return read(client, "lens", "closable", [jobId], at);
}
