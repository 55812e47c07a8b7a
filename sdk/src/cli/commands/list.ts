import { listJobs } from "../../chain/index.ts";
import { GpuchainError, parseInteger } from "../../daemon/index.ts";
import { type Output, table, usdc } from "../output.ts";
import { parseFlag } from "../parseId.ts";
import type { Session } from "../session.ts";

export interface ListOptions {
  all?: boolean;
  limit?: string;
}

/** Your jobs, or everybody's, newest first. */
export async function list(session: Session, options: ListOptions): Promise<void> {
  const limit = parseFlag("--limit", options.limit ?? "20", parseInteger({ min: 1 }));
  const owner = options.all ? undefined : await session.address();
  if (!options.all && owner === undefined) {
    throw new GpuchainError("USAGE", "whose jobs?", { hint: "give --keystore FILE, or --all for everybody's" });
  }
  const client = await session.connect();
  const jobs = await listJobs(client, { limit, ...(owner !== undefined && { client: owner }) });
  const value = jobs.map((job) => ({
    ...{ jobId: job.jobId, status: job.draining ? "Draining" : job.status, client: job.client },
    ...{
      steps: job.terms.totalSteps,
      budget: usdc(job.budget),
      locked: usdc(job.locked),
      specHash: job.terms.specHash,
    },
  }));
  show(session.output, value, owner);
}

function show(
  output: Output,
  jobs: { jobId: bigint; status: string; steps: number; budget: string; locked: string }[],
  owner?: string,
): void {
  output.result(jobs, () => {
    if (jobs.length === 0)
      return owner === undefined ? "no jobs on this network" : `no jobs of ${owner}; --all shows everybody's`;
    const rows = jobs.map((job) => [job.jobId.toString(), job.status, String(job.steps), job.budget, job.locked]);
    return table(["job", "status", "steps", "budget", "still locked"], rows);
  });
}
