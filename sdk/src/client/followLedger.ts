import { z } from "zod";
import { sleep } from "../daemon/sleep.ts";

const amount = z.string().regex(/^\d+$/).transform(BigInt);
const moneySchema = z.object({
  locked: amount,
  providerPay: amount,
  verifierFees: amount,
  protocolFee: amount,
  refund: amount,
  owedPay: amount,
  owedFees: amount,
});
const answerSchema = z.object({ data: z.object({ job: moneySchema.nullable() }) });

/** A job's money as the ledger counts it, base units: paid so far, owed and not yet matured, still locked. */
export type LedgerMoney = z.output<typeof moneySchema>;

export interface FollowLedgerParameters {
  /** Address of the ledger, e.g. http://127.0.0.1:42069 */
  url: string;
  jobId: bigint;
  signal: AbortSignal;
  /** Aborts when the job is over: one last look, then the function returns. */
  ending: AbortSignal;
  onMoney: (money: LedgerMoney) => void;
  /** Milliseconds between two looks. Default 1,000. */
  everyMs?: number;
  fetch?: typeof fetch;
}

const query = `query Money($job: BigInt!) {
  job(id: $job) { locked providerPay verifierFees protocolFee refund owedPay owedFees }
}`;

/** Tells a job's money whenever the ledger counts it anew. A ledger that is down or behind costs nothing but that. */
export async function followLedger(parameters: FollowLedgerParameters): Promise<void> {
  const { jobId, signal, ending, everyMs = 1_000, fetch: get = fetch } = parameters;
  const wake = AbortSignal.any([signal, ending]);
  const body = JSON.stringify({ query, variables: { job: jobId.toString() } });
  const headers = { "content-type": "application/json" };
  let told = "";
  while (!signal.aborted) {
    const last = ending.aborted;
    try {
      const url = new URL("/graphql", parameters.url);
      const timely = AbortSignal.any([signal, AbortSignal.timeout(5_000)]);
      const response = await get(url, { method: "POST", headers, body, signal: timely });
      const { job } = answerSchema.parse(await response.json()).data;
      const now = job === null ? "" : Object.values(job).join();
      if (job !== null && now !== told) {
        told = now;
        parameters.onMoney(job);
      }
    } catch {
      // Asked again at the next look; the chain itself tells all that matters.
    }
    if (last) return;
    await sleep(everyMs, wake).catch(() => undefined);
  }
}
