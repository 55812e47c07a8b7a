import { estimateJob } from "../../client/index.ts";
import { readJobFile } from "../jobFile.ts";
import { table, usdc } from "../output.ts";
import type { Session } from "../session.ts";

/** What a job would cost with the providers and verifiers registered now. */
export async function estimate(session: Session, path: string): Promise<void> {
  const { spec, terms } = readJobFile(path, session.output.progress);
  const client = await session.connect();
  const found = await estimateJob({ client, spec, terms });
  const { shares, likely, providers, verifiers, rounds } = found;
  const value = {
    worstCase: usdc(found.worstCase),
    budget: usdc(found.terms.budget),
    likely: likely === undefined ? null : usdc(likely),
    shares: shares && {
      provider: usdc(shares.provider),
      verifiers: usdc(shares.verifiers),
      protocol: usdc(shares.protocol),
    },
    providers: providers.map((one) => ({ ...one, pricePerStep: usdc(one.pricePerStep) })),
    seconds: found.seconds === undefined ? null : Math.round(found.seconds),
    verifiers,
    checkpoints: rounds,
  };
  session.output.result(value, () => [
    `locked at posting   ${value.budget} USDC (worst case ${value.worstCase}; what is not spent comes back)`,
    likely === undefined
      ? "likely cost         unknown: no provider accepts work at or under your price ceiling now"
      : `likely cost         ${usdc(likely)} USDC`,
    ...(shares === undefined
      ? []
      : [
          `  provider          ${usdc(shares.provider)}  (${found.terms.totalSteps} steps at ${usdc(providers[0]?.pricePerStep ?? 0n)})`,
          `  verifiers         ${usdc(shares.verifiers)}  (at most: ${rounds} checkpoints, three votes each)`,
          `  protocol fee      ${usdc(shares.protocol)}  (only if the job succeeds)`,
        ]),
    found.seconds === undefined
      ? "time                unknown: no provider under your ceiling has committed work on this chain to measure by"
      : `time                about ${duration(found.seconds)} to the last checkpoint, by what providers have shown on this chain`,
    "",
    ...(providers.length === 0
      ? []
      : table(
          ["provider", "USDC a step", "steps/s", "account"],
          providers.map((one) => [
            one.name,
            usdc(one.pricePerStep),
            one.stepsPerSecond?.toFixed(1) ?? "–",
            one.account,
          ]),
        )),
    verifiers >= 3
      ? `${verifiers} verifiers would judge it`
      : `only ${verifiers} verifiers would judge it: three are needed`,
  ]);
}

/** Seconds as people say them. */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} minutes` : `${(seconds / 3_600).toFixed(1)} hours`;
}
