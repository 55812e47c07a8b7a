import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "@gpuchain/sdk/daemon";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createNodeJournal } from "./nodeJournal.ts";

const hash = (digit: string) => `0x${digit.repeat(64)}` as const;
const leaf = (step: number, digit: string, checkpoint = false) => ({
  step,
  stateHash: hash(digit),
  batchDigest: hash("e"),
  meanLoss: 1 / step,
  checkpoint,
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpuchain-journal-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Opens the journal anew, as a restarted node does. */
function reopen<T>(work: (journal: ReturnType<typeof createNodeJournal>) => T): T {
  const file = openJournal(join(folder, "journal.db"));
  try {
    return work(createNodeJournal(file));
  } finally {
    file.close();
  }
}

describe("node journal", () => {
  it("finds after a restart what was trained but not yet committed", () => {
    reopen((journal) => {
      journal.appendLeaves(7n, hash("a"), [leaf(5, "1"), leaf(10, "2", true)]);
      journal.appendLeaves(7n, hash("2"), [leaf(15, "3")]);
    });
    reopen((journal) => {
      expect(journal.leaves(7n, hash("a"))).toEqual([leaf(5, "1"), leaf(10, "2", true)]);
      expect(journal.segments(7n)).toEqual([hash("a"), hash("2")]);
      expect(journal.tracedStates(7n)).toEqual(new Set([hash("1"), hash("2"), hash("3")]));
      journal.dropLeavesAfter(7n, hash("a"), 5);
      expect(journal.leaves(7n, hash("a")).map(({ step }) => step)).toEqual([5]);
      journal.dropJob(7n);
      expect(journal.jobsWithTrace()).toEqual([]);
    });
  });

  it("counts a checkpoint's pay once, whatever happens to it and however often it is told", () => {
    const own = (step: number, digit: string) => ({
      job: 7n,
      fence: 2n,
      step,
      parent: hash("a"),
      state: hash(digit),
      root: hash("f"),
      steps: 50,
      price: 2000n,
    });
    reopen((journal) => {
      for (const checkpoint of [own(50, "1"), own(100, "2")]) {
        journal.recordCheckpoint(checkpoint);
        journal.recordCheckpoint(checkpoint);
      }
      journal.checkpointCommitted(own(50, "1"), 1n);
      expect(journal.earnings()).toEqual({ accepted: 0n, acceptedSteps: 0, pending: 100_000n, gas: 0n });
      journal.checkpointCommitted(own(100, "2"), 2n);
      expect(journal.checkpointDecided(1n, "accepted", 70_000n)?.step).toBe(50);
    });
    reopen((journal) => {
      expect(journal.checkpointDecided(1n, "void")).toBeUndefined();
      journal.checkpointDecided(2n, "refused");
      // What the chain pays counts, also where an off-schedule release left its own round of fees behind.
      expect(journal.earnings()).toEqual({ accepted: 70_000n, acceptedSteps: 50, pending: 0n, gas: 0n });
      expect(journal.undecided(7n)).toEqual([]);
    });
  });

  it("keeps leases open until their end is known", () => {
    reopen((journal) => {
      journal.leaseAcquired({ job: 7n, fence: 3n, price: 2000n, since: 1 });
      journal.leaseAcquired({ job: 8n, fence: 1n, price: 2000n, since: 1 });
      journal.leaseEnded(8n, 1n, "Released");
      journal.set("paused", "1");
    });
    reopen((journal) => {
      expect(journal.openLeases()).toEqual([{ job: 7n, fence: 3n, price: 2000n }]);
      expect(journal.setting("paused")).toBe("1");
    });
  });

  it("waits for room where the disk is full, loses nothing and keeps the order", async () => {
    const file = openJournal(join(folder, "journal.db"));
    let full = 0;
    const journal = createNodeJournal(file, () => full++);
    const own = {
      job: 7n,
      fence: 2n,
      step: 50,
      parent: hash("a"),
      state: hash("2"),
      root: hash("f"),
      steps: 50,
      price: 2n,
    };
    // SQLite's own bound on the file: the next page that it needs is one too many.
    const pages = file.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
    file.get(`PRAGMA max_page_count = ${pages}`);
    const many = Array.from({ length: 200 }, (_, i) => ({ ...leaf(i + 1, "1"), stateHash: hash((i % 10).toString()) }));
    journal.appendLeaves(7n, hash("a"), many);
    const told: string[] = [];
    journal.recordCheckpoint(own);
    journal.checkpointCommitted(own, 9n);
    journal.whenThereIsRoom(() => {
      told.push(journal.checkpointDecided(9n, "accepted", 100n)?.outcome ?? "unknown");
    });
    expect(journal.leaves(7n, hash("a"))).toEqual([]);
    expect(told).toEqual([]);
    expect(full).toBe(1);

    file.get("PRAGMA max_page_count = 1000000");
    await vi.waitFor(() => expect(told).toEqual(["accepted"]));
    expect(journal.leaves(7n, hash("a"))).toHaveLength(200);
    expect(journal.earnings()).toMatchObject({ accepted: 100n, acceptedSteps: 50 });
    journal.close();
    file.close();
  });
});
