import { eventArgs, getJob, write } from "../chain/index.ts";
import { assertOwn } from "./assertOwn.ts";
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
 * Errors: JOB_NOT_FOUND, NOT_CLIENT, REVERTED (over already).
 *
 * @example
 * const { drainUntil } = await cancelJob(context, { jobId: 1n });
 */
export async function cancelJob(
  { client, account, sender }: ClientContext,
  { jobId }: CancelJobParameters,
): Promise<CancelJobReturnType> {
  assertOwn(await getJob(client, { jobId }), account, "cancel");
  const { hash, events } = await write(sender, client.deployment, "jobs", "cancel", [jobId], {
    intent: `cancel:${jobId}`,
  });
  const { drainUntil, cancelFeeDue } = eventArgs(events, "JobCancelled");
  return { hash, drainUntil, cancelFeeDue };
}
