import type { jobsAbi } from "../abi.ts";
import type { Entry } from "../entry.ts";
import type { CheckpointStatus, Hex } from "../rows.ts";
import { type SomeHandlers, splitId } from "./handler.ts";
import { decide } from "./verdicts.ts";

/** A checkpoint from commit to pay, refusal or oblivion. */
export const checkpointHandlers: SomeHandlers<
  typeof jobsAbi,
  | "CheckpointCommitted"
  | "CheckpointJudgeable"
  | "CheckpointAccepted"
  | "CheckpointRefused"
  | "CheckpointUnavailable"
  | "CheckpointVoided"
  | "CheckpointOrphaned"
  | "CheckpointPaid"
  | "RefusalFinal"
  | "RefusalOverturned"
> = {
  async CheckpointCommitted(entry, args) {
    const { checkpointId: id, jobId, fence, step, stateHash, traceRoot, offSchedule, judgeableAt, expiresAt } = args;
    const { provider } = await entry.get("lease", { jobId, fence });
    about(entry, id, jobId, provider, fence);
    entry.mention(provider, "provider");
    const parentId = splitId(args.parentId).low === 0 ? null : args.parentId;
    const fromStep = parentId === null ? 0 : (await entry.get("checkpoint", { id: parentId })).step;
    await entry.store.insert("checkpoint", {
      ...{ id, jobId, index: splitId(id).low, fence, provider, parentId, step, steps: step - fromStep },
      ...{ stateHash, traceRoot, offSchedule, status: "Pending", outcome: null, metTarget: null, score: null },
      ...{ pay: 0n, owedFees: 0n, paid: 0n, feesPaid: 0n, contested: false, committedAt: entry.now },
      ...{ judgeableAt: judgeableAt === 0 ? null : judgeableAt, decidedAt: null, maturesAt: null },
      ...{ appealUntil: null, paidAt: null, voters: [], seq: entry.seq, block: entry.block },
    });
    await entry.edit("lease", { jobId, fence }, (lease) => ({
      ...{ commits: lease.commits + 1, expiresAt, lastStep: step, fromStep: lease.fromStep ?? fromStep },
    }));
    await entry.edit("job", { id: jobId }, (job) => ({
      ...{ checkpointCount: job.checkpointCount + 1, pending: job.pending + 1, leaseExpiresAt: expiresAt },
    }));
    await entry.edit("provider", { address: provider }, (row) => ({
      ...{ checkpointCount: row.checkpointCount + 1, lastActiveAt: entry.now },
    }));
    entry.total({ checkpoints: 1 });
    entry.today({ checkpoints: 1 });
  },

  async CheckpointJudgeable(entry, { checkpointId, judgeableAt }) {
    about(entry, checkpointId, splitId(checkpointId).jobId);
    await entry.edit("checkpoint", { id: checkpointId }, { judgeableAt });
  },

  async CheckpointAccepted(entry, { checkpointId: id, jobId, provider, step, pay }) {
    about(entry, id, jobId, provider);
    const { verifierFee, disputeWindow, contestedFrom } = await entry.get("job", { id: jobId });
    const { steps, fence } = await entry.get("checkpoint", { id });
    const { agreeing, score, metTarget } = await decide(entry, id, "Accept");
    const owedFees = BigInt(agreeing) * verifierFee;
    await entry.edit(
      "checkpoint",
      { id },
      {
        ...{ status: "Accepted", outcome: "Accept", metTarget, score, pay, owedFees, decidedAt: entry.now },
        ...{ maturesAt: entry.now + disputeWindow, contested: contestedFrom !== null },
      },
    );
    await entry.edit("job", { id: jobId }, (job) => ({
      ...{ headId: id, headStep: step, lastScore: score, pending: job.pending - 1 },
      ...{ owedPay: job.owedPay + pay, owedFees: job.owedFees + owedFees },
    }));
    await entry.edit("lease", { jobId, fence }, (lease) => ({ stepsAccepted: lease.stepsAccepted + steps }));
    await entry.edit("provider", { address: provider }, (row) => ({
      ...{ stepsAccepted: row.stepsAccepted + steps, owed: row.owed + pay },
    }));
    await entry.providerToday(provider, { stepsAccepted: steps });
    entry.total({ stepsAccepted: steps });
    entry.today({ stepsAccepted: steps });
  },

  async CheckpointRefused(entry, { checkpointId: id, jobId, provider, appealUntil }) {
    about(entry, id, jobId, provider);
    const { steps, fence } = await entry.get("checkpoint", { id });
    const { score } = await decide(entry, id, "Refuse");
    await entry.edit(
      "checkpoint",
      { id },
      {
        ...{ status: "Refused", outcome: "Refuse", score, decidedAt: entry.now, appealUntil },
      },
    );
    await entry.edit("job", { id: jobId }, (job) => ({ pending: job.pending - 1, refusals: job.refusals + 1 }));
    await entry.edit("lease", { jobId, fence }, (lease) => ({ stepsRefused: lease.stepsRefused + steps }));
    await entry.edit("provider", { address: provider }, (row) => ({
      ...{ stepsRefused: row.stepsRefused + steps, refusals: row.refusals + 1 },
    }));
    const standing = { barred: true, coolingUntil: 2 ** 31 - 1 };
    await entry.put("standing", { jobId, provider, ...standing, block: entry.block }, standing);
    await entry.providerToday(provider, { stepsRefused: steps });
    entry.total({ refusals: 1 });
    entry.today({ stepsRefused: steps });
  },

  async CheckpointUnavailable(entry, { checkpointId: id, jobId, provider }) {
    about(entry, id, jobId, provider);
    await decide(entry, id, "Unavailable");
    await entry.edit(
      "checkpoint",
      { id },
      {
        ...{ status: "Unavailable", outcome: "Unavailable", decidedAt: entry.now },
      },
    );
    await entry.edit("job", { id: jobId }, (job) => ({ pending: job.pending - 1 }));
    await entry.edit("provider", { address: provider }, (row) => ({ unavailable: row.unavailable + 1 }));
  },

  async CheckpointVoided(entry, { checkpointId }) {
    await drop(entry, checkpointId, "Void");
  },

  async CheckpointOrphaned(entry, { checkpointId }) {
    await drop(entry, checkpointId, "Orphaned");
  },

  async CheckpointPaid(entry, { checkpointId: id, payout, pay, fee, voters }) {
    const checkpoint = await entry.get("checkpoint", { id });
    const { jobId, provider, steps, fence } = checkpoint;
    about(entry, id, jobId, provider);
    entry.mention(provider, "provider");
    const paidVoters = voters.filter((voter) => BigInt(voter) !== 0n);
    const feesPaid = fee * BigInt(paidVoters.length);
    await entry.edit(
      "checkpoint",
      { id },
      {
        ...{ status: "Paid", paid: pay, feesPaid, owedFees: 0n, paidAt: entry.now },
      },
    );
    await entry.edit("job", { id: jobId }, (job) => ({
      ...{ owedPay: job.owedPay - checkpoint.pay, owedFees: job.owedFees - checkpoint.owedFees },
    }));
    await entry.edit("lease", { jobId, fence }, (lease) => ({ paid: lease.paid + pay }));
    await entry.edit("provider", { address: provider }, (row) => ({
      ...{ stepsPaid: row.stepsPaid + steps, earned: row.earned + pay, owed: row.owed - checkpoint.pay },
    }));
    await entry.providerToday(provider, { earned: pay });
    const common = { seq: entry.seq, jobId, checkpointId: id, timestamp: entry.now, block: entry.block };
    await entry.store.insert("payout", {
      ...{ ...common, line: 0, kind: "ProviderPay", account: payout, party: provider, amount: pay },
    });
    for (const [index, voter] of paidVoters.entries()) {
      await entry.store.insert("payout", {
        ...{ ...common, line: index + 1, kind: "VerifierFee", account: voter, party: voter, amount: fee },
      });
      await entry.edit("vote", { checkpointId: id, verifier: voter }, { fee });
      await entry.edit("verifier", { address: voter }, (row) => ({ earned: row.earned + fee }));
      await entry.verifierToday(voter, { earned: fee });
    }
  },

  async RefusalFinal(entry, { checkpointId, jobId }) {
    about(entry, checkpointId, jobId);
    await entry.edit("checkpoint", { id: checkpointId }, { status: "Final" });
  },

  async RefusalOverturned(entry, { checkpointId: id, jobId }) {
    const { provider, steps, fence } = await entry.get("checkpoint", { id });
    about(entry, id, jobId, provider);
    await entry.edit("checkpoint", { id }, { status: "Overturned" });
    if (!(await isRefusedElsewhere(entry, id, jobId, provider)))
      await entry.edit("standing", { jobId, provider }, { barred: false, coolingUntil: 0 });
    await entry.edit("lease", { jobId, fence }, (lease) => ({ stepsRefused: lease.stepsRefused - steps }));
    await entry.edit("provider", { address: provider }, (row) => ({
      ...{ stepsRefused: row.stepsRefused - steps, refusals: row.refusals - 1 },
    }));
  },
};

