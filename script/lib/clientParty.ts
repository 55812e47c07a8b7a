// The client of a local run: takes test USDC, posts a job, uploads its blobs, and later withdraws.
import {
  contractAbis,
  createGpuchainClient,
  createMemoryIntentStore,
  createSender,
  type GpuchainClient,
  type Sender,
} from "@gpuchain/sdk/chain";
import { createLogger } from "@gpuchain/sdk/daemon";
import { createHttpBlobStore, openSession } from "@gpuchain/sdk/gateway";
import { encodeJobSpec, sha256Hex } from "@gpuchain/sdk/records";
import { createProgram, initialState, stateHash } from "@gpuchain/sdk/training";
import type { Abi, LocalAccount } from "viem";
import type { Workload } from "../workloads/spam.ts";
import { localAccounts } from "./anvil.ts";
import type { LocalNetwork } from "./network.ts";

/** What the demo's client may set of its job's terms; the rest follows from the spec. */
export interface RunTerms {
  /** base units */
  budget: bigint;
  maxPricePerStep: bigint;
  verifierFee: bigint;
  leaseDuration: number;
  segmentTimeout: number;
  pulseTimeoutMs: number;
  auctionRamp: number;
  verdictTimeout: number;
  disputeWindow: number;
}

/** The demo's terms. */
export const DEMO_TERMS: RunTerms = {
  budget: 5_000_000n,
  maxPricePerStep: 3_000n,
  verifierFee: 10_000n,
  leaseDuration: 30,
  segmentTimeout: 120,
  pulseTimeoutMs: 500,
  auctionRamp: 6,
  verdictTimeout: 30,
  disputeWindow: 2,
};

export interface ClientParty {
  client: GpuchainClient;
  /** Posts the job and uploads its blobs. @returns the job's id */
  post(workload: Workload, terms: RunTerms): Promise<bigint>;
  /** Sends one account's withdrawal of all that the escrow lets it have; false when there is nothing. */
  withdraw(account: LocalAccount): Promise<boolean>;
  close(): void;
}

export function createClientParty(network: LocalNetwork, signal: AbortSignal): ClientParty {
  const { deployment, chain } = network;
  const { contracts } = deployment;
  const client = createGpuchainClient({ rpc: chain.wsUrl, deployment, signal });
  const log = createLogger({ name: "client", level: "warn", destination: process.stderr });
  const senders = new Map<string, Sender>();
  const senderOf = (account: LocalAccount) => {
    const known = senders.get(account.address);
    if (known) return known;
    const sender = createSender({ client, account, intents: createMemoryIntentStore(), log, signal });
    senders.set(account.address, sender);
    return sender;
  };
  const call = (account: LocalAccount, contract: keyof typeof contractAbis, functionName: string, args: unknown[]) =>
    senderOf(account).send({
      intent: `${functionName}:${JSON.stringify(args, (_, value) => (typeof value === "bigint" ? `${value}` : value))}`,
      address: contracts[contract],
      abi: contractAbis[contract] as Abi,
      functionName,
      args,
    });

  return {
    client,
    async post(workload, terms) {
      const { spec } = workload;
      const specBytes = encodeJobSpec(spec);
      const program = createProgram(spec);
      const account = localAccounts.client;
      const templates = await client.read.listTemplates();
      const template = templates.find(({ name }) => name === spec.template);
      if (!template) throw new Error(`the deployment has no template named ${spec.template}`);
      await call(account, "usdc", "mint", [account.address, terms.budget]);
      await call(account, "usdc", "approve", [contracts.escrow, terms.budget]);
      const now = Number((await client.public.getBlock()).timestamp);
      const { budget, ...rest } = terms;
      const jobTerms = {
        ...rest,
        templateId: template.templateId,
        specHash: sha256Hex(specBytes),
        genesisHash: stateHash(program, initialState(program)),
        eligibilityRoot: `0x${"0".repeat(64)}`,
        totalSteps: spec.training.steps,
        checkpointInterval: spec.checkpoint.interval,
        deadline: now + 3600,
        gracePeriod: Math.max(600, terms.segmentTimeout),
        budget,
      };
      const { receipt } = await call(account, "jobs", "postJob", [jobTerms]);
      const jobId = await client.read.getJobCount({ blockNumber: receipt.blockNumber });
      const blobs = [specBytes, workload.train, workload.heldOut];
      const verifiers = await client.read.listVerifiers();
      await Promise.all(verifiers.map(({ endpoint }) => upload(endpoint, jobId, blobs, signal)));
      return jobId;
    },
    async withdraw(account) {
      if ((await client.read.getAccount({ account: account.address })).claimable === 0n) return false;
      await call(account, "escrow", "withdraw", [account.address]);
      return true;
    },
    close: () => client.close(),
  };
}

async function upload(endpoint: string, job: bigint, blobs: Uint8Array[], signal: AbortSignal): Promise<void> {
  const session = await openSession({ endpoint, account: localAccounts.client, signal });
  const store = createHttpBlobStore(session, { job });
  for (const bytes of blobs) await store.put(bytes, { sha256: sha256Hex(bytes), signal });
}
