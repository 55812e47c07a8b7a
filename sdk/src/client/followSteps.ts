import { z } from "zod";
import { sleep } from "../daemon/sleep.ts";
import { gatewayRequest, readJson } from "../gateway/index.ts";

const answerSchema = z.object({
  data: z.object({
    steps: z.array(
      z.object({
        fence: z.int(),
        step: z.int(),
        loss: z.number(),
        learningRate: z.number(),
        ms: z.number(),
        at: z.number(),
      }),
    ),
  }),
});

/** One training step as its provider reported it. */
export type StepUpdate = z.output<typeof answerSchema>["data"]["steps"][number];

export interface FollowStepsParameters {
  jobId: bigint;
  signal: AbortSignal;
  /** Gateways to ask, looked up anew after a failure. */
  endpoints: () => Promise<string[]>;
  /** The lease that is current, as far as is known. */
  fence: () => number | undefined;
  onStep: (step: StepUpdate) => void;
  /** Milliseconds between two looks. Default 1,000. */
  everyMs?: number;
}

const query = `query Steps($job: ID!, $fence: Int, $after: Int!) {
  steps(job: $job, fence: $fence, after: $after, limit: 1000) { fence step loss learningRate ms at }
}`;

/** Asks a seat's gateway for new steps of the current lease until the signal aborts; another seat when one fails. */
export async function followSteps(parameters: FollowStepsParameters): Promise<void> {
  const { jobId, signal, endpoints, everyMs = 1_000 } = parameters;
  let known: string[] = [];
  let current: number | undefined;
  let after = -1;
  while (!signal.aborted) {
    const fence = parameters.fence();
    if (fence !== current) {
      current = fence;
      after = -1;
    }
    if (fence !== undefined) {
      try {
        if (known.length === 0) known = await endpoints();
        const endpoint = known[0];
        if (endpoint !== undefined) {
          const variables = { job: jobId.toString(), fence, after };
          const options = { method: "POST", json: JSON.stringify({ query, variables }), signal };
          const { data } = await readJson(await gatewayRequest(endpoint, "/graphql", options), answerSchema);
          for (const step of data.steps) parameters.onStep(step);
          after = data.steps.at(-1)?.step ?? after;
        }
      } catch {
        // Telemetry is a comfort: the next gateway is asked, and with none left they are looked up again.
        known = known.slice(1);
      }
    }
    await sleep(everyMs, signal).catch(() => undefined);
  }
}
