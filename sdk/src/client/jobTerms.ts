import { zeroHash } from "viem";
import {
  type GetLimitsReturnType,
  type GpuchainClient,
  getLimits,
  type JobTerms,
  listTemplates,
} from "../chain/index.ts";
import { GpuchainError } from "../daemon/errors.ts";
import { formatUsdc } from "../daemon/parsers.ts";
import { type Hex, type JobSpec, maxLiability, providersRoot, specHash } from "../records/index.ts";

/** What a client decides about money and time; all but the price have defaults that fit the network. */
export interface JobTermsInput {
  /** Ceiling of the auction, base units a step. */
  maxPricePerStep: bigint;
  /** For each counted vote, base units. Default: the template's minimum. */
  verifierFee?: bigint;
  /** Locked at posting. Default: exactly the worst case. */
  budget?: bigint;
  /** Seconds from posting in which leases may begin. Default 1 day. */
  deadlineSeconds?: number;
  /** Seconds. */
  leaseDuration?: number;
  segmentTimeout?: number;
  auctionRamp?: number;
  verdictTimeout?: number;
  gracePeriod?: number;
  disputeWindow?: number;
  /** Milliseconds. */
  pulseTimeoutMs?: number;
}

export interface JobTermsParameters {
  client: GpuchainClient;
  spec: JobSpec;
  genesisHash: Hex;
  input: JobTermsInput;
}

/** Least budget of any job. */
const oneUsdc = 1_000_000n;
const day = 86_400;

/**
 * The terms of a job: what the spec says, what the client decided, and defaults within the network's bounds.
 *
 * Errors: TEMPLATE_UNKNOWN, BUDGET_TOO_LOW (under the worst case or 1 USDC), BUDGET_TOO_HIGH (over the network's cap).
 *
 * @example
 * const terms = await jobTerms({ client, spec, genesisHash, input: { maxPricePerStep: parseUsdc("0.003") } });
 */
export async function jobTerms({ client, spec, genesisHash, input }: JobTermsParameters): Promise<JobTerms> {
  const [limits, templates, block] = await Promise.all([
    getLimits(client),
    listTemplates(client),
    client.public.getBlock({ blockTag: "latest" }),
  ]);
  const template = templates.find(({ name, approved }) => name === spec.template && approved);
  if (template === undefined) {
    const offered = templates.filter(({ approved }) => approved).map(({ name }) => name);
    throw new GpuchainError("TEMPLATE_UNKNOWN", `this network has no approved template "${spec.template}"`, {
      hint: `choose one of ${offered.join(", ")}`,
    });
  }
  // A chain for trying things out: nobody wants to wait there, and nothing is at stake.
  const isLocal = limits.minDisputeWindow < 60;
  const segmentTimeout = input.segmentTimeout ?? 3_600;
  const base = {
    templateId: template.templateId,
    specHash: specHash(spec),
    genesisHash,
    eligibilityRoot: spec.providers === undefined ? zeroHash : providersRoot(spec.providers),
    totalSteps: spec.training.steps,
    checkpointInterval: spec.checkpoint.interval,
    maxPricePerStep: input.maxPricePerStep,
    verifierFee: input.verifierFee ?? template.minVerifierFee,
    leaseDuration: input.leaseDuration ?? Math.max(limits.minLeaseDuration, isLocal ? 30 : 60),
    segmentTimeout,
    pulseTimeoutMs: input.pulseTimeoutMs ?? (isLocal ? 500 : 4_000),
    auctionRamp: input.auctionRamp ?? (isLocal ? 6 : 60),
    verdictTimeout: input.verdictTimeout ?? Math.max(limits.minVerdictTimeout, isLocal ? 30 : 300),
    deadline: Number(block.timestamp) + (input.deadlineSeconds ?? day),
    gracePeriod: input.gracePeriod ?? segmentTimeout,
    disputeWindow: input.disputeWindow ?? Math.max(limits.minDisputeWindow, isLocal ? 5 : 600),
  };
  return { ...base, budget: budgetFor(base, input.budget, limits) };
}

/**
 * The most that terms can cost, base units; the same figure as the contracts'.
 *
 * @example
 * const most = worstCase({
 *   totalSteps: 400, checkpointInterval: 50, maxPricePerStep: parseUsdc("0.003"), verifierFee: parseUsdc("0.01"),
 * });
 */
export function worstCase(
  terms: Pick<JobTerms, "totalSteps" | "checkpointInterval" | "maxPricePerStep" | "verifierFee">,
): bigint {
  const { maxPricePerStep, verifierFee } = terms;
  const totalSteps = BigInt(terms.totalSteps);
  return maxLiability({
    totalSteps,
    checkpointInterval: BigInt(terms.checkpointInterval),
    maxPricePerStep,
    verifierFee,
  });
}

function budgetFor(
  terms: Parameters<typeof worstCase>[0],
  asked: bigint | undefined,
  limits: GetLimitsReturnType,
): bigint {
  const worst = worstCase(terms);
  const least = worst > oneUsdc ? worst : oneUsdc;
  const budget = asked ?? least;
  if (budget < least) {
    throw new GpuchainError(
      "BUDGET_TOO_LOW",
      `a budget of ${formatUsdc(budget)} USDC is under the minimum of ${formatUsdc(least)}`,
      {
        hint: "raise the budget, or lower steps, price ceiling or verifier fee: the worst case is locked at posting",
        data: { budget, least, worstCase: worst },
      },
    );
  }
  if (limits.maxBudget !== 0n && budget > limits.maxBudget) {
    throw new GpuchainError(
      "BUDGET_TOO_HIGH",
      `a budget of ${formatUsdc(budget)} USDC is over this network's cap of ${formatUsdc(limits.maxBudget)}`,
      {
        hint: "split the training into smaller jobs",
        data: { budget, cap: limits.maxBudget },
      },
    );
  }
  return budget;
}
