import type { PublicClient } from "viem";
import type { Heads } from "../heads.ts";

/** EIP-1559 fees, wei a gas. */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** Used where the endpoint has no `eth_maxPriorityFeePerGas`. */
const fallbackTip = 1_000_000n;
/** A head older than this says nothing about today's fees: nobody listened in between. */
const freshMs = 5_000;

/** Fees with which the next blocks take a transaction: twice the base fee, so that six full blocks in a row do not strand it. */
export async function suggestFees(client: PublicClient, heads: Heads): Promise<Fees> {
  const fresh = Date.now() - heads.lastAnswerAt < freshMs ? heads.latest : undefined;
  const baseFee = (fresh ?? (await client.getBlock({ blockTag: "latest" }))).baseFeePerGas ?? 0n;
  const tip = await client.estimateMaxPriorityFeePerGas().catch(() => fallbackTip);
  return { maxFeePerGas: baseFee * 2n + tip, maxPriorityFeePerGas: tip };
}

/** Fees that replace a transaction in every node's pool: an eighth more (a tenth is the usual rule), at least the market's. */
export function bumpFees(old: Fees, market: Fees): Fees {
  const raise = (value: bigint) => (value * 9n) / 8n + 1n;
  const max = (a: bigint, b: bigint) => (a > b ? a : b);
  return {
    maxFeePerGas: max(raise(old.maxFeePerGas), market.maxFeePerGas),
    maxPriorityFeePerGas: max(raise(old.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
  };
}
