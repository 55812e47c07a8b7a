import { createLogger } from "@gpuchain/sdk/daemon";
import { sha256Hex, traceRoot } from "@gpuchain/sdk/records";
import { describe, expect, it } from "vitest";
import { type CommitItem, type CommitQueueParameters, type Committed, createCommitQueue } from "./commitQueue.ts";

const hashAt = (step: number) => sha256Hex(new TextEncoder().encode(String(step)));
const segment = (parentStep: number, step: number) => ({
  parent: hashAt(parentStep),
  parentStep,
  leaves: [{ step, stateHash: hashAt(step), batchDigest: hashAt(-step), meanLoss: 1, checkpoint: true }],
});
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose uploads and commits finish when the test says so. */
function fixture(overrides: Partial<CommitQueueParameters> = {}) {
  const calls: string[] = [];
  const waiting = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const gate = (name: string) =>
    new Promise<void>((resolve, reject) => {
      calls.push(name);
      waiting.set(name, { resolve, reject });
    });
  const done: Committed[] = [];
  const failures: [string, number][] = [];
  let nextId = 100n;
  const queue = createCommitQueue({
    baseId: 7n,
    store: (item) => gate(`store ${item.step}`),
    room: async () => undefined,
    commit: async (item: CommitItem, parentId) => {
      await gate(`commit ${item.step} on ${parentId}`);
      return { id: nextId++, block: 1n };
    },
    onCommitted: (committed) => done.push(committed),
    onFailed: (error, item) => failures.push([String(error), item.step]),
    log: createLogger({ name: "test", level: "silent" }),
    ...overrides,
  });
  const finish = async (name: string, error?: Error) => {
    const call = waiting.get(name);
    if (call === undefined) throw new Error(`"${name}" was not called; called: ${calls.join(", ")}`);
    if (error) call.reject(error);
    else call.resolve();
    await nextTurn();
  };
  return { queue, calls, done, failures, finish };
}

describe("commit queue", () => {
  it("commits only what is stored, in order, each on the one before it, and uploads the next one meanwhile", async () => {
    const { queue, calls, done, finish } = fixture();
    queue.push(segment(0, 50));
    queue.push(segment(50, 100));
    await nextTurn();
    expect(calls).toEqual(["store 50"]);
    await finish("store 50");
    expect(calls).toEqual(["store 50", "store 100", "commit 50 on 7"]);
    await finish("store 100");
    expect(calls).toHaveLength(3);
    await finish("commit 50 on 7");
    expect(calls.at(-1)).toBe("commit 100 on 100");
    expect(queue.size).toBe(1);
    await finish("commit 100 on 100");
    await queue.idle();
    expect(queue.size).toBe(0);
    expect(queue.lastId).toBe(101n);
    expect(done.map(({ step, root }) => [step, root])).toEqual([
      [50, traceRoot(segment(0, 50).leaves)],
      [100, traceRoot(segment(50, 100).leaves)],
    ]);
  });

  it("stops at the first failure and tells it once", async () => {
    const { queue, calls, failures, finish } = fixture();
    queue.push(segment(0, 50));
    queue.push(segment(50, 100));
    await nextTurn();
    await finish("store 50");
    await finish("store 100");
    await finish("commit 50 on 7", new Error("stale fence"));
    await expect(queue.idle()).rejects.toThrow("stale fence");
    expect(failures).toEqual([["Error: stale fence", 50]]);
    expect(calls).not.toContain("commit 100 on 7");
    expect(queue.size).toBe(0);
  });

  it("gives up quietly what it was told to give up, but not a commit that is being mined", async () => {
    const { queue, calls, failures, done, finish } = fixture();
    queue.push(segment(0, 50));
    queue.push(segment(50, 100));
    await nextTurn();
    await finish("store 50");
    await finish("store 100");
    queue.close("the lease is over");
    await finish("commit 50 on 7");
    await expect(queue.idle()).rejects.toThrow("the lease is over");
    expect(done.map(({ step }) => step)).toEqual([50]);
    expect(calls.filter((call) => call.startsWith("commit"))).toEqual(["commit 50 on 7"]);
    expect(failures).toEqual([]);
  });
});
