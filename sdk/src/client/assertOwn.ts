import { type Address, isAddressEqual } from "viem";
import type { GetJobReturnType } from "../chain/index.ts";
import { GpuchainError } from "../daemon/errors.ts";

/** Asked before anything is sent. Throws NOT_CLIENT when the job is somebody else's. */
export function assertOwn(job: GetJobReturnType, account: { address: Address }, call: string): void {
  if (isAddressEqual(job.client, account.address)) return;
  throw new GpuchainError("NOT_CLIENT", `job ${job.jobId} belongs to ${job.client}`, {
    hint: `only the client of a job can ${call}: use the key that posted it`,
  });
}
