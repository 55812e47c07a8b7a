/** What the reverse Dutch auction of one job depends on. Times in seconds of chain time, money in base units. */
export interface AuctionTerms {
  /** since when the job has no leaseholder */
  readonly openSince: number;
  /** seconds in which the ceiling rises from 0 to the maximum */
  readonly auctionRamp: number;
  readonly maxPricePerStep: bigint;
}

/**
 * First block timestamp at which `price` is at or under the auction's ceiling `⌊max · elapsed / ramp⌋`; undefined when it never is.
 *
 * @example
 * eligibleAt({ openSince: 100, auctionRamp: 6, maxPricePerStep: 3000n }, 1000n); // 102
 */
export function eligibleAt(terms: AuctionTerms, price: bigint): number | undefined {
  const { openSince, auctionRamp, maxPricePerStep } = terms;
  if (price < 1n || price > maxPricePerStep) return undefined;
  const wait = (price * BigInt(auctionRamp) + maxPricePerStep - 1n) / maxPricePerStep;
  return openSince + Number(wait);
}
