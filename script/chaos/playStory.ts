import { sleep } from "@gpuchain/sdk/daemon";
import { localAccounts } from "../lib/anvil.ts";
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
  await arena.client.fund(localAccounts.client, TERMS.budget);
  // Nobody else posts here, so that its number is known before it is: the client may be met while it posts.
  const jobId = (await client.read.getJobCount()) + 1n;
  const watcher = new Watcher(jobId);
  arena.watcher = watcher;
  const watched = arena.posting.play(chaosJob(seed * 1000 + story.index), TERMS).then((posted) => {
    if (posted !== jobId) throw new Error(`the client says that it posted job ${posted}, not ${jobId}`);
  });
  watcher.begin();
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
      Promise.all([settled, watched, ...troubles]),
      sleep(PATIENCE_MS, late.signal).then(() => {
        throw new Error(`not settled after ${PATIENCE_MS / 1000} s`);
      }),
    ]);
    for (const party of arena.daemons.filter(({ skewed }) => skewed)) {
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
  for (const { name, daemon } of arena.daemons)
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
