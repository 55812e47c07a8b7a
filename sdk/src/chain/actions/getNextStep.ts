import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetNextStepParameters extends AtBlock {
  /** A checkpoint, or genesis (`genesisIdOf(jobId)`). */
  parentId: bigint;
}

/** The step at which the next checkpoint after a parent is due. */
export function getNextStep(client: ChainReader, { parentId, ...at }: GetNextStepParameters): Promise<number> {
  return read(client, "lens", "nextStep", [parentId], at);
}