/** Another refusal of this provider on this job stands: it keeps the bar. */
async function isRefusedElsewhere(entry: Entry, id: bigint, jobId: bigint, provider: Hex): Promise<boolean> {
  const { checkpointCount } = await entry.get("job", { id: jobId });
  for (let index = 1; index <= checkpointCount; index++) {
    const other = await entry.get("checkpoint", { id: (jobId << 32n) | BigInt(index) });
    if (other.id !== id && other.provider === provider && ["Refused", "Appealed", "Final"].includes(other.status))
      return true;
  }
  return false;
}

function about(entry: Entry, id: bigint, jobId: bigint, provider?: Hex, fence?: number): void {
  entry.checkpointId = id;
  entry.jobId = jobId;
  if (provider) entry.account = provider;
  if (fence !== undefined) entry.fence = fence;
}

/** A pending checkpoint that can no longer be accepted: unpaid, and nobody's fault. */
async function drop(entry: Entry, id: bigint, status: CheckpointStatus): Promise<void> {
  const { jobId, provider } = await entry.get("checkpoint", { id });
  about(entry, id, jobId, provider);
  entry.mention(provider, "provider");
  await entry.edit("checkpoint", { id }, { status, decidedAt: entry.now });
  await entry.edit("job", { id: jobId }, (job) => ({ pending: job.pending - 1 }));
}
