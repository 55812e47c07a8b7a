import type { Hash, Hex } from "viem";
import { GpuchainError } from "../../daemon/errors.ts";
import { decodeEvent } from "../events.ts";
import { jobsAbi } from "../generated/index.ts";
import { getLogsRange } from "../getLogsRange.ts";
import type { ChainReader } from "../reader.ts";

export interface GetCommitParameters {
  checkpointId: bigint;
}

export interface GetCommitReturnType {
  checkpointId: bigint;
  jobId: bigint;
  fence: number;
  /** 0: genesis, as in the event. */
  parentId: bigint;
  step: number;
  /** SHA-256 of the checkpoint's bytes. */
  stateHash: Hex;
  traceRoot: Hex;
  offSchedule: boolean;
  blockNumber: bigint;
  blockHash: Hash;
  transactionHash: Hash;
}

const commitEvent = jobsAbi.filter((item) => item.type === "event" && item.name === "CheckpointCommitted");

/**
 * What was committed, from the checkpoint's event. Throws COMMIT_NOT_FOUND.
 *
 * @example
 * const { stateHash, traceRoot } = await getCommit(client, { checkpointId: checkpointIdOf(1n, 1) });
 */
export async function getCommit(
  client: ChainReader,
  { checkpointId }: GetCommitParameters,
): Promise<GetCommitReturnType> {
  const logs = await getLogsRange(client.public, {
    address: [client.deployment.contracts.jobs],
    event: commitEvent[0],
    args: { checkpointId },
    fromBlock: client.deployment.startBlock,
  });
  for (const log of logs) {
    const event = decodeEvent(client.deployment.contracts, log);
    if (event?.eventName !== "CheckpointCommitted") continue;
    const { jobId, fence, parentId, step, stateHash, traceRoot, offSchedule } = event.args;
    const { blockNumber, blockHash, transactionHash } = event;
    const place = { blockNumber, blockHash, transactionHash };
    return { checkpointId, jobId, fence, parentId, step, stateHash, traceRoot, offSchedule, ...place };
  }
  throw new GpuchainError("COMMIT_NOT_FOUND", `no commit of checkpoint ${checkpointId} on this chain`, {
    hint: "check the checkpoint id and the network",
  });
}
