// Lives of jobs on the real contracts, many at once, a block for each turn: plain ones, hand-overs by eviction, refused junk,
// cancelled and disputed ones. Every call is a real transaction, every verdict really signed.
import {
  contentDigestOf,
  courtAbi,
  escrowAbi,
  type Outcome,
  outcomes,
  type SignedVerdict,
  signEviction,
  signVerdict,
} from "@gpuchain/sdk/chain";
import { type Abi, type Hex, type LocalAccount, numberToHex } from "viem";
import type { Call, LoadNetwork } from "./loadNetwork.ts";

/** How a job goes. */
export type Life = "plain" | "evicted" | "refused" | "cancelled" | "disputed";

const STEPS = 400;
const INTERVAL = 50;
const FEE = 1_000n;
const CHECKPOINTS = STEPS / INTERVAL;
/** Seconds that let dispute and appeal windows run out. */
const WINDOWS = 6;

interface LoadJob {
  id: bigint;
  life: Life;
  client: LocalAccount;
  provider: LocalAccount;
  second: LocalAccount;
  fence: number;
  /** index of the newest checkpoint, and its step */
  index: number;
  parent: number;
  step: number;
  refused: bigint[];
}

/**
 * Runs jobs to their end, together.
 * @param lives one per job
 * @param firstId id of the first job that will be posted
 */
export async function runJobs(network: LoadNetwork, lives: readonly Life[], firstId: bigint): Promise<void> {
  const { clients, providers, queue, block, jobs: call } = network;
  const list = lives.map((life, index): LoadJob => {
    const pick = <T>(from: readonly T[], offset = 0): T => from[(index + offset) % from.length] as T;
    const people = { client: pick(clients), provider: pick(providers), second: pick(providers, 1) };
    return { id: firstId + BigInt(index), life, ...people, fence: 1, index: 0, parent: 0, step: 0, refused: [] };
  });
  const from = (account: LocalAccount, ...calls: Omit<Call, "from">[]) =>
    queue(calls.map((one) => ({ ...one, from: account.address })));

  for (const job of list) from(job.client, call("postJob", terms(network, job.id)));
  await block();
  for (const job of list) from(job.provider, call("acquireLease", job.id, []));
  await block();
  for (const job of list) {
    from(job.provider, call("seatCommittee", job.id));
    if (job.life === "plain") await commitAndJudge(network, job, CHECKPOINTS);
    else await commitAndJudge(network, job, 2);
  }
  await block();

  for (const job of list) {
    if (job.life === "evicted") {
      const attestedAt = BigInt(network.nextTime()) * 1000n;
      const evictions = await Promise.all(
        network.verifiers
          .slice(0, 2)
          .map((verifier) =>
            signEviction(network.deployment, verifier, { jobId: job.id, fence: job.fence, attestedAt }),
          ),
      );
      from(job.second, call("evictLease", job.id, job.fence, evictions));
    } else if (job.life === "refused") {
      await commitAndJudge(network, job, 1, "Refuse");
    } else if (job.life === "cancelled") {
      from(job.client, call("cancel", job.id));
    } else if (job.life === "disputed") {
      const reason = numberToHex(job.id, { size: 32 });
      const { court } = network.deployment.contracts;
      const checkpointId = (job.id << 32n) | 2n;
      from(job.client, { to: court, abi: courtAbi as Abi, functionName: "dispute", args: [checkpointId, reason] });
    }
  }
  await block();

  for (const job of list) {
    if (job.life === "evicted" || job.life === "refused") {
      job.fence = 2;
      from(job.second, call("acquireLease", job.id, []));
      job.provider = job.second;
      await commitAndJudge(network, job, CHECKPOINTS - 2);
    } else if (job.life === "cancelled") {
      from(job.provider, call("releaseLease", job.id, job.fence));
      from(job.provider, call("close", job.id));
    } else if (job.life === "disputed") {
      const { court } = network.deployment.contracts;
      const id = (job.id << 32n) | 2n;
      from(network.arbiter, { to: court, abi: courtAbi as Abi, functionName: "cut", args: [id, id] });
    }
  }
  await block();

  for (const job of list) {
    for (const id of job.refused) from(job.provider, call("settleRefusal", id));
    from(job.provider, call("payOut", job.id, 50n));
    const leases = job.life === "refused" ? [2] : job.life === "evicted" ? [1, 2] : [1];
    for (const fence of leases) from(job.provider, call("releaseBond", job.id, fence));
  }
  await block(WINDOWS);
}

