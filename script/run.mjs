#!/usr/bin/env node
// The one door to every npm script: checks Node, installs from the lock file when needed, builds what is stale, then runs the command.
// Plain JavaScript with no dependency, because it must work before anything is installed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { forgeBinary } from "./forge.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const NEEDED_BYTES = 3e9;

const forge = path.join(root, "script/forge.mjs");
const dist = (file) => [path.join(root, "script/dist", file)];

/** What each command needs built, and what it then runs. `env` is added to the environment. */
const COMMANDS = {
  demo: { contracts: true, explorer: true, run: dist("demo.js") },
  devnet: { contracts: true, explorer: true, run: dist("devnet.js") },
  test: { contracts: true, explorer: true, run: dist("test.js") },
  "test:docs": { contracts: true, run: dist("docs/main.js") },
  "test:newcomer": { run: dist("docs/newcomer.js") },
  "test:deep": { contracts: true, run: [path.join(root, "script/deep.mjs")] },
  check: { contracts: true, run: [path.join(root, "script/check.mjs")] },
  gas: { run: [path.join(root, "script/gas.mjs")] },
  smt: { run: [path.join(root, "script/smt.mjs")] },
  "coverage:contracts": {
    run: [
      forge,
      "coverage",
      "--report",
      "summary",
      "--no-match-coverage",
      "(^test/|^node_modules/|script/)",
      "--no-match-path",
      "test/gas/**",
    ],
    env: { FOUNDRY_PROFILE: "coverage" },
  },
  bench: { contracts: true, run: dist("bench/main.js") },
  "bench:training": { run: dist("bench/training.js") },
  "bench:ag-news": { run: dist("bench/agNews.js") },
  "bench:learning-rate": { run: dist("bench/learningRate.js") },
  "bench:replay": { run: dist("bench/replay.js") },
  chaos: { contracts: true, run: dist("chaos/main.js") },
  "bench:daemons": { contracts: true, run: dist("bench/daemons.js") },
  "bench:explorer": {
    explorer: true,
    run: ["--import", "tsx", "--conditions=source", path.join(root, "explorer/bench/pan.ts")],
  },
  "bench:indexer": { contracts: true, run: dist("bench/indexer.js") },
  audit: { run: dist("audit/main.js") },
  admin: { run: dist("admin/main.js") },
  "verify-deployment": { contracts: true, run: dist("verify/main.js") },
  build: { contracts: true, explorer: true },
  generate: { contracts: true, run: dist("generate.js") },
  format: { run: [path.join(root, "script/format.mjs")] },
  changeset: { run: [path.join(root, "node_modules/@changesets/cli/bin.js")] },
};

const [name, ...args] = process.argv.slice(2);
const command = COMMANDS[name ?? ""];
if (!command) fail(`unknown command ${name ?? ""}`, `use one of: ${Object.keys(COMMANDS).join(", ")}`);

