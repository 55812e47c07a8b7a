// `npm test`: every suite, two side by side because much of their time is waiting for blocks; or only the rooms that are named.
import { spawn } from "node:child_process";
import path from "node:path";
import { root } from "./lib/root.ts";

const vitest = path.join(root, "node_modules/vitest/vitest.mjs");

const PROGRESS_MS = 30_000;

interface Suite {
  name: string;
  what: string;
  file: string;
  args: string[];
  /** about how long it takes: the longest start first */
  seconds: number;
}

const inVitest = (name: string, seconds: number, what: string, project: string, filters: string[]): Suite => ({
  name,
  seconds,
  what,
  file: process.execPath,
  args: [vitest, "run", "--project", project, "--passWithNoTests=false", ...filters],
});

const SUITES: Suite[] = [
  {
    name: "contracts",
    seconds: 45,
    what: "Foundry: functions, fuzzing, invariants, attacks",
    file: process.execPath,
    args: [path.join(root, "script/forge.mjs"), "test", "--summary"],
  },
  inVitest("protocol", 45, "a model of the money rules, the deployment, the owner's commands", "protocol", []),
  inVitest("sdk", 55, "records, chain, blobs, crypto, gateway, client", "unit", [
    "sdk/src/records",
    "sdk/src/chain",
    "sdk/src/blobs",
    "sdk/src/crypto",
    "sdk/src/daemon",
    "sdk/src/client",
    "sdk/src/gateway",
    "sdk/src/cli",
    "script/docs",
  ]),
  inVitest("training", 105, "graphs, gradients, bits, replay", "unit", [
    "sdk/src/training",
    "sdk/src/compute",
    "script/workloads",
    "script/lib",
    "script/bench",
  ]),
  inVitest("daemons", 125, "node and verifier against a real chain", "unit", ["node/src", "verifier/src"]),
  inVitest("indexer", 110, "the ledger against a real chain", "indexer", []),
  inVitest("explorer", 110, "pages, in a real browser", "explorer*", []),
  inVitest("e2e", 280, "whole networks: kill, junk, canonical bits, bad input", "e2e", []),
];

async function main(): Promise<void> {
  const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
  if (process.argv.includes("--help")) {
    console.log("usage: npm test [-- suite …]\n");
    for (const { name, what } of SUITES) console.log(`  ${name.padEnd(10)} ${what}`);
    return;
  }
  const unknown = wanted.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    console.error(`error: no suite named ${unknown.join(", ")}\n  hint: npm test -- --help lists them`);
    process.exitCode = 2;
    return;
  }
  const chosen = SUITES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  // Foundry writes the folder from which the others read the contracts: it goes first. One suite alone is shown as it runs.
  const alone = chosen.filter(({ name }) => name === "contracts" || chosen.length === 1);
  const rest = chosen.filter((suite) => !alone.includes(suite)).sort((a, b) => b.seconds - a.seconds);
  const rows: Row[] = [];
  for (const suite of alone) rows.push(await run(suite, true));
  const running = new Set<string>();
  const lane = async (): Promise<void> => {
    for (let suite = rest.shift(); suite !== undefined; suite = rest.shift()) {
      running.add(suite.name);
      rows.push(await run(suite, false));
      running.delete(suite.name);
    }
  };
  const progress = setInterval(() => console.log(`[${[...running].join(" and ")} running]`), PROGRESS_MS);
  await Promise.all([lane(), lane()]);
  clearInterval(progress);
  console.log(`\n${"suite".padEnd(12)}${"result".padEnd(10)}seconds`);
  for (const row of rows) console.log(`${row.suite.padEnd(12)}${row.result.padEnd(10)}${row.seconds}`);
  const failed = rows.filter((row) => row.result === "failed").length;
  console.log(`\n${rows.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

interface Row {
  suite: string;
  result: "passed" | "failed";
  seconds: string;
}

/** Runs one suite; what it prints is shown as it comes, or in one piece at its end when another runs beside it. */
async function run({ name, what, file, args }: Suite, live: boolean): Promise<Row> {
  const started = Date.now();
  console.log(live ? `\n== ${name}: ${what}` : `[${name} started]`);
  const child = spawn(file, args, {
    cwd: root,
    stdio: ["ignore", live ? "inherit" : "pipe", live ? "inherit" : "pipe"],
  });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (piece: Buffer) => printed.push(piece));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (!live) process.stdout.write(`\n== ${name}: ${what}\n${Buffer.concat(printed).toString()}\n`);
  return { suite: name, result: code === 0 ? "passed" : "failed", seconds: ((Date.now() - started) / 1000).toFixed(0) };
}

await main();
