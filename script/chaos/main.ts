// `npm run chaos -- --stories 60 --seed N`: seeded stories of everything that can go wrong, in real processes on a local network. What is
// done is kept in a file, so that an interrupted run goes on; `--story K` plays one story again, alone.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createShutdown, exitWith, parseInteger } from "@gpuchain/sdk/daemon";
import { Command } from "commander";
import { root } from "../lib/root.ts";
import { type Arena, startArena } from "./arena.ts";
import { liquidate } from "./liquidate.ts";
import { describeFault, storyOf } from "./plan.ts";
import { playStory, type StoryResult } from "./playStory.ts";

interface Options {
  stories: number;
  seed: number;
  story?: number;
  folder: string;
  fresh?: boolean;
  json?: string;
  keepLogs?: boolean;
  verifiers: number;
}

/** What is kept between runs. */
interface State {
  readonly seed: number;
  stories: StoryResult[];
  /** of each arena's end */
  endings: { readonly after: number; readonly violations: readonly string[] }[];
}

const command = new Command("chaos")
  .description(
    "Plays seeded stories of faults against a local network and checks that nothing is lost, doubled or stuck.",
  )
  .option("--stories <n>", "how many stories", parseInteger({ min: 1, max: 10_000 }), 60)
  .option("--seed <n>", "which stories", parseInteger({ min: 0, max: 2 ** 31 }), 1)
  .option("--story <k>", "only this one, on a network of its own", parseInteger({ min: 0, max: 10_000 }))
  .option(
    "--folder <dir>",
    "where progress and the logs of failed stories are kept",
    path.join(root, ".gpuchain/chaos"),
  )
  .option("--fresh", "forget what an earlier run of this seed has done")
  .option("--verifiers <n>", "how many sit or may replace a seat", parseInteger({ min: 3, max: 16 }), 4)
  .option("--keep-logs", "keep the logs of stories that end well, too")
  .option("--json <file>", "write the results as JSON");

/** An arena is closed after this many stories, and its money counted to the last unit. */
const STORIES_PER_ARENA = 12;

async function main(): Promise<void> {
  const shutdown = createShutdown();
  let arena: Arena | undefined;
  try {
    command.parse();
    const options = command.opts<Options>();
    const { signal } = shutdown;
    mkdirSync(options.folder, { recursive: true });
    const file = path.join(options.folder, `seed-${options.seed}.json`);
    const state =
      options.story === undefined && !options.fresh ? readState(file, options.seed) : emptyState(options.seed);
    const wanted =
      options.story === undefined ? Array.from({ length: options.stories }, (_, index) => index) : [options.story];
    const done = new Set(state.stories.map(({ index }) => index));
    const left = wanted.filter((index) => !done.has(index));
    if (left.length < wanted.length) console.log(`${wanted.length - left.length} stories are done already (${file})`);
    let played = 0;
    let trusted = true;
    const finish = async (ended: Arena) => {
      const violations = await liquidate(ended, trusted);
      state.endings.push({ after: played, violations });
      console.log(
        violations.length === 0
          ? "  everybody took out all they had; the escrow is empty"
          : `  FAILED at the end: ${violations.join("; ")}`,
      );
      if (violations.length > 0)
        keepLogs(ended, path.join(options.folder, `seed-${options.seed}-end-${state.endings.length}`));
      await ended.close();
      arena = undefined;
    };
    for (const index of left) {
      signal.throwIfAborted();
      const story = storyOf(options.seed, index);
      if (arena === undefined) {
        arena = await startArena({ signal, verifiers: options.verifiers });
        trusted = true;
        played = 0;
        for (const lack of Object.values(arena.lacking)) console.log(`SKIPPED where it is needed: ${lack}`);
      }
      console.log(`story ${index}: ${story.faults.map(describeFault).join(", ")}`);
      const result = await playStory(arena, options.seed, story);
      trusted &&= story.faults.every(({ kind }) => kind !== "oldJournal" && kind !== "sameKey" && kind !== "reorg");
      played++;
      state.stories.push(result);
      if (options.story === undefined) writeFileSync(file, `${JSON.stringify(state, null, 2)}\n`);
      console.log(
        `  ${result.violations.length === 0 ? "ok" : `FAILED: ${result.violations.join("; ")}`} (${result.seconds} s)`,
      );
      if (result.violations.length === 0 && options.keepLogs)
        keepLogs(arena, path.join(options.folder, `seed-${options.seed}-story-${index}`));
      if (result.violations.length > 0) {
        const where = path.join(options.folder, `seed-${options.seed}-story-${index}`);
        keepLogs(arena, where);
        console.log(`  logs: ${where}\n  again: npm run chaos -- --seed ${options.seed} --story ${index}`);
        await arena.close();
        arena = undefined;
      } else if (played >= STORIES_PER_ARENA) await finish(arena);
    }
    if (arena !== undefined) await finish(arena);
    if (options.story === undefined) writeFileSync(file, `${JSON.stringify(state, null, 2)}\n`);
    report(state);
    if (options.json) writeFileSync(options.json, `${JSON.stringify(state, null, 2)}\n`);
    process.exitCode = [...state.stories, ...state.endings].some(({ violations }) => violations.length > 0) ? 1 : 0;
  } catch (error) {
    exitWith(shutdown.signal.aborted ? shutdown.signal.reason : error);
  } finally {
    await arena?.close();
    await shutdown.close();
  }
}

const emptyState = (seed: number): State => ({ seed, stories: [], endings: [] });

/** Stories that failed are played again. */
function readState(file: string, seed: number): State {
  try {
    const state = JSON.parse(readFileSync(file, "utf8")) as State;
    return { seed, stories: state.stories.filter(({ violations }) => violations.length === 0), endings: [] };
  } catch {
    return emptyState(seed); // Nothing was kept yet.
  }
}

/** Copies what the daemons wrote, before the arena's folder goes. */
function keepLogs(arena: Arena, where: string): void {
  mkdirSync(where, { recursive: true });
  const { directory } = arena.network.group;
  for (const name of readdirSync(directory))
    if (name.endsWith(".log")) cpSync(path.join(directory, name), path.join(where, name));
}

function report({ stories, endings }: State): void {
  console.log(
    `\n${"story".padEnd(6)} ${"leases".padStart(6)} ${"evicted".padStart(7)} ${"accepted".padStart(8)} ${"seconds".padStart(7)}  result  faults`,
  );
  for (const one of stories.toSorted((a, b) => a.index - b.index)) {
    const cells = [one.leases, one.evictions, one.checkpoints].map((value, column) =>
      String(value).padStart([6, 7, 8][column] ?? 0),
    );
    const left = one.skipped.length > 0 ? ` (left out: ${one.skipped.join("; ")})` : "";
    console.log(
      `${String(one.index).padEnd(6)} ${cells.join(" ")} ${one.seconds.toFixed(1).padStart(7)}  ${one.violations.length === 0 ? "ok    " : "FAILED"}  ${one.faults.join(", ")}${left}`,
    );
  }
  const failed = stories.filter(({ violations }) => violations.length > 0).length;
  const total = stories.reduce((sum, { seconds }) => sum + seconds, 0);
  const empty = endings.filter(({ violations }) => violations.length === 0).length;
  console.log(
    `\n${stories.length - failed} of ${stories.length} stories ended well, in ${total.toFixed(0)} s; ${empty} of ${endings.length} networks were emptied to the last unit`,
  );
}

await main();
