// A real chain with the real contracts and a run on it, acted out call by call: a dead provider, junk, exact pay.
import { contentDigestOf, type Deployment, escrowAbi, jobsAbi, signEviction, signVerdict } from "@gpuchain/sdk/chain";
import type { Hex, LocalAccount } from "viem";
import { startTestChain, type TestChain, testAccount } from "../../../sdk/src/chain/testing/anvil.ts";
import { addProvider, addVerifier, call, fund } from "../../../sdk/src/chain/testing/parties.ts";
import { deployProtocol } from "../../../sdk/src/chain/testing/protocol.ts";

export const STEPS = 200;
export const INTERVAL = 50;
const FEE = 10_000n;

/** What the provider of junk says of itself: markup, marks that hide or turn letters, a word without end, JSON that is none. */
const HOSTILE = {
  name: `<img src=x onerror=alert(1)>\u202e\u200b${"W".repeat(20)}`,
  metadata: '{"device": [1, {"gpu"',
};

export interface Scene {
  readonly chain: TestChain;
  readonly deployment: Deployment;
  readonly client: LocalAccount;
  readonly providers: Readonly<Record<"A" | "P" | "B", LocalAccount>>;
  readonly verifiers: readonly LocalAccount[];
  /** plays the run up to the named moment, from wherever it stands */
  play(until: Act): Promise<void>;
  /** takes out all that the escrow owes one party */
  withdraw(account: LocalAccount): Promise<void>;
  stop(): Promise<void>;
}

export const ACTS = ["posted", "training", "killed", "refused", "accepted", "settled"] as const;
export type Act = (typeof ACTS)[number];

/** Starts a chain and everybody on it; nothing is posted yet. */
export async function startScene(): Promise<Scene> {
  const chain = await startTestChain();
  const deployment = await deployProtocol(chain);
  const client = testAccount(1);
  const providers = { A: testAccount(2), P: testAccount(3), B: testAccount(4) };
  const verifiers = [testAccount(5), testAccount(6), testAccount(7)];
  for (const [i, verifier] of verifiers.entries())
    await addVerifier(chain, deployment, verifier, `http://127.0.0.1:${9000 + i}`);
  await addProvider(chain, deployment, providers.A, 1_000n);
  await addProvider(chain, deployment, providers.P, 2_000n, HOSTILE);
  await addProvider(chain, deployment, providers.B, 3_000n);
  await fund(chain, deployment, client, 10_000_000n);
  const run = createRun(chain, deployment, client, providers, verifiers);
  let at = -1;
  let played = Promise.resolve();
  return {
    chain,
    deployment,
    client,
    providers,
    verifiers,
    play(until) {
      // One after the other, also for tests that ask at the same time.
      played = played.then(async () => {
        const to = ACTS.indexOf(until);
        while (at < to) await run[ACTS[++at] as Act]();
      });
      return played;
    },
    async withdraw(account) {
      const escrow = { address: deployment.contracts.escrow, abi: escrowAbi };
      await call(chain, account, [{ ...escrow, functionName: "withdraw", args: [account.address] }]);
    },
    stop: () => chain.stop(),
  };
}

function createRun(
  chain: TestChain,
  deployment: Deployment,
  client: LocalAccount,
  providers: Scene["providers"],
  verifiers: readonly LocalAccount[],
): Record<Act, () => Promise<void>> {
  const jobs = { address: deployment.contracts.jobs, abi: jobsAbi };
  const does = (account: LocalAccount, functionName: string, ...args: unknown[]) =>
    call(chain, account, [{ ...jobs, functionName, args }]);
  const bytes = (n: number): Hex => `0x${n.toString(16).padStart(64, "a")}`;
  let fence = 0;
  let index = 0;
  let head = 0;

  const later = async (seconds: number) => {
    await chain.test.increaseTime({ seconds });
    await chain.test.mine({ blocks: 1 });
  };
  const lease = async (provider: LocalAccount) => {
    await does(provider, "acquireLease", 1n, []);
    fence++;
  };
  const commit = async (provider: LocalAccount, step: number, parent: number) => {
    index++;
    const parentId = parent === 0 ? 0n : (1n << 32n) | BigInt(parent);
    await does(provider, "commitCheckpoint", 1n, fence, parentId, step, bytes(index), bytes(1000 + index), false);
  };
  const judge = async (outcome: "Accept" | "Refuse", metTarget = false) => {
    const checkpointId = (1n << 32n) | BigInt(index);
    const votes = await Promise.all(
      verifiers.map((verifier, i) =>
        signVerdict(deployment, verifier, {
          jobId: 1n,
          fence,
          checkpointId,
          contentDigest: contentDigestOf(bytes(index), bytes(1000 + index)),
          outcome,
          metTarget,
          score: outcome === "Accept" ? 960_000 : 510_000,
          evidenceHash: bytes(5000 + index * 3 + i),
        }),
      ),
    );
    const code = outcome === "Accept" ? 1 : 2;
    await does(
      client,
      "castVerdicts",
      checkpointId,
      votes.map(({ outcome: _, ...vote }) => ({ ...vote, outcome: code })),
    );
    if (outcome === "Accept") head = index;
  };

  return {
    async posted() {
      const now = Number((await chain.test.getBlock()).timestamp);
      await does(client, "postJob", {
        templateId: 0,
        specHash: bytes(1),
        genesisHash: bytes(2),
        eligibilityRoot: `0x${"0".repeat(64)}`,
        totalSteps: STEPS,
        checkpointInterval: INTERVAL,
        maxPricePerStep: 3_000n,
        verifierFee: FEE,
        leaseDuration: 3_600,
        segmentTimeout: 7_200,
        pulseTimeoutMs: 500,
        auctionRamp: 0,
        verdictTimeout: 3_600,
        deadline: now + 86_400,
        gracePeriod: 7_200,
        disputeWindow: 2,
        budget: 5_000_000n,
      });
    },
    async training() {
      await lease(providers.A);
      await later(1);
      await does(client, "seatCommittee", 1n);
      await later(4);
      await commit(providers.A, INTERVAL, 0);
      await later(2);
      await judge("Accept");
      await later(3);
    },
    async killed() {
      const attestedAt = BigInt((await chain.test.getBlock()).timestamp) * 1000n;
      const signed = await Promise.all(
        verifiers.slice(0, 2).map((verifier) => signEviction(deployment, verifier, { jobId: 1n, fence, attestedAt })),
      );
      await does(
        client,
        "evictLease",
        1n,
        fence,
        signed.map(({ attestedAt: at, r, vs }) => ({ attestedAt: at, r, vs })),
      );
      await later(2);
      await lease(providers.P);
      await later(2);
    },
    async refused() {
      await commit(providers.P, 2 * INTERVAL, head);
      await later(2);
      await judge("Refuse");
      await later(2);
      await lease(providers.B);
    },
    async accepted() {
      for (let step = 2 * INTERVAL; step <= STEPS; step += INTERVAL) {
        await later(4);
        await commit(providers.B, step, head);
        await later(2);
        await judge("Accept", step === STEPS);
      }
    },
    async settled() {
      await later(6);
      await does(client, "payOut", 1n, 50n);
      await does(client, "settleRefusal", (1n << 32n) | 2n);
    },
  };
}
