import { verifyMessage } from "viem";
import { type GpuchainClient, getSeats } from "../chain/index.ts";
import { gatewayRequest, readJson } from "../gateway/index.ts";
import { findEndpoints } from "./findEndpoints.ts";
import { followAnswerSchema, followQuery, type HandOver, type StepUpdate } from "./followSteps.ts";
import { jobHistory } from "./jobHistory.ts";

export interface FetchTelemetryParameters {
  client: GpuchainClient;
  jobId: bigint;
  signal?: AbortSignal;
}

export interface FetchTelemetryReturnType {
  /** Every step of every lease, in order, as its provider reported it. */
  steps: StepUpdate[];
  /** Hand-overs, each signed by the seat that saw it; one whose signature does not hold is left out. */
  receipts: HandOver[];
  /** The gateway that told it; undefined when none had anything. */
  source: string | undefined;
}

/**
 * The training curve and the receipts of a job, from the first of its seats that answers.
 *
 * @example
 * const { steps, receipts } = await fetchTelemetry({ client, jobId: 1n });
 */
export async function fetchTelemetry(parameters: FetchTelemetryParameters): Promise<FetchTelemetryReturnType> {
  const { client, jobId, signal } = parameters;
  const [history, endpoints, { seats }] = await Promise.all([
    jobHistory(client, jobId),
    findEndpoints(client, { jobId }),
    getSeats(client, { jobId }),
  ]);
  const fences = history.flatMap((event) => (event.eventName === "LeaseAcquired" ? [event.args.fence] : []));
  const seated = new Set(seats.map(({ verifier }) => verifier.toLowerCase()));
  for (const { url } of endpoints) {
    try {
      const told = await askGateway(url, jobId, fences, signal);
      const checked = await Promise.all(told.receipts.map(async (one) => ((await isSigned(one, seated)) ? [one] : [])));
      return { steps: told.steps, receipts: checked.flat(), source: url };
    } catch {
      // The next seat holds the same telemetry.
      signal?.throwIfAborted();
    }
  }
  return { steps: [], receipts: [], source: undefined };
}

async function askGateway(url: string, jobId: bigint, fences: readonly number[], signal: AbortSignal | undefined) {
  const steps: StepUpdate[] = [];
  const receipts = new Map<number, HandOver>();
  for (const fence of fences) {
    for (let after = -1; ; ) {
      const json = JSON.stringify({ query: followQuery, variables: { job: jobId.toString(), fence, after } });
      const response = await gatewayRequest(url, "/graphql", { method: "POST", json, ...(signal && { signal }) });
      const { data } = await readJson(response, followAnswerSchema);
      for (const receipt of data.receipts) receipts.set(receipt.fence, receipt);
      steps.push(...data.steps);
      const last = data.steps.at(-1);
      if (last === undefined) break;
      after = last.step;
    }
  }
  return { steps, receipts: [...receipts.values()] };
}

async function isSigned({ verifier, signedJson, signature }: HandOver, seated: ReadonlySet<string>): Promise<boolean> {
  if (!seated.has(verifier.toLowerCase())) return false;
  const claim = { address: verifier as `0x${string}`, message: signedJson, signature: signature as `0x${string}` };
  return verifyMessage(claim).catch(() => false);
}
