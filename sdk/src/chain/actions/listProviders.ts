import { type AtBlock, type ChainReader, read } from "../reader.ts";
import { type GetProviderReturnType, getProvider } from "./getProvider.ts";

export type ListProvidersParameters = AtBlock;
export type ListProvidersReturnType = GetProviderReturnType[];

/**
 * Every provider that ever registered, in order.
 *
 * @example
 * const offering = (await listProviders(client)).filter(({ accepting }) => accepting);
 */
export async function listProviders(
  client: ChainReader,
  at: ListProvidersParameters = {},
): Promise<ListProvidersReturnType> {
  const count = await read(client, "registry", "providerCount", [], at);
  const indices = Array.from({ length: Number(count) }, (_, index) => BigInt(index));
  return Promise.all(
    indices.map(async (index) => {
      const account = await read(client, "registry", "providerAt", [index], at);
      return getProvider(client, { account, ...at });
    }),
  );
}
