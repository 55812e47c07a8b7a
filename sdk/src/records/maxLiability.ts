import { RecordError } from "./errors.ts";

/** The protocol's fee on success, in ten-thousandths of what providers earned. */
export const FEE_BPS = 800n;
/** Judges per checkpoint. */
export const SEATS = 3n;

/** Terms that fix a job's worst case; money in base units (USDC has 6 decimals). */
export interface LiabilityTerms {
  readonly totalSteps: bigint;
  readonly maxPricePerStep: bigint;
  readonly checkpointInterval: bigint;
  readonly verifierFee: bigint;
}

/** A job's worst case, the least budget that may be posted: `S·P + ⌊S·P·800/10⁴⌋ + ⌈S/I⌉·3·verifierFee`. */
export function maxLiability(terms: LiabilityTerms): bigint {
  const { totalSteps, maxPricePerStep, checkpointInterval, verifierFee } = terms;
  if (totalSteps < 1n || checkpointInterval < 1n || maxPricePerStep < 0n || verifierFee < 0n)
    throw new RecordError("BAD_TERMS", "Steps and interval must be at least 1, price and fee not negative.");
  const work = totalSteps * maxPricePerStep;
  const rounds = (totalSteps + checkpointInterval - 1n) / checkpointInterval;
  return work + (work * FEE_BPS) / 10_000n + rounds * SEATS * verifierFee;
}
