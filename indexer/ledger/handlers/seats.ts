import type { jobsAbi } from "../abi.ts";
import type { Entry } from "../entry.ts";
import type { Hex } from "../rows.ts";
import type { SomeHandlers } from "./handler.ts";

/** Who judges a job, and who took over whose seat. */
export const seatHandlers: SomeHandlers<
  typeof jobsAbi,
  "SeatsAnchored" | "CommitteeSeated" | "SeatReplaced" | "ReplacementAbandoned"
> = {
  SeatsAnchored(entry, { jobId }) {
    entry.jobId = jobId;
  },

  ReplacementAbandoned(entry, { jobId }) {
    entry.jobId = jobId;
  },

  async CommitteeSeated(entry, { jobId, verifiers }) {
    entry.jobId = jobId;
    for (const [seat, verifier] of verifiers.entries()) await sit(entry, jobId, seat, verifier);
    await entry.edit("job", { id: jobId }, { sitting: [...verifiers], seatSeqs: verifiers.map(() => entry.seq) });
  },

  async SeatReplaced(entry, { jobId, seat, previous, verifier }) {
    entry.jobId = jobId;
    entry.account = verifier;
    const { sitting, seatSeqs } = await entry.get("job", { id: jobId });
    const seq = seatSeqs[seat];
    if (seq === undefined) throw new Error(`seat ${seat} of job ${jobId} was never taken`);
    await entry.edit("seat", { jobId, seat, seq }, { replacedBy: verifier, leftAt: entry.now });
    await entry.edit("verifier", { address: previous }, (row) => ({ sitting: row.sitting - 1 }));
    await sit(entry, jobId, seat, verifier);
    await entry.edit(
      "job",
      { id: jobId },
      {
        sitting: sitting.map((old, index) => (index === seat ? verifier : old)),
        seatSeqs: seatSeqs.map((old, index) => (index === seat ? entry.seq : old)),
      },
    );
  },
};

/** A settled job's seat stops counting against its verifier's exit; it was left when the job was settled. */
export const seatReleases = {
  SeatReleased(entry: Entry, { jobId, verifier }: { jobId: bigint; verifier: Hex }): void {
    entry.jobId = jobId;
    entry.account = verifier;
  },
};

async function sit(entry: Entry, jobId: bigint, seat: number, verifier: Hex): Promise<void> {
  const { now: seatedAt, seq, block } = entry;
  await entry.store.insert("seat", { jobId, seat, verifier, replacedBy: null, seatedAt, leftAt: null, seq, block });
  await entry.edit("verifier", { address: verifier }, (row) => ({
    seatCount: row.seatCount + 1,
    sitting: row.sitting + 1,
  }));
}

/** A settled job needs no judges. */
export async function leaveSeats(entry: Entry, jobId: bigint): Promise<void> {
  const { sitting, seatSeqs } = await entry.get("job", { id: jobId });
  for (const [seat, verifier] of sitting.entries()) {
    const seq = seatSeqs[seat];
    if (seq !== undefined) await entry.edit("seat", { jobId, seat, seq }, { leftAt: entry.now });
    await entry.edit("verifier", { address: verifier }, (row) => ({ sitting: row.sitting - 1 }));
  }
}
