import { type Client, createPublicClient, type PublicClient } from "viem";
import { GpuchainError } from "../daemon/errors.ts";
import type { Deployment } from "./deployment.ts";
import { asPublicClient } from "./gpuchainActions.ts";
import { createHeads, type Heads } from "./heads.ts";
import { createReads, type Reads } from "./reads.ts";
import type { ChainLog } from "./sender/types.ts";
import { createRpcTransport } from "./transport.ts";

export type GpuchainClientParameters = GpuchainClientSettings &
  (
    | { /** Address of a JSON-RPC endpoint: http, https, ws or wss. */ rpc: string; client?: undefined }
    | {
        /** A viem client of yours: its transport is used, with its own retries. */
        client: Client;
        rpc?: undefined;
      }
  );

export interface GpuchainClientSettings {
  deployment: Deployment;
  /** Milliseconds between looks at the chain where nothing is pushed. Default: 250 on a local chain, else 1,000. */
  pollingInterval?: number;
  /**
   * How long one request is tried again through outages and rate limits, milliseconds. Default 10,000; a daemon gives
   * Infinity.
   */
  patienceMs?: number;
  /** How long one try of a request may take, milliseconds. Default 10,000. */
  timeoutMs?: number;
  /** Ends everything the client has under way. */
  signal?: AbortSignal;
  log?: ChainLog;
}

/** What every chain action takes: a viem client, and where the contracts are. */
export interface GpuchainClient {
  readonly public: PublicClient;
  readonly deployment: Deployment;
  /** Read actions, bound. */
  readonly read: Reads;
  /** New blocks as they arrive, shared by the sender and the event feed. */
  readonly heads: Heads;
  /** Closes the connection. */
  close(): void;
}

const localChains = new Set([31337, 1337]);

/**
 * A client for one deployment, over an RPC address or over a viem client that you have. Nothing is asked of the chain yet: call `assertDeployment` first to fail early and clearly.
 *
 * @example
 * const client = createGpuchainClient({ rpc: "ws://127.0.0.1:8545", deployment: loadDeployment("deployments/local.json") });
 * await assertDeployment(client);
 * const job = await client.read.getJob({ jobId: 1n });
 */
export function createGpuchainClient(parameters: GpuchainClientParameters): GpuchainClient {
  const { deployment, log } = parameters;
  // What is under way when the client is closed must not be tried again for as long as an outage would be waited out.
  const closing = new AbortController();
  const signal = parameters.signal ? AbortSignal.any([parameters.signal, closing.signal]) : closing.signal;
  const pollingInterval = parameters.pollingInterval ?? (localChains.has(deployment.chainId) ? 250 : 1_000);
  const { publicClient, socket } =
    parameters.client === undefined
      ? connect(parameters.rpc, { ...parameters, signal }, pollingInterval)
      : { publicClient: asPublicClient(parameters.client), socket: undefined };
  const heads = createHeads({
    client: publicClient,
    pollingInterval,
    ...(socket && { socket }),
    signal,
    ...(log && { log }),
  });
  const base = { public: publicClient, deployment };
  return {
    ...base,
    read: createReads(base),
    heads,
    close() {
      heads.close();
      closing.abort(new GpuchainError("CLIENT_CLOSED", "the client was closed"));
      socket?.close();
    },
  };
}

function connect(rpc: string, settings: GpuchainClientSettings, pollingInterval: number) {
  const { patienceMs = 10_000, timeoutMs, signal, log } = settings;
  const { transport, socket } = createRpcTransport(rpc, {
    patienceMs,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(signal && { signal }),
    ...(log && { log }),
  });
  return { publicClient: createPublicClient({ transport, pollingInterval }) as PublicClient, socket };
}