checkNode();
const release = takeTurn();
// Help must be instant on an installed tree, and possible on a fresh one.
ensureInstalled();
await ensureBuilt(command);
release();
if (command.run) process.exitCode = await runCommand(command, args);

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node ${process.versions.node} is too old`, "install Node 20.19 or newer");
  }
}

/**
 * One command at a time sets up: two `npm ci` in one folder tear each other's packages down. The lock names its process, so that one left by a
 * command that was killed holds nobody up.
 *
 * @returns ends the turn
 */
function takeTurn() {
  const lock = path.join(root, ".setup.lock");
  for (let told = false, blank = 0; ; ) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      // Where nothing can be written nothing can be torn down either; what is missing is told by the steps that need it.
      if (error.code === "EROFS" || error.code === "EACCES") return () => undefined;
      if (error.code !== "EEXIST")
        fail(`cannot write ${lock}: ${error.message}`, "give this folder to your user, or free the disk");
    }
    const holder = Number(readText(lock));
    // An empty one is just being written, or its writer was killed in that moment.
    if (holder > 0 ? holder !== process.pid && isAlive(holder) && !isOld(lock) : ++blank < 10) {
      if (holder > 0 && !told) {
        say(`waiting for another command that is setting up in this folder (process ${holder})`);
        told = true;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    } else rmSync(lock, { force: true });
  }
  const end = () => rmSync(lock, { force: true });
  process.on("exit", end);
  return () => {
    process.off("exit", end);
    end();
  };
}

/** Numbers of processes are used again: no set-up takes this long. */
function isOld(lock) {
  try {
    return Date.now() - statSync(lock).mtimeMs > 1_800_000;
  } catch {
    return true; // Gone meanwhile.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Compares what npm says it installed with the lock file; a missing or different package means `npm ci`. */
function ensureInstalled() {
  const wanted = readJson("package-lock.json");
  if (!wanted) fail("package-lock.json is missing or unreadable", "restore it with: git checkout package-lock.json");
  const installed = readJson("node_modules/.package-lock.json")?.packages ?? {};
  const differs = Object.entries(wanted.packages).some(([where, entry]) => {
    if (!where.startsWith("node_modules/") || entry.link || entry.optional || entry.devOptional) return false;
    return installed[where]?.version !== entry.version || !existsSync(path.join(root, where));
  });
  if (!differs) return;
  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize < NEEDED_BYTES) {
    fail("the disk is too full to install", `free ${NEEDED_BYTES / 1e9} GB on the disk that holds this folder`);
  }
  say("installing packages from the lock file (about a minute)");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const done = spawnSync(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: root, stdio: "inherit" });
  if (done.status !== 0) fail("npm ci failed", "see its message above; a network or proxy setting is the usual cause");
}

async function ensureBuilt({ contracts, explorer }) {
  step("building TypeScript", process.execPath, [path.join(root, "node_modules/typescript/bin/tsc"), "-b"], root);
  if (contracts) {
    const skip = ["--skip", "test"];
    step("compiling contracts", forgeBinary(), ["build", ...skip], path.join(root, "contracts"));
  }
  if (explorer && existsSync(path.join(root, "explorer/index.html"))) {
    const { buildExplorerIfStale } = await import("../explorer/build.mjs");
    buildExplorerIfStale(root, step);
  }
}

/** Runs a build step quietly; its output is shown only when it fails. Says what it does when it takes more than a moment. */
function step(label, file, argv, cwd) {
  const started = Date.now();
  if (process.stderr.isTTY) process.stderr.write(`  ${label} …\r`);
  const done = spawnSync(file, argv, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  if (process.stderr.isTTY) process.stderr.write("\x1b[K");
  if (done.error) fail(`${label} could not start: ${done.error.message}`, "run: npm ci");
  if (done.status !== 0) {
    process.stderr.write(done.stdout + done.stderr);
    const full = /ENOSPC|No space left/.test(done.stdout + done.stderr);
    fail(
      `${label} failed`,
      full ? "the disk is full: free some space and run this again" : "the messages above say where",
    );
  }
  if (Date.now() - started > 2000) say(`${label}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function runCommand({ run, env }, rest) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--enable-source-maps", ...run, ...rest], {
      env: { ...process.env, ...env },
      cwd: root,
      stdio: "inherit",
    });
    // The terminal already sends Ctrl-C to the whole group; stay until the command has cleaned up after itself.
    process.on("SIGINT", () => undefined);
    process.on("SIGTERM", () => child.kill("SIGTERM"));
    process.on("SIGHUP", () => child.kill("SIGHUP"));
    // `kill` on npm ends npm and its shell, and nobody tells us.
    const parent = process.ppid;
    const orphaned = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(orphaned);
      child.kill("SIGTERM");
    }, 1_000);
    child.on("exit", (code, signal) => {
      clearInterval(orphaned);
      if (signal !== null && signal !== "SIGINT") process.stderr.write(`error: ${name} was ended by ${signal}\n`);
      resolve(code ?? (signal === "SIGINT" ? 130 : 1));
    });
  });
}

function readText(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // Gone meanwhile: its holder is done.
  }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), "utf8"));
  } catch {
    return undefined; // Absent or damaged: the caller decides what that means.
  }
}

function say(text) {
  process.stderr.write(`gpuchain: ${text}\n`);
}

function fail(text, hint) {
  process.stderr.write(`error: ${text}\n  hint: ${hint}\n`);
  process.exit(1);
}
