// `npm test`: every suite in turn, or only the rooms that are named. Whole networks on two cores keep their pace only when nothing runs beside them.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { root } from "./lib/root.ts";

const vitest = path.join(root, "node_modules/vitest/vitest.mjs");

interface Suite {
  name: string;
  what: string;
  file: string;
  args: string[];
}

const inVitest = (name: string, what: string, project: string, filters: string[]): Suite => ({
  name,
  what,
  file: process.execPath,
  args: [vitest, "run", "--project", project, "--passWithNoTests=false", ...filters],
});

const SUITES: Suite[] = [
  {
    name: "contracts",
    what: "Foundry: functions, fuzzing, invariants, attacks",
    file: process.execPath,
    args: [path.join(root, "script/forge.mjs"), "test", "--summary"],
  },
  inVitest("protocol", "a model of the money rules, the deployment, the owner's commands", "protocol", []),
  inVitest("sdk", "records, chain, blobs, crypto, gateway, client", "unit", [
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
  inVitest("training", "graphs, gradients, bits, replay", "unit", [
    "sdk/src/training",
    "sdk/src/compute",
    "script/workloads",
    "script/lib",
    "script/bench",
  ]),
  inVitest("daemons", "node and verifier against a real chain", "unit", ["node/src", "verifier/src", "script/chaos"]),
  inVitest("indexer", "the ledger against a real chain", "indexer", []),
  inVitest("explorer", "pages, in a real browser", "explorer*", []),
  inVitest("e2e", "whole networks: kill, junk, canonical bits, bad input", "e2e*", []),
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
  const folder = mkdtempSync(path.join(tmpdir(), "gpuchain-test-"));
  const rows: Row[] = [];
  for (const suite of chosen) rows.push(await run(suite, folder));
  rmSync(folder, { recursive: true, force: true });
  console.log(`\n${"suite".padEnd(12)}${"result".padEnd(10)}seconds`);
  for (const row of rows) console.log(`${row.suite.padEnd(12)}${row.result.padEnd(10)}${row.seconds}`);
  for (const { suite, failures } of rows) {
    for (const { test, reason } of failures) console.log(`\nfailed in ${suite}: ${test}\n  ${reason}`);
  }
  const failed = rows.filter((row) => row.result === "failed").length;
  console.log(`\n${rows.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

interface Row {
  suite: string;
  result: "passed" | "failed";
  seconds: string;
  failures: Failure[];
}

interface Failure {
  test: string;
  /** The first line of the message. */
  reason: string;
}

async function run({ name, what, file, args }: Suite, folder: string): Promise<Row> {
  const started = Date.now();
  console.log(`\n== ${name}: ${what}`);
  const results = path.join(folder, `${name}.json`);
  const inVitest = args[0] === vitest;
  const reporters = inVitest ? ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`] : [];
  const child = spawn(file, [...args, ...reporters], {
    cwd: root,
    stdio: ["inherit", inVitest ? "inherit" : "pipe", "inherit"],
  });
  // Forge says nothing of its results in a file; each failure is a line of its output.
  const forgeFailures = new Set<string>();
  if (child.stdout !== null) {
    child.stdout.pipe(process.stdout, { end: false });
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith("[FAIL")) forgeFailures.add(line);
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  if (code === 0) return { suite: name, result: "passed", seconds, failures: [] };
  const failures = inVitest
    ? readFailures(results)
    : [...forgeFailures].map((line) => ({ test: "forge", reason: line }));
  return { suite: name, result: "failed", seconds, failures };
}

interface VitestResults {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
}

/** What failed, to be said again at the end: the suite's own account of it stands far above by then. */
function readFailures(results: string): Failure[] {
  let files: VitestResults["testResults"];
  try {
    files = (JSON.parse(readFileSync(results, "utf8")) as VitestResults).testResults;
  } catch (error) {
    return [{ test: "the suite itself", reason: `it ended without results: ${(error as Error).message}` }];
  }
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(root, name);
    const tests = assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => ({ test: `${file}: ${test.fullName}`, reason: firstLine(test.failureMessages?.[0]) }));
    return tests.length === 0 && status === "failed" ? [{ test: file, reason: firstLine(message) }] : tests;
  });
}

const firstLine = (text = "") => text.split("\n", 1)[0] ?? "";

await main();
