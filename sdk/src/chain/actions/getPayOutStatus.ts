import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetPayOutStatusParameters extends AtBlock {
  jobId: bigint;
}

export interface GetPayOutStatusReturnType {
  /** Checkpoints that `payOut` would pay or pass over now, at most 50. */
  mature: bigint;
  /** It would also settle the job. */
  settles: boolean;
}

/**
 * Whether a pay-out would do something now.
 *
 * @example
 * const { mature, settles } = await getPayOutStatus(client, { jobId: 1n });
 */
export async function getPayOutStatus(
  client: ChainReader,
  { jobId, ...at }: GetPayOutStatusParameters,
): Promise<GetPayOutStatusReturnType> {
  const [mature, settles] = await read(client, "lens", "payOutStatus", [jobId], at);
  return { mature, settles };
}
