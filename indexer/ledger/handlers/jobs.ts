import type { jobsAbi } from "../abi.ts";
import type { Tables } from "../tables.ts";
import type { SomeHandlers } from "./handler.ts";
import { leaveSeats } from "./seats.ts";

/** A job from posting to settlement. Its money is the escrow's to tell. */
export const jobHandlers: SomeHandlers<
  typeof jobsAbi,
  "JobPosted" | "JobCancelled" | "JobClosing" | "JobCompleted" | "JobSettled"
> = {
  async JobPosted(entry, { jobId, client, templateId, configId, arbiter, treasury, terms }) {
    entry.jobId = jobId;
    entry.account = client;
    const row: Tables["job"] = {
      ...{ id: jobId, client, status: "Open", cancelled: false, draining: false, drainUntil: null, metTarget: null },
      ...{ configId, arbiter, treasury, ...terms, templateId, locked: terms.budget, providerPay: 0n, verifierFees: 0n },
      ...{ cancelFees: 0n, protocolFee: 0n, refund: 0n, owedPay: 0n, owedFees: 0n, headId: null, headStep: 0 },
      ...{ lastScore: null, checkpointCount: 0, pending: 0, refusals: 0, contestedFrom: null, fence: 0, holder: null },
      ...{ leaseExpiresAt: 0, openSince: entry.now, handOvers: 0, sitting: [], seatSeqs: [], postedAt: entry.now },
      ...{ closingAt: null, judgedUntil: null, completedAt: null, settledAt: null },
      ...{ postedSeq: entry.seq, block: entry.block },
    };
    await entry.store.insert("job", row);
    await entry.edit("template", { id: templateId }, (template) => ({ jobs: template.jobs + 1 }));
    entry.total({ jobs: 1, openJobs: 1 });
    entry.today({ jobsPosted: 1 });
  },

  async JobCancelled(entry, { jobId, drainUntil }) {
    entry.jobId = jobId;
    await entry.edit("job", { id: jobId }, { cancelled: true, draining: true, drainUntil });
  },

  async JobClosing(entry, { jobId, judgedUntil }) {
    entry.jobId = jobId;
    const { status } = await entry.get("job", { id: jobId });
    if (status === "Open") entry.total({ openJobs: -1 });
    // Only the arbiter's cut takes a completed job back.
    if (status === "Completed") entry.total({ completedJobs: -1 });
    await entry.edit("job", { id: jobId }, { status: "Closing", closingAt: entry.now, judgedUntil });
  },

  async JobCompleted(entry, { jobId, checkpointId, metTarget }) {
    entry.jobId = jobId;
    entry.checkpointId = checkpointId;
    const { status } = await entry.get("job", { id: jobId });
    entry.total({ openJobs: status === "Open" ? -1 : 0, completedJobs: 1 });
    await entry.edit("job", { id: jobId }, { status: "Completed", completedAt: entry.now, metTarget });
  },

  async JobSettled(entry, { jobId }) {
    entry.jobId = jobId;
    await entry.edit("job", { id: jobId }, { status: "Settled", settledAt: entry.now });
    await leaveSeats(entry, jobId);
    entry.total({ settledJobs: 1 });
    entry.today({ jobsSettled: 1 });
  },
};
