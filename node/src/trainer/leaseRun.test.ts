import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, GpuchainError, openJournal } from "@gpuchain/sdk/daemon";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CheckpointView, JobView } from "../chain/jobView.ts";
import { createNodeJournal, type NodeJournal } from "../journal/nodeJournal.ts";
import { type FakeCompute, fakeCompute, fakeHash, fakeState } from "../testing/fakeCompute.ts";
import { checkpointView, type JobViewPart, jobView } from "../testing/jobView.ts";
import type { CommitItem } from "./commitQueue.ts";
import { type LeaseRun, startLeaseRun } from "./leaseRun.ts";
import { openStateFiles, type StateFiles } from "./stateFiles.ts";

const ID = 1n << 32n;
const FENCE = 3n;
const PRICE = 2000n;

let folder: string;
let journal: NodeJournal;
let files: StateFiles;
let closeJournal: () => void;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpuchain-run-"));
  const file = openJournal(join(folder, "journal.db"));
  closeJournal = file.close;
  journal = createNodeJournal(file);
  files = await openStateFiles(join(folder, "states"));
});
afterEach(() => {
  closeJournal();
  rmSync(folder, { recursive: true, force: true });
});

/** A chain of one job as the run sees it: commits are mined at once and wait for verdicts. */
async function scene(
  options: { base?: CheckpointView; line?: string; view?: JobViewPart; commitError?: () => Error | undefined } = {},
) {
  const genesis = checkpointView({ id: ID, stateHash: fakeHash(0, options.line) });
  const base = options.base ?? genesis;
  await files.write(base.stateHash, fakeState(base.step, options.line));
  let view: JobView = jobView({
    head: genesis,
    tail: base,
    pending: base.index === 0 ? [] : [base.id],
    ...options.view,
    terms: { totalSteps: 200, checkpointInterval: 10, genesisHash: genesis.stateHash, ...options.view?.terms },
    lease: { fence: FENCE, live: true, expiresAt: 1000, ...options.view?.lease },
  });
  const processes: FakeCompute[] = [fakeCompute(options.line)];
  const commits: (CommitItem & { parentId: bigint })[] = [];
  const lost: string[] = [];
  const distrusted: string[] = [];
  let released = 0;
  let block = 100n;
  let chosen = base;
  const latest = () => processes.at(-1) as FakeCompute;
  const run: LeaseRun = startLeaseRun({
    job: 1n,
    fence: FENCE,
    price: PRICE,
    view: () => view,
    now: () => 0,
    traceInterval: 5,
    compute: async () => {
      if (!latest().compute.alive) processes.push(fakeCompute(options.line));
      return latest().compute;
    },
    chooseBase: async () => chosen,
    files,
    journal,
    store: async () => undefined,
    commit: async (item, parentId) => {
      const error = options.commitError?.();
      if (error) throw error;
      commits.push({ ...item, parentId });
      const id = ID + BigInt(commits.length + 10);
      const own = checkpointView({
        id,
        index: commits.length + 10,
        fence: FENCE,
        step: item.step,
        stateHash: item.state,
      });
      view = {
        ...view,
        block,
        pending: [...view.pending, id],
        tail: own,
        lease: { ...view.lease, live: !item.release },
      };
      return { id, block: block++ };
    },
    release: async () => {
      released++;
    },
    onStep: () => undefined,
    distrust: ({ stateHash }) => {
      distrusted.push(stateHash);
      chosen = view.head;
    },
    onLost: (reason, how) => lost.push(how === undefined ? reason : `${how}: ${reason}`),
    log: createLogger({ name: "test", level: "silent" }),
  });
  return {
    run,
    commits,
    lost,
    distrusted,
    fail: (error: Error) => latest().fail(error),
    runs: () => processes.flatMap((process) => process.runs),
    advance: (n: number) => latest().advance(n),
    die: () => latest().die(),
    released: () => released,
    /** lets everything that can happen by itself happen */
    settle: async () => {
      for (let i = 0; i < 60; i++) await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    },
    setView: (change: Partial<JobView>, newBase?: CheckpointView) => {
      view = { ...view, block: block++, ...change };
      if (newBase) chosen = newBase;
      run.onView();
    },
  };
}

/** Runs until the n-th training run has begun. */
async function begun(s: Awaited<ReturnType<typeof scene>>, n: number) {
  await expect.poll(() => s.runs().length, { timeout: 10_000 }).toBe(n);
}

