import { type Hex, keccak256, type LocalAccount, numberToHex, parseEther, toHex, zeroHash } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { JobTerms } from "../actions/getJob.ts";
import type { GpuchainClient } from "../client.ts";
import { createMemoryIntentStore } from "../sender/intents.ts";
import { createSender } from "../sender/sender.ts";
import { contentDigestOf, evidenceHashOf, signVerdict } from "../signVerdict.ts";
import { eventArgs, write } from "../write.ts";
import type { TestChain } from "./anvil.ts";
import { addProvider, addVerifier, fund } from "./parties.ts";
import { recordingLog } from "./recordingLog.ts";

const newAccount = () => privateKeyToAccount(generatePrivateKey());

export type Scenario = Awaited<ReturnType<typeof createScenario>>;

/** A client, a provider and three verifiers with fresh keys on a deployed protocol, and what they do, by real transactions. */
export async function createScenario(
  chain: TestChain,
  client: GpuchainClient,
  signal: AbortSignal,
  endpoints: readonly string[] = [],
  owner: LocalAccount = newAccount(),
) {
  const { deployment } = client;
  const provider = newAccount();
  const verifiers = [newAccount(), newAccount(), newAccount()];
  await fund(chain, deployment, owner, 100_000_000n);
  await addProvider(chain, deployment, provider, 1_000n);
  for (const [index, verifier] of verifiers.entries()) {
    await addVerifier(chain, deployment, verifier, endpoints[index] ?? `http://127.0.0.1:${index + 1}`);
  }
  const log = recordingLog();
  const senderOf = (account: LocalAccount) =>
    createSender({ client, account, intents: createMemoryIntentStore(), log, signal });
  const senders = { owner: senderOf(owner), provider: senderOf(provider), anyone: senderOf(newAccount()) };
  await chain.test.setBalance({ address: senders.anyone.address, value: parseEther("1") });
  let calls = 0;
  const intent = () => `call:${calls++}`;
  const hashOf = (text: string): Hex => keccak256(toHex(text));
  /** What was committed: state hash and trace root by checkpoint. */
  const contents = new Map<bigint, readonly [Hex, Hex]>();

  return {
    owner,
    provider,
    verifiers,
    senders,
    log,
    hashOf,
    async post(changed: Partial<JobTerms> = {}) {
      const { timestamp } = await chain.test.getBlock();
      const terms: JobTerms = {
        ...{ templateId: 0, specHash: hashOf("spec"), genesisHash: hashOf("genesis"), eligibilityRoot: zeroHash },
        ...{ totalSteps: 20, checkpointInterval: 10, maxPricePerStep: 3_000n, verifierFee: 10_000n },
        ...{ leaseDuration: 600, segmentTimeout: 3_600, pulseTimeoutMs: 500, auctionRamp: 0, verdictTimeout: 600 },
        ...{ deadline: Number(timestamp) + 86_400, gracePeriod: 3_600, disputeWindow: 60, budget: 5_000_000n },
        ...changed,
      };
      const { events } = await write(senders.owner, deployment, "jobs", "postJob", [terms], { intent: intent() });
      return { jobId: eventArgs(events, "JobPosted").jobId, terms };
    },
    async acquire(jobId: bigint) {
      const { events } = await write(senders.provider, deployment, "jobs", "acquireLease", [jobId, []], {
        intent: intent(),
      });
      return eventArgs(events, "LeaseAcquired").fence;
    },
    async seat(jobId: bigint) {
      await chain.test.mine({ blocks: 1 });
      await write(senders.anyone, deployment, "jobs", "seatCommittee", [jobId], { intent: intent() });
    },
    async commit(jobId: bigint, fence: number, step: number, parentId = 0n, stateHash = hashOf(`state ${step}`)) {
      const traceRoot = hashOf(`trace ${step}`);
      const args = [jobId, fence, parentId, step, stateHash, traceRoot, false] as const;
      const { events } = await write(senders.provider, deployment, "jobs", "commitCheckpoint", args, {
        intent: intent(),
      });
      const committed = eventArgs(events, "CheckpointCommitted");
      contents.set(committed.checkpointId, [stateHash, traceRoot]);
      return committed;
    },
    async release(jobId: bigint, fence: number) {
      await write(senders.provider, deployment, "jobs", "releaseLease", [jobId, fence], { intent: intent() });
    },
    async cancel(jobId: bigint) {
      await write(senders.owner, deployment, "jobs", "cancel", [jobId], { intent: intent() });
    },
    async close(jobId: bigint) {
      await write(senders.anyone, deployment, "jobs", "close", [jobId], { intent: intent() });
    },
    async judge(checkpointId: bigint, outcome: "Accept" | "Refuse", metTarget: boolean, judges = 2) {
      const checkpoint = await client.read.getCheckpoint({ checkpointId });
      const { jobId, fence } = checkpoint;
      const [stateHash, traceRoot] = contents.get(checkpointId) ?? [zeroHash, zeroHash];
      const seats = (await client.read.getSeats({ jobId })).seats.map(({ verifier }) => verifier);
      const signed = await Promise.all(
        verifiers
          .filter(({ address }) => seats.includes(address))
          .slice(0, judges)
          .map(async (judge) => {
            const contentDigest = contentDigestOf(stateHash, traceRoot);
            const evidenceHash = evidenceHashOf(zeroHash, judge.address, checkpointId);
            const verdict = {
              jobId,
              fence,
              checkpointId,
              contentDigest,
              outcome,
              metTarget,
              score: 950_000,
              evidenceHash,
            };
            return signVerdict(deployment, judge, verdict);
          }),
      );
      const outcomeNumber = outcome === "Accept" ? 1 : 2;
      const args = [checkpointId, signed.map((one) => ({ ...one, outcome: outcomeNumber }))] as const;
      await write(senders.anyone, deployment, "jobs", "castVerdicts", args, { intent: intent() });
      return signed;
    },
    async payOut(jobId: bigint) {
      await write(senders.anyone, deployment, "jobs", "payOut", [jobId, 50n], { intent: intent() });
    },
    async pass(seconds: number) {
      await chain.test.increaseTime({ seconds });
      await chain.test.mine({ blocks: 1 });
    },
    word: (value: number) => numberToHex(value, { size: 32 }),
  };
}
