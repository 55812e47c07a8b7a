import {
  decodeEvent,
  type GpuchainClient,
  type GpuchainEvent,
  getLogsRange,
  jobIdOf,
  jobNotFound,
  jobsAbi,
} from "../chain/index.ts";

/**
 * The job that an event is about; undefined for events of no job.
 *
 * @example
 * const [event] = await jobHistory(client, 1n);
 * const jobId = event && jobOfEvent(event);
 */
export function jobOfEvent(event: GpuchainEvent): bigint | undefined {
  const args = event.args as { jobId?: bigint; checkpointId?: bigint };
  if (args.jobId !== undefined) return args.jobId;
  return args.checkpointId === undefined ? undefined : jobIdOf(args.checkpointId);
}

/**
 * The block in which a job was posted. Throws JOB_NOT_FOUND.
 *
 * @example
 * const block = await postingBlock(client, 1n);
 */
export async function postingBlock(client: GpuchainClient, jobId: bigint): Promise<bigint> {
  const event = jobsAbi.find((item) => item.type === "event" && item.name === "JobPosted");
  const logs = await getLogsRange(client.public, {
    address: [client.deployment.contracts.jobs],
    event: event as Extract<typeof event, { type: "event" }>,
    args: { jobId },
    fromBlock: client.deployment.startBlock,
  });
  const block = logs[0]?.blockNumber;
  if (block === undefined) {
    throw jobNotFound(jobId);
  }
  return block;
}

/**
 * Everything that ever happened to a job, in order.
 *
 * @example
 * const events = await jobHistory(client, 1n);
 */
export async function jobHistory(client: GpuchainClient, jobId: bigint): Promise<GpuchainEvent[]> {
  const { jobs, escrow, court } = client.deployment.contracts;
  const fromBlock = await postingBlock(client, jobId);
  const logs = await getLogsRange(client.public, { address: [jobs, escrow, court], fromBlock });
  return logs
    .map((log) => decodeEvent(client.deployment.contracts, log))
    .filter((event): event is GpuchainEvent => event !== undefined && jobOfEvent(event) === jobId);
}
