import type { Journal } from "@gpuchain/sdk/daemon";
import type { Hex, TraceLeaf } from "@gpuchain/sdk/records";
import { createLateWrites } from "./lateWrites.ts";
import { MIGRATIONS } from "./migrations.ts";

/** A trace leaf as journalled; `checkpoint` marks the last one of its segment. */
export interface JournalLeaf extends TraceLeaf {
  readonly checkpoint: boolean;
}

/** A checkpoint of our own. */
export interface OwnCheckpoint {
  readonly job: bigint;
  readonly fence: bigint;
  readonly step: number;
  /** state hash of the parent */
  readonly parent: Hex;
  readonly state: Hex;
  readonly root: Hex;
  /** steps that it adds to its parent */
  readonly steps: number;
  readonly price: bigint;
  /** once it is on chain */
  readonly id?: bigint;
  /** once it is decided */
  readonly outcome?: Outcome;
}
export type Outcome = "accepted" | "refused" | "unavailable" | "void" | "orphaned";

export interface Earnings {
  /** what accepted checkpoints pay, in base units */
  readonly accepted: bigint;
  readonly acceptedSteps: number;
  /** committed and not yet decided */
  readonly pending: bigint;
  /** wei of the native coin that this node's transactions cost */
  readonly gas: bigint;
}

export type SettingName = "paused" | "registered";

/** What the node must still know after `kill -9`. */
export interface NodeJournal {
  setting(name: SettingName): string | undefined;
  set(name: SettingName, value: string): void;

  leaseAcquired(lease: { job: bigint; fence: bigint; price: bigint; since: number }): void;
  leaseEnded(job: bigint, fence: bigint, cause: string): void;
  /** leases that were not over when the journal was last written */
  openLeases(): { job: bigint; fence: bigint; price: bigint }[];

  /** adds leaves to the segment that starts from `parent`, all of them or none */
  appendLeaves(job: bigint, parent: Hex, leaves: readonly JournalLeaf[]): void;
  leaves(job: bigint, parent: Hex): JournalLeaf[];
  dropLeavesAfter(job: bigint, parent: Hex, step: number): void;
  /** state hashes named by any segment of the job */
  tracedStates(job: bigint): Set<Hex>;
  dropSegment(job: bigint, parent: Hex): void;
  segments(job: bigint): Hex[];
  /** forgets the job's segments and files; its checkpoints stay, they are the account of what was earned */
  dropJob(job: bigint): void;
  jobsWithTrace(): bigint[];

  recordCheckpoint(checkpoint: OwnCheckpoint): void;
  checkpointCommitted(checkpoint: Pick<OwnCheckpoint, "job" | "fence" | "step" | "state">, id: bigint): void;
  /** @param pay what it earns, where it was accepted */
  checkpointDecided(id: bigint, outcome: Outcome, pay?: bigint): OwnCheckpoint | undefined;
  undecided(job: bigint): OwnCheckpoint[];
  /** books what a transaction cost, once however often it is told */
  gasPaid(paid: { hash: Hex; intent: string; wei: bigint }): void;
  earnings(): Earnings;
  /** Does what ends in writing now, or after what waits for room on the disk; it may be done again from its start. */
  whenThereIsRoom(work: () => void): void;
  /** Gives up what still waits for room. */
  close(): void;
}

/**
 * Wraps an open journal; brings its tables up to date first. What is only booked waits for room where the disk is full.
 *
 * @param onFull told once each time that it has to wait
 */
