import {
  assertDeployment,
  createGpuchainClient,
  type Deployment,
  type GpuchainClient,
  parseDeployment,
} from "@gpuchain/sdk/chain";
import type { SiteConfig } from "../config/config.ts";
import { toHttp } from "./rpc.ts";

export interface ChainAccess {
  readonly client: GpuchainClient;
  readonly deployment: Deployment;
  /** the address that answered */
  readonly rpc: string;
}

/**
 * Opens `preferred`, or else the first RPC that serves the configured deployment, over HTTP: one request per question, nothing kept open.
 * @throws GpuchainError of the last one tried
 */
export async function openChain(config: SiteConfig, preferred?: string): Promise<ChainAccess> {
  const deployment = parseDeployment(JSON.stringify(config.deployment));
  let last: unknown = new Error("No RPC address is configured.");
  for (const rpc of new Set([...(preferred ? [preferred] : []), ...config.rpc.map(toHttp)])) {
    const client = createGpuchainClient({ rpc, deployment, patienceMs: 2_000 });
    try {
      await assertDeployment(client);
      return { client, deployment, rpc };
    } catch (error) {
      client.close();
      last = error;
    }
  }
  throw last;
}
