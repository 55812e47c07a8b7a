import { sleep } from "@gpuchain/sdk/daemon";
import { applyFault } from "./applyFault.ts";
import type { Arena } from "./arena.ts";
import { chaosJob, TERMS } from "./chaosJob.ts";
import { checkStory } from "./checkStory.ts";
import { describeFault, type Story } from "./plan.ts";
import { createRandom } from "./random.ts";
import { Watcher } from "./watcher.ts";

export interface StoryResult {
  readonly index: number;
  readonly faults: readonly string[];
  /** faults that this machine cannot make, and why */
  readonly skipped: readonly string[];
  readonly seconds: number;
  readonly leases: number;
  readonly evictions: number;
  readonly checkpoints: number;
  /** what does not hold; empty when the story ended well */
  readonly violations: readonly string[];
}

/** Longest that a story may take, faults included: every state of the protocol has a timed exit well before. */
const PATIENCE_MS = 240_000;

/** Posts a job, lets the story's faults happen to it, and looks at what came of it. */
export async function playStory(arena: Arena, seed: number, story: Story): Promise<StoryResult> {
  const began = performance.now();
  const { client } = arena.client;
  const fromBlock = await client.public.getBlockNumber({ cacheTime: 0 });
  const workload = chaosJob(seed * 1000 + story.index);
  const jobId = await arena.client.post(workload, TERMS);
  const watcher = new Watcher(jobId);
  arena.watcher = watcher;
  // The feed may have told of the posting before anybody watched.
  watcher.onEvent({ eventName: "JobPosted", args: { jobId } } as Parameters<Watcher["onEvent"]>[0]);
  const excused = new Set<string>();
  const skipped: string[] = [];
  const troubles = story.faults.map(async (fault, number) => {
    const applied = await applyFault(arena, watcher, fault, createRandom(seed, 2, story.index, number));
    for (const address of applied.excused) excused.add(address);
    if (applied.skipped !== undefined) skipped.push(`${describeFault(fault)}: ${applied.skipped}`);
  });
  const settled = watcher.until(() => watcher.settled);
  const late = new AbortController();
  const problems: string[] = [];
  try {
    await Promise.race([
      Promise.all([settled, ...troubles]),
      sleep(PATIENCE_MS, late.signal).then(() => {
        throw new Error(`not settled after ${PATIENCE_MS / 1000} s`);
      }),
    ]);
    for (const party of arena.parties.filter(({ skewed }) => skewed)) {
      await arena.kill(party);
      party.skewed = false;
      await arena.revive(party);
    }
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  } finally {
    late.abort();
    arena.watcher = undefined;
  }
  for (const { name, daemon } of arena.parties)
    if (!daemon.process.running())
      problems.push(`${name} ended by itself: ${daemon.process.tail().split("\n").at(-1)}`);
  const found = await checkStory({
    client,
    jobId,
    fromBlock,
    excused,
    watcher,
    parties: arena.parties,
    twins: story.faults.some(({ kind }) => kind === "sameKey"),
  });
  return {
    index: story.index,
    faults: story.faults.map(describeFault),
    skipped,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    leases: found.leases,
    evictions: found.evictions,
    checkpoints: found.checkpoints,
    violations: [...problems, ...found.violations],
  };
}