describe("a lease run", () => {
  it("commits each checkpoint on the one before it while training goes on, up to the last step", async () => {
    const s = await scene({ view: { terms: { totalSteps: 35 } } });
    await begun(s, 1);
    s.advance(35);
    await expect.poll(() => s.commits.length).toBe(4);
    expect(s.commits.map(({ step, parentId, release }) => [step, parentId, release])).toEqual([
      [10, 0n, false],
      [20, ID + 11n, false],
      [30, ID + 12n, false],
      [35, ID + 13n, false],
    ]);
    expect(s.commits[0]?.leaves.map(({ step }) => step)).toEqual([5, 10]);
    expect(s.run.phase).toBe("committing");
    expect(journal.earnings().pending).toBe(35n * PRICE);
  });

  it("holds training while eight checkpoints wait, and goes on when one is decided", async () => {
    const s = await scene();
    await begun(s, 1);
    s.advance(200);
    await expect.poll(() => s.commits.length).toBe(8);
    await s.settle();
    expect(s.run.step).toBe(80);
    expect(s.run.phase).toBe("committing");
    const [first, ...rest] = s.commits.map((_, i) => ID + BigInt(i + 11));
    s.setView({ head: checkpointView({ id: first as bigint, index: 11, fence: FENCE, step: 10 }), pending: rest });
    s.advance(200);
    await expect.poll(() => s.commits.length).toBe(9);
    expect(s.run.step).toBe(90);
  });

  it("goes on from the head by itself when the checkpoint it built on is refused", async () => {
    const theirs = checkpointView({ id: ID + 5n, index: 5, fence: 2n, step: 20, stateHash: fakeHash(20) });
    const s = await scene({ base: theirs });
    await begun(s, 1);
    expect(s.runs()[0]?.from).toBe(20);
    s.advance(14);
    await expect.poll(() => s.commits.length).toBe(1);
    expect(s.commits[0]?.parentId).toBe(theirs.id);
    const genesis = checkpointView({ id: ID, stateHash: fakeHash(0) });
    s.setView({ head: genesis, tail: genesis, pending: [] }, genesis);
    await begun(s, 2);
    expect(s.runs()[0]?.over).toBe(true);
    expect(s.runs()[1]?.from).toBe(0);
    s.advance(10);
    await expect.poll(() => s.commits.length).toBe(2);
    expect(s.commits[1]).toMatchObject({ step: 10, parentId: 0n });
    expect(s.lost).toEqual([]);
  });

  it("does not mistake its own accepted work, or an old reading, for a refusal", async () => {
    const s = await scene();
    await begun(s, 1);
    s.advance(10);
    await expect.poll(() => s.commits.length).toBe(1);
    const genesis = checkpointView({ id: ID, stateHash: fakeHash(0) });
    s.setView({ block: 1n, head: genesis, tail: genesis, pending: [] });
    const own = checkpointView({ id: ID + 11n, index: 11, fence: FENCE, step: 10 });
    s.setView({ head: own, tail: own, pending: [] });
    await s.settle();
    expect(s.runs()).toHaveLength(1);
  });

  it("goes on from the last trace point when the training process dies", async () => {
    const s = await scene();
    await begun(s, 1);
    s.advance(18);
    s.die();
    await begun(s, 2);
    expect(s.runs()[1]?.from).toBe(15);
    s.advance(5);
    await expect.poll(() => s.commits.length).toBe(2);
    expect(s.commits[1]?.leaves.map(({ step }) => step)).toEqual([15, 20]);
  });

  it.each([0, 3])(
    "hands the lease back when training fails again and again, %i steps after the last trace point",
    async (steps) => {
      const s = await scene();
      for (let i = 1; i <= 4; i++) {
        await begun(s, i);
        s.advance(steps);
        s.die();
      }
      await expect.poll(() => s.lost.length, { timeout: 10_000 }).toBe(1);
      expect(s.lost[0]).toMatch(/^rest: .*4 times/);
    },
  );

  it("does not give up a job whose process dies now and then, but gets on", async () => {
    const s = await scene();
    for (let i = 1; i <= 6; i++) {
      await begun(s, i);
      s.advance(5);
      s.die();
    }
    await begun(s, 7);
    expect(s.lost).toEqual([]);
  });

  it("leaves a job for good whose numbers overflow, and goes on from the head where another's tip is to blame", async () => {
    const overflow = new GpuchainError("NOT_FINITE", "The loss of step 3 is NaN.");
    const tip = checkpointView({ id: ID + 1n, index: 1, fence: FENCE - 1n, step: 10, stateHash: fakeHash(10) });
    const s = await scene({ base: tip });
    await begun(s, 1);
    expect(s.runs()[0]?.from).toBe(10);
    s.fail(overflow);
    await begun(s, 2);
    expect(s.distrusted).toEqual([tip.stateHash]);
    expect(s.runs()[1]?.from).toBe(0);
    s.fail(overflow);
    await expect.poll(() => s.lost).toEqual([expect.stringMatching(/^leave: its training does not stay finite/)]);
  });

  it.each(["StaleFence", "LeaseExpired"])("gives up its lease on %s and commits nothing more", async (errorName) => {
    const s = await scene({ commitError: () => new GpuchainError("REVERTED", errorName, { data: { errorName } }) });
    await begun(s, 1);
    s.advance(10);
    await expect.poll(() => s.lost).toEqual([errorName]);
    await s.run.end("the lease is over");
    expect(s.runs()[0]?.over).toBe(true);
    expect(s.run.phase).toBe("ended");
  });

  it("starts again from what stands when the chain says that the parent is gone", async () => {
    const errors = [new GpuchainError("REVERTED", "WrongParent", { data: { errorName: "WrongParent" } })];
    const s = await scene({ commitError: () => errors.shift() });
    await begun(s, 1);
    s.advance(12);
    await begun(s, 2);
    // Its own finished segment still fits on the base: it is committed again, and training goes on where it was.
    await expect.poll(() => s.commits.map(({ step }) => step)).toEqual([10]);
    expect(s.runs()[1]?.from).toBe(10);
  });

  describe("drain", () => {
    it("commits what pays its own round and ends the lease with it", async () => {
      const s = await scene({ view: { terms: { totalSteps: 400, checkpointInterval: 50 } } });
      await begun(s, 1);
      s.advance(73);
      await s.run.drain(10_000);
      expect(s.commits.map(({ step, release }) => [step, release])).toEqual([
        [50, false],
        [73, true],
      ]);
      expect(s.commits.at(-1)?.leaves.at(-1)?.step).toBe(73);
      expect(s.released()).toBe(0);
    });

    it("trains on to the first step that pays when nothing was committed yet", async () => {
      const s = await scene({ view: { terms: { totalSteps: 400, checkpointInterval: 50 } } });
      await begun(s, 1);
      s.advance(4);
      const drained = s.run.drain(10_000);
      await s.settle();
      expect(s.commits).toEqual([]);
      // 30,000 for the round at 2,000 a step.
      s.advance(11);
      await drained;
      expect(s.commits.map(({ step, release }) => [step, release])).toEqual([[15, true]]);
      expect(s.released()).toBe(0);
    });

    it("releases without a commit when what is left does not pay", async () => {
      const s = await scene({ view: { terms: { totalSteps: 400, checkpointInterval: 50 } } });
      await begun(s, 1);
      s.advance(54);
      await expect.poll(() => s.commits.length).toBe(1);
      await s.run.drain(10_000);
      expect(s.commits.map(({ step }) => step)).toEqual([50]);
      expect(s.released()).toBe(1);
    });

    it("gives up in time when no step pays", async () => {
      const s = await scene({ view: { terms: { totalSteps: 400, checkpointInterval: 50 } } });
      await begun(s, 1);
      s.advance(3);
      await s.run.drain(50);
      expect(s.commits).toEqual([]);
      expect(s.released()).toBe(1);
    });
  });

  it("finds after a restart what an earlier process trained and did not commit", async () => {
    const errors = Array.from({ length: 99 }, () => new GpuchainError("INTENT_EXPIRED", "the lease lapsed"));
    const first = await scene({ commitError: () => errors.shift() });
    await begun(first, 1);
    first.advance(27);
    await expect.poll(() => first.lost.length).toBe(1);
    await first.run.end("killed");
    expect(first.commits).toEqual([]);

    const second = await scene();
    await begun(second, 1);
    expect(second.runs()[0]?.from).toBe(25);
    await expect.poll(() => second.commits.map(({ step }) => step)).toEqual([10, 20]);
  });
});
