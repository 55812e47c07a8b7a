import { assertDeployment } from "./assertDeployment.ts";
import { createGpuchainClient, type GpuchainClientParameters } from "./client.ts";

/** A start may fail early; what runs already waits outages out. */
const FIRST_CONTACT_MS = 5_000;

/**
 * First contact of a program with its network, before anything is made or signed: the RPC answers, it is the right chain, the contracts
 * are there and of this version.
 *
 * Errors: RPC_UNREACHABLE (after five seconds, where a running client would wait), and those of `assertDeployment`.
 */
export async function assertDeploymentAt(parameters: GpuchainClientParameters): Promise<void> {
  const client = createGpuchainClient({ patienceMs: FIRST_CONTACT_MS, ...parameters });
  try {
    await assertDeployment(client);
  } finally {
    client.close();
  }
}
