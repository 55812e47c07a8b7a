import { type Client, type PublicClient, publicActions } from "viem";
import type { Deployment } from "./deployment.ts";
import { createReads, type Reads } from "./reads.ts";

/** What `gpuchainActions` adds to a viem client: where the contracts are, and every read action. */
export type GpuchainActions = Reads & { readonly deployment: Deployment };

/**
 * The read actions of one deployment, for any viem client.
 *
 * @example
 * const viemClient = createPublicClient({ transport: http(rpc) }).extend(gpuchainActions(deployment));
 * const { held, owed } = await viemClient.getReserves();
 */
export function gpuchainActions(deployment: Deployment): (client: Client) => GpuchainActions {
  return (client) => ({ deployment, ...createReads({ public: asPublicClient(client), deployment }) });
}

/** A client with viem's public actions; one that has them already comes back as it is. */
export function asPublicClient(client: Client): PublicClient {
  return ("getBlock" in client ? client : client.extend(publicActions)) as PublicClient;
}