export function createNodeJournal(journal: Journal, onFull?: () => void): NodeJournal {
  journal.migrate("node", MIGRATIONS);
  const late = createLateWrites(onFull);
  const text = (value: bigint) => value.toString();
  return {
    setting: (name) => journal.get<{ value: string }>("SELECT value FROM settings WHERE name = ?", name)?.value,
    set: (name, value) =>
      void journal.run(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        value,
      ),

    leaseAcquired: ({ job, fence, price, since }) =>
      late(
        () =>
          void journal.run(
            "INSERT INTO leases (job, fence, price, since) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            text(job),
            text(fence),
            text(price),
            since,
          ),
      ),
    leaseEnded: (job, fence, cause) =>
      void journal.run(
        "UPDATE leases SET cause = ? WHERE job = ? AND fence = ? AND cause IS NULL",
        cause,
        text(job),
        text(fence),
      ),
    openLeases: () =>
      journal
        .all<{ job: string; fence: string; price: string }>("SELECT job, fence, price FROM leases WHERE cause IS NULL")
        .map((row) => ({ job: BigInt(row.job), fence: BigInt(row.fence), price: BigInt(row.price) })),

    appendLeaves: (job, parent, leaves) =>
      late(() =>
        journal.transaction(() => {
          for (const leaf of leaves)
            journal.run(
              "INSERT OR REPLACE INTO trace (job, parent, step, state, batches, loss, checkpoint) VALUES (?, ?, ?, ?, ?, ?, ?)",
              text(job),
              parent,
              leaf.step,
              leaf.stateHash,
              leaf.batchDigest,
              leaf.meanLoss,
              leaf.checkpoint ? 1 : 0,
            );
        }),
      ),
    leaves: (job, parent) =>
      journal
        .all<LeafRow>("SELECT * FROM trace WHERE job = ? AND parent = ? ORDER BY step", text(job), parent)
        .map((row) => ({
          step: row.step,
          stateHash: row.state,
          batchDigest: row.batches,
          meanLoss: row.loss,
          checkpoint: row.checkpoint === 1,
        })),
    dropLeavesAfter: (job, parent, step) =>
      late(
        () => void journal.run("DELETE FROM trace WHERE job = ? AND parent = ? AND step > ?", text(job), parent, step),
      ),
    tracedStates: (job) =>
      new Set(journal.all<{ state: Hex }>("SELECT state FROM trace WHERE job = ?", text(job)).map((row) => row.state)),
    dropSegment: (job, parent) =>
      late(() => void journal.run("DELETE FROM trace WHERE job = ? AND parent = ?", text(job), parent)),
    segments: (job) =>
      journal
        .all<{ parent: Hex }>("SELECT parent FROM trace WHERE job = ? GROUP BY parent ORDER BY min(step)", text(job))
        .map((row) => row.parent),
    dropJob: (job) => void journal.run("DELETE FROM trace WHERE job = ?", text(job)),
    jobsWithTrace: () => journal.all<{ job: string }>("SELECT DISTINCT job FROM trace").map((row) => BigInt(row.job)),

    recordCheckpoint: (checkpoint) =>
      late(
        () =>
          void journal.run(
            "INSERT INTO checkpoints (job, fence, step, parent, state, root, steps, price) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            text(checkpoint.job),
            text(checkpoint.fence),
            checkpoint.step,
            checkpoint.parent,
            checkpoint.state,
            checkpoint.root,
            checkpoint.steps,
            text(checkpoint.price),
          ),
      ),
    checkpointCommitted: ({ job, fence, step, state }, id) =>
      late(
        () =>
          void journal.run(
            "UPDATE checkpoints SET id = ? WHERE job = ? AND fence = ? AND step = ? AND state = ?",
            text(id),
            text(job),
            text(fence),
            step,
            state,
          ),
      ),
    checkpointDecided: (id, outcome, pay = 0n) => {
      const changed = journal.run(
        "UPDATE checkpoints SET outcome = ?, pay = ? WHERE id = ? AND outcome IS NULL",
        outcome,
        text(pay),
        text(id),
      );
      const row = journal.get<CheckpointRow>("SELECT * FROM checkpoints WHERE id = ?", text(id));
      return changed === 0 || row === undefined ? undefined : toCheckpoint(row);
    },
    undecided: (job) =>
      journal
        .all<CheckpointRow>("SELECT * FROM checkpoints WHERE job = ? AND outcome IS NULL ORDER BY step", text(job))
        .map(toCheckpoint),
    gasPaid: ({ hash, intent, wei }) =>
      late(
        () =>
          void journal.run(
            "INSERT INTO gas (hash, intent, wei) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            hash,
            intent,
            text(wei),
          ),
      ),
    earnings: () => {
      let accepted = 0n;
      let acceptedSteps = 0;
      let pending = 0n;
      for (const row of journal.all<CheckpointRow>(
        "SELECT * FROM checkpoints WHERE outcome = 'accepted' OR (outcome IS NULL AND id IS NOT NULL)",
      )) {
        if (row.outcome === null) pending += BigInt(row.steps) * BigInt(row.price);
        else {
          accepted += BigInt(row.pay ?? 0);
          acceptedSteps += row.steps;
        }
      }
      const gas = journal.all<{ wei: string }>("SELECT wei FROM gas").reduce((sum, { wei }) => sum + BigInt(wei), 0n);
      return { accepted, acceptedSteps, pending, gas };
    },
    whenThereIsRoom: late,
    close: late.close,
  };
}

type LeafRow = {
  step: number;
  state: Hex;
  batches: Hex;
  loss: number;
  checkpoint: number;
};
type CheckpointRow = {
  job: string;
  fence: string;
  step: number;
  parent: Hex;
  state: Hex;
  root: Hex;
  steps: number;
  price: string;
  id: string | null;
  outcome: Outcome | null;
  pay: string | null;
};

const toCheckpoint = (row: CheckpointRow): OwnCheckpoint => ({
  job: BigInt(row.job),
  fence: BigInt(row.fence),
  step: row.step,
  parent: row.parent,
  state: row.state,
  root: row.root,
  steps: row.steps,
  price: BigInt(row.price),
  ...(row.id === null ? {} : { id: BigInt(row.id) }),
  ...(row.outcome === null ? {} : { outcome: row.outcome }),
});
