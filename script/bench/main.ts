// `npm run bench`: what the main job costs and how fast it heals, measured on this machine and printed as tables; `--json FILE` keeps the
// figures. Sections can be named to run only those. Other benches: bench:training, bench:replay, bench:indexer.
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { createShutdown, exitWith, GpuchainError, parseInteger } from "@gpuchain/sdk/daemon";
import { Command } from "commander";
import { measureFaultFree } from "./faultFree.ts";
import { gasTable } from "./gas.ts";
import { measureKills } from "./kills.ts";
import { measureRuntimes } from "./runtimes.ts";
import type { BenchContext, Section } from "./section.ts";
import { measureSoak } from "./soak.ts";

const SECTIONS: Record<
  string,
  { what: string; byDefault: boolean; run: (context: BenchContext) => Promise<Section[]> }
> = {
  runtimes: { what: "training steps per second on each runtime", byDefault: true, run: measureRuntimes },
  faultfree: {
    what: "a whole run under the protocol against the bare loop; commit to verdict",
    byDefault: true,
    run: measureFaultFree,
  },
  kills: { what: "kill to next step, at 2 s and 0.25 s blocks", byDefault: true, run: measureKills },
  gas: { what: "gas of each call, from the committed snapshots", byDefault: true, run: gasTable },
  soak: {
    what: "no false eviction in --minutes of idle and busy network, RPC stalled meanwhile",
    byDefault: false,
    run: measureSoak,
  },
};

const command = new Command("bench")
  .description("Measures the main job on this machine. Nothing else should run meanwhile.")
  .argument("[sections...]", `which: ${Object.keys(SECTIONS).join(", ")} (default: all but soak)`)
  .option("--json <file>", "write the figures as JSON")
  .option("--steps <n>", "steps of the fault-free run", parseInteger({ min: 100, max: 100_000 }), 400)
  .option("--kills <n>", "kills at each block time", parseInteger({ min: 1, max: 100 }), 5)
  .option("--minutes <n>", "length of the soak", parseInteger({ min: 1, max: 1440 }), 30);

async function main(): Promise<void> {
  const shutdown = createShutdown();
  try {
    command.parse();
    const options = command.opts<{ json?: string; steps: number; kills: number; minutes: number }>();
    const wanted =
      command.args.length > 0 ? command.args : Object.keys(SECTIONS).filter((name) => SECTIONS[name]?.byDefault);
    const unknown = wanted.filter((name) => !(name in SECTIONS));
    if (unknown.length > 0)
      throw new GpuchainError("USAGE", `no section ${unknown.join(", ")}`, { hint: "see npm run bench -- --help" });
    const machine = {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      memoryBytes: totalmem(),
      node: process.version,
    };
    const figures: Record<string, unknown> = { machine, date: new Date().toISOString() };
    console.log(`${machine.cores} × ${machine.cpu}, Node ${machine.node}\n`);
    for (const name of wanted) {
      const say = (text: string) => process.stderr.write(`  ${name}: ${text}\n`);
      const sections = await SECTIONS[name]?.run({ ...options, signal: shutdown.signal, say });
      for (const section of sections ?? []) print(section);
      figures[name] = Object.fromEntries((sections ?? []).map(({ title, data }) => [title, data]));
    }
    if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  } catch (error) {
    exitWith(shutdown.signal.aborted ? shutdown.signal.reason : error);
  } finally {
    await shutdown.close();
  }
}

function print({ title, rows }: Section): void {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  console.log(title);
  for (const [label, value] of rows) console.log(`  ${label.padEnd(width)}${value}`);
  console.log("");
}

await main();
