import type { jobsAbi } from "../abi.ts";
import type { Entry } from "../entry.ts";
import { type Outcome, outcomes } from "../rows.ts";
import type { Row } from "../tables.ts";
import { nameOf, type SomeHandlers, splitId } from "./handler.ts";

/** Votes, one by one; the decision comes as an event of its own. */
export const verdictHandlers: SomeHandlers<typeof jobsAbi, "VerdictCast"> = {
  async VerdictCast(entry, { checkpointId, verifier, seat, outcome: code, metTarget, score, evidenceHash }) {
    const { jobId } = splitId(checkpointId);
    Object.assign(entry, { jobId, checkpointId, account: verifier });
    const outcome = nameOf(outcomes, code - 1);
    const checkpoint = await entry.get("checkpoint", { id: checkpointId });
    const latency = Math.max(0, entry.now - (checkpoint.judgeableAt ?? entry.now));
    // A third vote may come after two have decided.
    const late = checkpoint.outcome !== null;
    const agreed = late ? outcome === checkpoint.outcome && agreesOnTarget(checkpoint.metTarget, metTarget) : null;
    await entry.store.insert("vote", {
      ...{ checkpointId, verifier, jobId, seat, outcome, metTarget, score, evidenceHash, agreed, latency },
      ...{ fee: 0n, castAt: entry.now, seq: entry.seq, block: entry.block },
    });
    await entry.edit("verifier", { address: verifier }, (row) => ({
      voteCount: row.voteCount + 1,
      decided: row.decided + (late ? 1 : 0),
      disagreements: row.disagreements + (agreed === false ? 1 : 0),
      latencySum: row.latencySum + latency,
      latencyMax: Math.max(row.latencyMax, latency),
      lastVoteAt: entry.now,
    }));
    await entry.verifierToday(verifier, {
      votes: 1,
      latencySum: latency,
      disagreements: agreed === false ? 1 : 0,
    });
    await entry.edit("checkpoint", { id: checkpointId }, (row) => ({ voters: [...row.voters, verifier] }));
    if (agreed && checkpoint.status === "Accepted") {
      const { verifierFee } = await entry.get("job", { id: jobId });
      await entry.edit("checkpoint", { id: checkpointId }, (row) => ({ owedFees: row.owedFees + verifierFee }));
      await entry.edit("job", { id: jobId }, (job) => ({ owedFees: job.owedFees + verifierFee }));
    }
  },
};

/** Marks each vote on a checkpoint with whether it agreed with the decision, and sums them up. */
export async function decide(
  entry: Entry,
  checkpointId: bigint,
  outcome: Outcome,
): Promise<{ agreeing: number; score: number | null; metTarget: boolean | null }> {
  const { voters } = await entry.get("checkpoint", { id: checkpointId });
  const votes: Readonly<Row<"vote">>[] = [];
  for (const verifier of voters) votes.push(await entry.get("vote", { checkpointId, verifier }));
  const same = votes.filter((vote) => vote.outcome === outcome);
  // Two equal pairs decide, so of three votes with one outcome the target of the majority is the decision's.
  const met = same.filter((vote) => vote.metTarget).length;
  const metTarget = outcome === "Accept" ? met * 2 > same.length : null;
  const winners = new Set(same.filter((vote) => agreesOnTarget(metTarget, vote.metTarget)));
  for (const vote of votes) {
    const agreed = winners.has(vote);
    await entry.edit("vote", vote, { agreed });
    await entry.edit("verifier", { address: vote.verifier }, (row) => ({
      decided: row.decided + 1,
      disagreements: row.disagreements + (agreed ? 0 : 1),
    }));
    if (!agreed) await entry.verifierToday(vote.verifier, { disagreements: 1 });
  }
  const scores = [...winners].map((vote) => vote.score).sort((a, b) => a - b);
  return { agreeing: winners.size, score: scores[(scores.length - 1) >> 1] ?? null, metTarget };
}

function agreesOnTarget(decided: boolean | null, vote: boolean): boolean {
  return decided === null || decided === vote;
}
