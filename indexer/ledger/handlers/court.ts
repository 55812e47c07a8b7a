import type { courtAbi, jobsAbi } from "../abi.ts";
import type { Entry } from "../entry.ts";
import { challengeKinds, challengeStates } from "../rows.ts";
import type { Row } from "../tables.ts";
import { type Handlers, nameOf, type SomeHandlers, splitId } from "./handler.ts";

/** Disputes and appeals as the court tells them. */
export const courtHandlers: Handlers<typeof courtAbi> = {
  async ChallengeOpened(entry, { checkpointId, jobId, opener, kind, bond, reasonHash, arbiterUntil }) {
    Object.assign(entry, { jobId, checkpointId, account: opener });
    const row: Row<"challenge"> = {
      ...{ checkpointId, jobId, kind: nameOf(challengeKinds, kind - 1), state: "Open", opener, bond, reasonHash },
      ...{ openedAt: entry.now, arbiterUntil, closedAt: null, cutFrom: null, seq: entry.seq, block: entry.block },
    };
    await entry.put("challenge", row, row);
    if (row.kind === "Appeal") await entry.edit("checkpoint", { id: checkpointId }, { status: "Appealed" });
  },

  async ChallengeClosed(entry, { checkpointId, jobId, state, cutFrom }) {
    Object.assign(entry, { jobId, checkpointId });
    await entry.edit(
      "challenge",
      { checkpointId },
      {
        ...{ state: nameOf(challengeStates, state - 1), closedAt: entry.now, cutFrom: cutFrom === 0n ? null : cutFrom },
      },
    );
  },
};

/** What a dispute does to the accepted chain. */
export const chainHandlers: SomeHandlers<typeof jobsAbi, "ChainContested" | "ChainUpheld" | "ChainCut"> = {
  async ChainContested(entry, { jobId, fromId, drainUntil }) {
    Object.assign(entry, { jobId, checkpointId: fromId });
    await entry.edit("job", { id: jobId }, { contestedFrom: fromId, draining: true, drainUntil });
    for (const { id } of await acceptedFrom(entry, jobId, fromId)) {
      await entry.edit("checkpoint", { id }, { contested: true });
    }
  },

  async ChainUpheld(entry, { jobId, fromId, throughId, newDeadline }) {
    Object.assign(entry, { jobId, checkpointId: fromId });
    const { disputeWindow } = await entry.get("job", { id: jobId });
    await entry.edit("job", { id: jobId }, (job) => ({
      ...{ contestedFrom: null, draining: job.cancelled, drainUntil: job.cancelled ? job.drainUntil : null },
      ...{ deadline: newDeadline, openSince: job.holder === null ? entry.now : job.openSince },
    }));
    for (const { id } of await acceptedFrom(entry, jobId, fromId)) {
      // What was accepted under the dispute nobody could contest until now: its window begins.
      const maturesAt = entry.now + (id > throughId ? disputeWindow : 0);
      await entry.edit("checkpoint", { id }, { contested: false, maturesAt });
    }
  },

  async ChainCut(entry, { jobId, fromId, headId }) {
    Object.assign(entry, { jobId, checkpointId: fromId });
    const { contestedFrom } = await entry.get("job", { id: jobId });
    for (const { id, provider, pay, owedFees } of await acceptedFrom(entry, jobId, contestedFrom ?? fromId)) {
      if (id < fromId) {
        // Contested, but spared: mature at once.
        await entry.edit("checkpoint", { id }, { contested: false, maturesAt: entry.now });
        continue;
      }
      await entry.edit("checkpoint", { id }, { status: "Cut", contested: false, owedFees: 0n });
      await entry.edit("provider", { address: provider }, (row) => ({ owed: row.owed - pay }));
      await entry.edit("job", { id: jobId }, (job) => ({
        ...{ owedPay: job.owedPay - pay, owedFees: job.owedFees - owedFees },
      }));
    }
    const head = splitId(headId).low === 0 ? undefined : await entry.get("checkpoint", { id: headId });
    await entry.edit(
      "job",
      { id: jobId },
      {
        ...{ contestedFrom: null, headId: head?.id ?? null, headStep: head?.step ?? 0, lastScore: head?.score ?? null },
      },
    );
  },
};

/** A job's accepted, unpaid checkpoints from `fromId` on, in order. */
async function acceptedFrom(entry: Entry, jobId: bigint, fromId: bigint): Promise<Readonly<Row<"checkpoint">>[]> {
  const { checkpointCount: count } = await entry.get("job", { id: jobId });
  const found: Readonly<Row<"checkpoint">>[] = [];
  for (let index = splitId(fromId).low; index <= count; index++) {
    const checkpoint = await entry.get("checkpoint", { id: (jobId << 32n) | BigInt(index) });
    if (checkpoint.status === "Accepted") found.push(checkpoint);
  }
  return found;
}
