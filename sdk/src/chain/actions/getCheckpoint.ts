import type { ContractFunctionReturnType } from "viem";
import { checkpointNotFound, isRevert } from "../contractErrors.ts";
import { type CheckpointStatus, checkpointStatuses, enumName, type Outcome, outcomes } from "../enums.ts";
import type { lensAbi } from "../generated/index.ts";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetCheckpointParameters extends AtBlock {
  checkpointId: bigint;
}

type View = ContractFunctionReturnType<typeof lensAbi, "view", "getCheckpoint">;

/** Who voted what; only votes that count so far. */
export type Vote = Omit<View["votes"][number], "outcome"> & { outcome: Outcome };

/** A checkpoint. `index` counts from 1 in commit order within its job. */
export type GetCheckpointReturnType = Omit<View, "status" | "votes"> & {
  index: number;
  status: CheckpointStatus;
  votes: Vote[];
};

/**
 * One checkpoint. Its state hash and trace root are in its `CheckpointCommitted` event (`getCommit`), the contract keeps
 * their digest. Throws CHECKPOINT_NOT_FOUND.
 *
 * @example
 * const { status, step, pay } = await getCheckpoint(client, { checkpointId: checkpointIdOf(1n, 1) });
 */
export async function getCheckpoint(
  client: ChainReader,
  { checkpointId, ...at }: GetCheckpointParameters,
): Promise<GetCheckpointReturnType> {
  try {
    return fromCheckpointView(await read(client, "lens", "getCheckpoint", [checkpointId], at));
  } catch (error) {
    throw isRevert(error, "UnknownCheckpoint") ? checkpointNotFound(checkpointId) : error;
  }
}

/** The contract's answer with names for its numbers and without empty votes. */
export function fromCheckpointView(view: View): GetCheckpointReturnType {
  const { status, votes, ...rest } = view;
  return {
    ...rest,
    index: Number(view.checkpointId & 0xffffffffn),
    status: enumName(checkpointStatuses, status),
    votes: votes
      .map((vote) => ({ ...vote, outcome: enumName(outcomes, vote.outcome) }))
      .filter((vote) => vote.outcome !== "None"),
  };
}
