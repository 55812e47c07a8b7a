// The client of a local run, through the SDK's client room: takes test USDC, posts a job with its blobs, and later withdraws.
import { createGpuchainClient, createMemoryIntentStore, createSender, type GpuchainClient } from "@gpuchain/sdk/chain";
import { type ClientContext, faucet, type JobTermsInput, postJob, withdraw } from "@gpuchain/sdk/client";
import { createLogger } from "@gpuchain/sdk/daemon";
import type { JobSpec } from "@gpuchain/sdk/records";
import type { LocalAccount } from "viem";
import { localAccounts } from "./anvil.ts";
import type { LocalNetwork } from "./network.ts";

/** A job ready to be posted: its spec and the blobs that the spec names by hash. */
export interface Workload {
  readonly spec: JobSpec;
  readonly train: Uint8Array;
  readonly heldOut: Uint8Array;
}

export type RunTerms = JobTermsInput & { budget: bigint };

/** The demo's terms. */
export const DEMO_TERMS = {
  budget: 5_000_000n,
  maxPricePerStep: 3_000n,
  verifierFee: 10_000n,
  leaseDuration: 30,
  segmentTimeout: 120,
  gracePeriod: 600,
  pulseTimeoutMs: 500,
  auctionRamp: 6,
  verdictTimeout: 30,
  disputeWindow: 2,
  deadlineSeconds: 3_600,
} as const satisfies RunTerms;

export interface ClientParty {
  client: GpuchainClient;
  /** Posts the job and uploads its blobs. @returns the job's id */
  post(workload: Workload, terms: RunTerms): Promise<bigint>;
  /** Gives an account test USDC, by a hand that is not its own. */
  fund(to: LocalAccount, amount: bigint): Promise<void>;
  /** Sends one account's withdrawal of all that the escrow lets it have; false when there is nothing. */
  withdraw(account: LocalAccount): Promise<boolean>;
  close(): void;
}

export function createClientParty(network: LocalNetwork, signal: AbortSignal): ClientParty {
  const client = createGpuchainClient({ rpc: network.chain.wsUrl, deployment: network.deployment, signal });
  const log = createLogger({ name: "client", level: "warn", destination: process.stderr });
  const contexts = new Map<string, ClientContext>();
  const contextOf = (account: LocalAccount): ClientContext => {
    const known = contexts.get(account.address);
    if (known) return known;
    const sender = createSender({ client, account, intents: createMemoryIntentStore(), log, signal });
    const context = { client, account, sender, log, signal };
    contexts.set(account.address, context);
    return context;
  };
  return {
    client,
    async post(workload, terms) {
      const context = contextOf(localAccounts.client);
      await faucet(context, { amount: terms.budget });
      const { spec, train, heldOut } = workload;
      const { jobId } = await postJob(context, { spec, blobs: [train, heldOut], terms });
      return jobId;
    },
    async fund({ address: to }, amount) {
      await faucet(contextOf(localAccounts.guest), { amount, to });
    },
    withdraw: async (account) => (await withdraw(contextOf(account))).amount > 0n,
    close: () => client.close(),
  };
}
