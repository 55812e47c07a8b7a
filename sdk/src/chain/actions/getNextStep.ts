import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetNextStepParameters extends AtBlock {
  /** A checkpoint, or genesis (`genesisIdOf(jobId)`). */
  parentId: bigint;
}

/**
 * The step at which the next checkpoint after a parent is due.
 *
 * @example
 * const { tipId } = await getQueue(client, { jobId: 1n });
 * const step = await getNextStep(client, { parentId: tipId });
 */
export function getNextStep(client: ChainReader, { parentId, ...at }: GetNextStepParameters): Promise<number> {
  return read(client, "lens", "nextStep", [parentId], at);
}