/** Everybody who can takes what is theirs. */
export async function withdrawAll({ deployment, client, clients, providers, verifiers, queue, block }: LoadNetwork) {
  const escrow = deployment.contracts.escrow;
  for (const { address } of [...clients, ...providers, ...verifiers]) {
    const call = { address: escrow, abi: escrowAbi, functionName: "balanceOf", args: [address] } as const;
    const { claimable } = await client.readContract(call);
    if (claimable === 0n) continue;
    queue([{ to: escrow, abi: escrowAbi as Abi, functionName: "withdraw", from: address, args: [address] }]);
  }
  await block();
}

function terms(network: LoadNetwork, id: bigint) {
  const hash = numberToHex(id, { size: 32 });
  const pay = BigInt(STEPS) * 2_000n;
  return {
    ...{ templateId: 0, specHash: hash, genesisHash: hash, eligibilityRoot: numberToHex(0, { size: 32 }) },
    ...{ totalSteps: STEPS, checkpointInterval: INTERVAL, maxPricePerStep: 2_000n, verifierFee: FEE },
    ...{ leaseDuration: 3_600, segmentTimeout: 7_200, pulseTimeoutMs: 500, auctionRamp: 0, verdictTimeout: 3_600 },
    ...{ deadline: network.nextTime() + 86_400, gracePeriod: 7_200, disputeWindow: 4 },
    budget: pay + (pay * 800n) / 10_000n + BigInt(CHECKPOINTS) * 3n * FEE + 500_000n,
  };
}

/** Commits the next checkpoints of a job and casts two votes on each, all in the next block. */
async function commitAndJudge(
  network: LoadNetwork,
  job: LoadJob,
  count: number,
  outcome: Outcome = "Accept",
): Promise<void> {
  const { deployment, verifiers, queue, jobs: call } = network;
  const { address } = job.provider;
  const judged: { id: bigint; digest: Hex; last: boolean }[] = [];
  for (let i = 0; i < count; i++) {
    const parentId = job.parent === 0 ? 0n : (job.id << 32n) | BigInt(job.parent);
    job.index += 1;
    const id = (job.id << 32n) | BigInt(job.index);
    const step = job.step + INTERVAL;
    const [stateHash, traceRoot] = [numberToHex(id, { size: 32 }), numberToHex(id + 1n, { size: 32 })];
    queue([
      { ...call("commitCheckpoint", job.id, job.fence, parentId, step, stateHash, traceRoot, false), from: address },
    ]);
    judged.push({ id, digest: contentDigestOf(stateHash, traceRoot), last: step === STEPS });
    if (outcome === "Accept") [job.parent, job.step] = [job.index, step];
    else job.refused.push(id);
  }
  for (const { id, digest, last } of judged) {
    const verdict = {
      jobId: job.id,
      fence: job.fence,
      checkpointId: id,
      contentDigest: digest,
      outcome,
      score: 950_000,
    };
    const signed: SignedVerdict[] = [];
    for (const verifier of verifiers.slice(0, outcome === "Accept" ? 3 : 2)) {
      const evidenceHash = numberToHex(id + 2n, { size: 32 });
      signed.push(await signVerdict(deployment, verifier, { ...verdict, metTarget: last, evidenceHash }));
    }
    const votes = signed.map((vote) => ({ ...vote, outcome: outcomes.indexOf(vote.outcome) }));
    queue([{ ...call("castVerdicts", id, votes), from: address }]);
  }
}
