import { isTracePoint, type TraceSchedule } from "@gpuchain/sdk/compute";
import type { Hex } from "@gpuchain/sdk/records";
import type { JournalLeaf, NodeJournal } from "../journal/nodeJournal.ts";
import type { StateFiles } from "./stateFiles.ts";

/** Training between two checkpoints: where it starts, and its trace points so far. */
export interface Segment {
  readonly parent: Hex;
  readonly parentStep: number;
  readonly leaves: readonly JournalLeaf[];
}

/** What an earlier process, or an earlier lease, left behind of work on top of a base. */
export interface Recovered {
  /** finished segments in order, each on top of the one before it, not yet committed as far as the base tells */
  readonly finished: readonly Segment[];
  /** the segment to go on with; without leaves where nothing of it is left */
  readonly current: Segment;
  /** state to go on from: a file of ours, or the base itself */
  readonly resume: { readonly state: Hex; readonly step: number };
}

/**
 * Follows the journal's segments from `base` as far as their states are still on disk with the right bytes. Leaves beyond that are
 * dropped, and those from the first on that is no trace point of the schedule: those steps are run again.
 */
export async function recoverSegments(
  journal: NodeJournal,
  files: StateFiles,
  job: bigint,
  base: { readonly hash: Hex; readonly step: number },
  schedule: TraceSchedule,
): Promise<Recovered> {
  const finished: Segment[] = [];
  let parent = base.hash;
  let parentStep = base.step;
  for (;;) {
    const found = journal.leaves(job, parent).filter((leaf) => leaf.step > parentStep);
    // A drain makes the step where it stops a trace point. Another lease's trace must not have it: judges know which steps it has.
    const odd = found.findIndex(({ step }) => !isTracePoint(schedule, step));
    const leaves = odd < 0 ? found : found.slice(0, odd);
    const last = leaves.at(-1);
    if (last?.checkpoint && last.stateHash !== parent && (await files.verify(last.stateHash))) {
      finished.push({ parent, parentStep, leaves });
      parent = last.stateHash;
      parentStep = last.step;
      continue;
    }
    // A checkpoint's own mark goes with its file: it is set again when that step is reached again.
    const usable = await newestOnDisk(files, last?.checkpoint ? leaves.slice(0, -1) : leaves);
    const kept = leaves.slice(0, usable + 1);
    const resumeAt = kept.at(-1);
    journal.dropLeavesAfter(job, parent, resumeAt?.step ?? parentStep);
    return {
      finished,
      current: { parent, parentStep, leaves: kept },
      resume: resumeAt ? { state: resumeAt.stateHash, step: resumeAt.step } : { state: parent, step: parentStep },
    };
  }
}

async function newestOnDisk(files: StateFiles, leaves: readonly JournalLeaf[]): Promise<number> {
  for (let i = leaves.length - 1; i >= 0; i--) {
    const leaf = leaves[i];
    if (leaf && (await files.verify(leaf.stateHash))) return i;
  }
  return -1;
}
