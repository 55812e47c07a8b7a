import { formatUsdc, GpuchainError } from "@gpuchain/sdk/daemon";
import { type Address, formatEther } from "viem";
import { type JobView, MAX_PENDING } from "./jobView.ts";

/** What serving a lease costs at least, in gas: take it, seat the judges, release it; and each commit. */
const LEASE_GAS = 400_000n;
const COMMIT_GAS = 110_000n;
/** Asked for where the owner has to send some: a few leases at fees that may double meanwhile. */
const SUPPLY = 4n;

export interface GasState {
  readonly address: Address;
  /** wei */
  readonly balance: bigint;
  readonly gasPrice: bigint;
  /** USDC base units for one native coin; left out: unknown */
  readonly coinPrice?: bigint | undefined;
}

/** Wei that a lease on this job takes until its first pay, at the price of the moment. */
export function leaseCost(
  {
    terms,
    tail,
  }: {
    readonly terms: Pick<JobView["terms"], "totalSteps" | "checkpointInterval">;
    readonly tail: Pick<JobView["tail"], "step">;
  },
  gasPrice: bigint,
): bigint {
  const commits = Math.ceil((terms.totalSteps - tail.step) / terms.checkpointInterval);
  return (LEASE_GAS + COMMIT_GAS * BigInt(Math.min(commits, MAX_PENDING))) * gasPrice;
}

/** Wei as USDC base units, rounded up: costs are not made smaller. */
export const inUsdc = (wei: bigint, coinPrice: bigint): bigint => (wei * coinPrice + 10n ** 18n - 1n) / 10n ** 18n;

/**
 * Lets through only leases that this node can pay for, and that pay for their own gas where the coin's price is known.
 *
 * @param price of a step, base units
 * @throws GpuchainError `GAS_LOW`, `GAS_OVER_PAY`
 */
export function assertServable(job: Pick<JobView, "id" | "terms" | "tail">, price: bigint, state: GasState): void {
  const cost = leaseCost(job, state.gasPrice);
  if (state.balance < cost)
    throw new GpuchainError("GAS_LOW", `${formatEther(state.balance)} of native coin do not pay for serving a lease`, {
      hint: `send at least ${formatEther(SUPPLY * cost)} to ${state.address}`,
    });
  if (state.coinPrice === undefined) return;
  const steps = BigInt(Math.min(job.terms.totalSteps - job.tail.step, job.terms.checkpointInterval * MAX_PENDING));
  const [pay, gas] = [steps * price, inUsdc(cost, state.coinPrice)];
  if (gas >= pay)
    throw new GpuchainError(
      "GAS_OVER_PAY",
      `gas of about ${formatUsdc(gas)} USDC would eat the ${formatUsdc(pay)} USDC that job ${job.id} pays`,
      { hint: "wait for lower fees, or ask a higher --price" },
    );
}
