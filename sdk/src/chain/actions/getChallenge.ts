import type { ContractFunctionReturnType } from "viem";
import { type ChallengeKind, type ChallengeState, challengeKinds, challengeStates, enumName } from "../enums.ts";
import type { courtAbi } from "../generated/index.ts";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetChallengeParameters extends AtBlock {
  checkpointId: bigint;
}

type View = ContractFunctionReturnType<typeof courtAbi, "view", "challengeOf">;

/** The dispute or appeal of a checkpoint; kind "None": there was none. */
export type GetChallengeReturnType = Omit<View, "kind" | "state"> & { kind: ChallengeKind; state: ChallengeState };

/**
 * One challenge.
 *
 * @example
 * const { kind, state } = await getChallenge(client, { checkpointId: checkpointIdOf(1n, 1) });
 */
export async function getChallenge(
  client: ChainReader,
  { checkpointId, ...at }: GetChallengeParameters,
): Promise<GetChallengeReturnType> {
  const view = await read(client, "court", "challengeOf", [checkpointId], at);
  return { ...view, kind: enumName(challengeKinds, view.kind), state: enumName(challengeStates, view.state) };
}
