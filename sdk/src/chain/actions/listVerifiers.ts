import { type AtBlock, type ChainReader, read } from "../reader.ts";
import { fromVerifierView, type GetVerifierReturnType } from "./getVerifier.ts";

export type ListVerifiersParameters = AtBlock;
export type ListVerifiersReturnType = GetVerifierReturnType[];

/**
 * The roster in order of ids, those that left (status "None") skipped.
 *
 * @example
 * const active = (await listVerifiers(client)).filter(({ status }) => status === "Active");
 */
export async function listVerifiers(
  client: ChainReader,
  at: ListVerifiersParameters = {},
): Promise<ListVerifiersReturnType> {
  const count = await read(client, "registry", "verifierCount", [], at);
  const ids = Array.from({ length: Number(count) }, (_, id) => BigInt(id));
  const views = await Promise.all(ids.map((id) => read(client, "registry", "verifierAt", [id], at)));
  return views.map(fromVerifierView).filter((verifier) => verifier.status !== "None");
}
