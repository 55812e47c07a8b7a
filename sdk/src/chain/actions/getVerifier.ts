import type { Address, ContractFunctionReturnType } from "viem";
import { enumName, type VerifierStatus, verifierStatuses } from "../enums.ts";
import type { registryAbi } from "../generated/index.ts";
import { type AtBlock, type ChainReader, read } from "../reader.ts";

export interface GetVerifierParameters extends AtBlock {
  account: Address;
}

type View = ContractFunctionReturnType<typeof registryAbi, "view", "verifier">;

/** A verifier's public record; status "None": there is none. */
export type GetVerifierReturnType = Omit<View, "status"> & { status: VerifierStatus };

/**
 * One verifier.
 *
 * @example
 * const { status, endpoint } = await getVerifier(client, { account: account.address });
 */
export async function getVerifier(
  client: ChainReader,
  { account, ...at }: GetVerifierParameters,
): Promise<GetVerifierReturnType> {
  return fromVerifierView(await read(client, "registry", "verifier", [account], at));
}

/** The contract's answer with a name for its status. */
export function fromVerifierView(view: View): GetVerifierReturnType {
  return { ...view, status: enumName(verifierStatuses, view.status) };
}
