import { z } from "zod";
import { sleep } from "../daemon/sleep.ts";
import { gatewayRequest, readJson } from "../gateway/index.ts";

const stepSchema = z.object({
  fence: z.int(),
  step: z.int(),
  loss: z.number(),
  learningRate: z.number(),
  ms: z.number(),
  at: z.number(),
});
const receiptSchema = z.object({
  fence: z.int(),
  nextFence: z.int(),
  from: z.string(),
  to: z.string(),
  cause: z.string(),
  silentToEndedMs: z.number(),
  endedToAcquiredMs: z.number(),
  acquiredToFirstStepMs: z.number(),
  stepsLost: z.int().nullable(),
  resumedFrom: z.int(),
  verifier: z.string(),
  signedJson: z.string(),
  signature: z.string(),
});
/** What a gateway answers to `followQuery`. */
export const followAnswerSchema = z.object({
  data: z.object({ steps: z.array(stepSchema), receipts: z.array(receiptSchema) }),
});

/** One training step as its provider reported it. */
export type StepUpdate = z.output<typeof stepSchema>;
/** A seat's signed receipt of a hand-over from one provider to the next. */
export type HandOver = z.output<typeof receiptSchema>;

export interface FollowStepsParameters {
  jobId: bigint;
  signal: AbortSignal;
  /** Aborts when the job is over: one last look, then the function returns. */
  ending: AbortSignal;
  /** Gateways to ask, looked up anew after a failure. */
  endpoints: () => Promise<string[]>;
  /** Fences of the leases so far, in order; the last one is the current one. */
  fences: () => readonly number[];
  onStep: (step: StepUpdate) => void;
  onHandOver?: (receipt: HandOver) => void;
  /** Milliseconds between two looks. Default 1,000. */
  everyMs?: number;
}

const LIMIT = 1_000;
/** Steps of one lease after a step, and all receipts. */
export const followQuery = `query Follow($job: ID!, $fence: Int!, $after: Int!) {
  steps(job: $job, fence: $fence, after: $after, limit: ${LIMIT}) { fence step loss learningRate ms at }
  receipts(job: $job) {
    fence nextFence from to cause silentToEndedMs endedToAcquiredMs acquiredToFirstStepMs stepsLost resumedFrom verifier signedJson signature
  }
}`;

/**
 * Asks a seat's gateway for what is new, and another seat when one fails. Each step comes once, those of an earlier lease before those of
 * the next: what was seen is remembered here, so that it does not matter which seat answers.
 */
export async function followSteps(parameters: FollowStepsParameters): Promise<void> {
  const { jobId, signal, ending, endpoints, everyMs = 1_000 } = parameters;
  const wake = AbortSignal.any([signal, ending]);
  const handOvers = new Set<number>();
  let known: string[] = [];
  /** Leases before this index are told to the end. */
  let current = 0;
  let after = -1;

  /** One page of the current lease's steps; true when there may be more at once. */
  const look = async (): Promise<boolean> => {
    const fences = parameters.fences();
    const fence = fences[current];
    if (fence === undefined) return false;
    if (known.length === 0) known = await endpoints();
    const endpoint = known[0];
    if (endpoint === undefined) return false;
    const variables = { job: jobId.toString(), fence, after };
    const options = { method: "POST", json: JSON.stringify({ query: followQuery, variables }), signal };
    const { data } = await readJson(await gatewayRequest(endpoint, "/graphql", options), followAnswerSchema);
    for (const step of data.steps) parameters.onStep(step);
    after = data.steps.at(-1)?.step ?? after;
    for (const receipt of data.receipts.filter(({ fence: told }) => !handOvers.has(told))) {
      handOvers.add(receipt.fence);
      parameters.onHandOver?.(receipt);
    }
    // `fences` was read before the question: an ended lease's answer is complete when nothing is left.
    if (data.steps.length === 0 && current < fences.length - 1) {
      current += 1;
      after = -1;
      return true;
    }
    return data.steps.length > 0;
  };

  for (let failures = 0; !signal.aborted; ) {
    const last = ending.aborted;
    try {
      while (await look()) signal.throwIfAborted();
      failures = 0;
      if (last) return;
    } catch {
      // Telemetry is a comfort: the next gateway is asked, and with none left they are looked up again.
      known = known.slice(1);
      failures += 1;
      if (last && known.length === 0) return;
      if (known.length > 0 && failures < 8) continue;
    }
    await sleep(everyMs, last ? signal : wake).catch(() => undefined);
  }
}
