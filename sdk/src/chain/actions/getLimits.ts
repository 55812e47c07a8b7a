import { type AtBlock, type ChainReader, read } from "../reader.ts";

export type GetLimitsParameters = AtBlock;

export interface GetLimitsReturnType {
  minProviderBond: bigint;
  minVerifierBond: bigint;
  /** Seconds from `requestExit` to `withdrawBond`. */
  unbondingPeriod: number;
  /** Seconds from a verifier's registration to its first draw. */
  drawDelay: number;
  /** Seconds that the arbiter has for a challenge. */
  arbiterPeriod: number;
}

/** What differs between networks and can be asked for. */
export async function getLimits(client: ChainReader, at: GetLimitsParameters = {}): Promise<GetLimitsReturnType> {
  const [minProviderBond, minVerifierBond, unbondingPeriod, drawDelay, arbiterPeriod] = await Promise.all([
    read(client, "registry", "minProviderBond", [], at),
    read(client, "registry", "minVerifierBond", [], at),
    read(client, "registry", "unbondingPeriod", [], at),
    read(client, "registry", "drawDelay", [], at),
    read(client, "court", "arbiterPeriod", [], at),
  ]);
  return { minProviderBond, minVerifierBond, unbondingPeriod, drawDelay, arbiterPeriod };
}
