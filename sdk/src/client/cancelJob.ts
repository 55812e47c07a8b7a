import { eventArgs, write } from "../chain/index.ts";
import type { ClientContext } from "./clientContext.ts";

export interface CancelJobParameters {
  jobId: bigint;
}

export interface CancelJobReturnType {
  hash: `0x${string}`;
  /** Unix seconds: the leaseholder's last commit comes before; then anyone may close the job. */
  drainUntil: number;
  /** The seats get one round of fees when nothing is ever accepted. */
  cancelFeeDue: boolean;
}

/**
 * Winds a job up: accepted work is paid, the rest of the budget comes back when it settles. Once per job.
 *
 * @example
 * const { drainUntil } = await cancelJob(context, { jobId: 1n });
 */
export async function cancelJob(
  { client, sender }: ClientContext,
  { jobId }: CancelJobParameters,
): Promise<CancelJobReturnType> {
  const { hash, events } = await write(sender, client.deployment, "jobs", "cancel", [jobId], {
    intent: `cancel:${jobId}`,
  });
  const { drainUntil, cancelFeeDue } = eventArgs(events, "JobCancelled");
  return { hash, drainUntil, cancelFeeDue };
}
