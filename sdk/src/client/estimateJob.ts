import { type GpuchainClient, type JobTerms, listProviders } from "../chain/index.ts";
import type { JobSpec } from "../records/index.ts";
import { findEndpoints } from "./findEndpoints.ts";
import { type JobTermsInput, jobTerms, worstCase } from "./jobTerms.ts";
import { measuredSpeed } from "./measuredSpeed.ts";

export interface EstimateJobParameters {
  client: GpuchainClient;
  spec: JobSpec;
  terms: JobTermsInput;
}

export interface EstimateJobReturnType {
  terms: JobTerms;
  /** The most it can cost, base units: what posting locks at least. */
  worstCase: bigint;
  /** If the cheapest provider that is registered now does all of it and the target is met, base units. */
  likely: bigint | undefined;
  /** What of `likely` goes to the provider, the verifiers and the protocol. */
  shares: { provider: bigint; verifiers: bigint; protocol: bigint } | undefined;
  /** Providers that accept work at or under the price ceiling, cheapest first. */
  providers: {
    account: `0x${string}`;
    name: string;
    pricePerStep: bigint;
    /** For this job, from what the provider has shown on this chain; undefined: no work of it to measure by. */
    stepsPerSecond?: number;
  }[];
  /** From posting to the last commit: the auction, then training at the speed shown by the cheapest provider that has shown one. */
  seconds: number | undefined;
  /** Verifiers that would judge it; three are needed. */
  verifiers: number;
  rounds: number;
}

const feeBps = 800n;

/**
 * What a job would cost on this network now, and how long it would take.
 *
 * @example
 * const { worstCase, likely, seconds } = await estimateJob({ client, spec, terms: { maxPricePerStep: parseUsdc("0.003") } });
 */
export async function estimateJob({
  client,
  spec,
  terms: input,
}: EstimateJobParameters): Promise<EstimateJobReturnType> {
  const terms = await jobTerms({ client, spec, genesisHash: `0x${"0".repeat(64)}`, input });
  const [all, endpoints, speeds] = await Promise.all([
    listProviders(client),
    findEndpoints(client, { terms }),
    measuredSpeed({ client }),
  ]);
  const speedOf = (account: string) => {
    const flops = speeds.get(account.toLowerCase());
    return flops === undefined ? {} : { stepsPerSecond: flops / spec.resources.flopsPerStep };
  };
  const named = spec.providers && new Set<string>(spec.providers);
  const providers = all
    .filter(
      (one) => one.registered && one.accepting && one.pricePerStep > 0n && one.pricePerStep <= terms.maxPricePerStep,
    )
    .filter(({ account }) => named === undefined || named.has(account.toLowerCase()))
    .sort((a, b) => Number(a.pricePerStep - b.pricePerStep))
    .map(({ account, name, pricePerStep }) => ({ account, name, pricePerStep, ...speedOf(account) }));
  const rounds = Math.ceil(terms.totalSteps / terms.checkpointInterval);
  const cheapest = providers[0];
  const provider = cheapest === undefined ? 0n : cheapest.pricePerStep * BigInt(terms.totalSteps);
  const shares =
    cheapest === undefined
      ? undefined
      : { provider, verifiers: BigInt(rounds) * 3n * terms.verifierFee, protocol: (provider * feeBps) / 10_000n };
  const likely = shares === undefined ? undefined : shares.provider + shares.verifiers + shares.protocol;
  const shown = providers.find(({ stepsPerSecond }) => stepsPerSecond !== undefined);
  const auction = shown && (terms.auctionRamp * Number(shown.pricePerStep)) / Number(terms.maxPricePerStep);
  const seconds = shown?.stepsPerSecond && (auction ?? 0) + terms.totalSteps / shown.stepsPerSecond;
  return {
    terms,
    seconds,
    worstCase: worstCase(terms),
    likely,
    shares,
    providers,
    verifiers: endpoints.length,
    rounds,
  };
}
