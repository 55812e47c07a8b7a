import { contractAbis } from "@gpuchain/sdk/chain";
import { createHttpBlobStore, openSession, putHeldOutKey } from "@gpuchain/sdk/gateway";
import { sha256Hex } from "@gpuchain/sdk/records";
import { createProgram, encodeCheckpoint, initialState } from "@gpuchain/sdk/training";
import { zeroHash } from "viem";
import { type TestNetwork, testAccount } from "./network.ts";
import type { TestVerifier } from "./testVerifier.ts";
import type { TinyJob } from "./tinyJob.ts";

export type TermChanges = Partial<{
  auctionRamp: number;
  leaseDuration: number;
  segmentTimeout: number;
  pulseTimeoutMs: number;
  verdictTimeout: number;
  disputeWindow: number;
}>;

/** Posts a job as the client (account 7) and uploads its blobs to every verifier. */
export async function postTestJob(
  network: TestNetwork,
  verifiers: readonly TestVerifier[],
  job: TinyJob,
  changes: TermChanges = {},
): Promise<bigint> {
  const account = testAccount(7);
  const sender = network.sender(7);
  const { contracts } = network.deployment;
  const budget = 50_000_000n;
  const program = createProgram(job.spec);
  const { timestamp } = await network.test.getBlock();
  const terms = {
    templateId: 3,
    specHash: sha256Hex(job.specBytes),
    genesisHash: sha256Hex(encodeCheckpoint(program, initialState(program))),
    eligibilityRoot: zeroHash,
    totalSteps: job.spec.training.steps,
    checkpointInterval: job.spec.checkpoint.interval,
    maxPricePerStep: 3_000n,
    verifierFee: 1_000n,
    leaseDuration: 60,
    segmentTimeout: 120,
    pulseTimeoutMs: 500,
    auctionRamp: 0,
    verdictTimeout: 30,
    deadline: Number(timestamp) + 3_600,
    gracePeriod: 120,
    disputeWindow: 4,
    budget,
    ...changes,
  };
  const call = (contract: "jobs" | "usdc", functionName: string, args: readonly unknown[]) =>
    sender.send({
      intent: `${functionName}:${Math.random()}`,
      address: contracts[contract],
      abi: contractAbis[contract],
      functionName,
      args,
    });
  await Promise.all([
    call("usdc", "mint", [account.address, budget]),
    call("usdc", "approve", [contracts.escrow, budget]),
  ]);
  const { receipt } = await call("jobs", "postJob", [terms]);
  const posted = await network.until("JobPosted", (event) => event.transactionHash === receipt.transactionHash);
  const { jobId } = posted.args;
  for (const [index, verifier] of verifiers.entries()) {
    // The gateway may be a block behind the chain.
    await until(async () => {
      const session = await openSession({ endpoint: verifier.gateway.endpoint, account });
      const store = createHttpBlobStore(session, { job: jobId });
      for (const bytes of [job.specBytes, job.train, job.heldOut]) await store.put(bytes, { sha256: sha256Hex(bytes) });
      // The last verifier has to ask the others for the key, as one that was seated later would.
      if (job.heldOutKey === undefined || index === verifiers.length - 1) return;
      const { encryptionKey } = await network.client.read.getVerifier({ account: verifier.account.address });
      await putHeldOutKey(session, { jobId, key: job.heldOutKey, recipient: encryptionKey });
    });
  }
  return jobId;
}

/** Tries again, every 100 ms, what fails while the other side is a block behind. */
export async function until<T>(work: () => Promise<T>, timeoutMs = 10_000): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
