#!/usr/bin/env node
// Checks the dependency arrows, and first that the check itself sees: every rule must fire on test/fixtures/arrows, which breaks
// each of them on purpose. (dependency-cruiser reads no TypeScript, and so finds nothing wrong, when its parser is missing.)
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "@swc/core";

const require = createRequire(import.meta.url);
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const config = path.join(root, ".dependency-cruiser.cjs");
const rooms = ["sdk/src", "node/src", "verifier/src", "indexer", "explorer/src", "script", "test"];

const fixture = cruise(path.join(root, "test/fixtures/arrows"), ["."]);
const fired = new Set(fixture.summary.violations.map((violation) => violation.rule.name));
const silent = require(config)
  .forbidden.map((rule) => rule.name)
  .filter((name) => !fired.has(name));
if (silent.length > 0) {
  console.error(`error: these rules find nothing in the known-bad fixture: ${silent.join(", ")}`);
  process.exit(1);
}

// dependency-cruiser's parser reads no JSX, so the pages' files are looked at here; they may import the SDK and their own room.
const pages = readdirSync(path.join(root, "explorer/src"), { recursive: true })
  .filter((file) => file.endsWith(".tsx"))
  .map((file) => path.join(root, "explorer/src", file));
const strayPages = pages.flatMap((file) =>
  importsOf(file)
    .filter((source) => /^@gpuchain\/(indexer|node|verifier)/.test(source) || leavesRoom(file, source))
    .map((source) => `explorer-imports-the-sdk-only: ${path.relative(root, file)} → ${source}`),
);
if (pages.length === 0 || pages.flatMap(importsOf).length === 0)
  throw new Error("no page was read: the check is blind");
for (const stray of strayPages) console.error(stray);

const real = cruise(root, rooms, ["--exclude", "test/fixtures|/dist/|/out/|/generated/|\\.tsx$|\\.test\\.ts$"]);
for (const { rule, from, to } of real.summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
console.log(
  `arrows: ${real.summary.totalCruised} modules, ${real.summary.violations.length} violations, ${fired.size} rules alive`,
);
process.exit(strayPages.length > 0 || real.summary.violations.length > 0 || real.summary.totalCruised < 50 ? 1 : 0);

/** What a TSX file imports, statically or not. */
function importsOf(file) {
  const { body } = parseSync(readFileSync(file, "utf8"), { syntax: "typescript", tsx: true, target: "es2022" });
  const fixed = body
    .filter((item) => /^(Import|Export)/.test(item.type) && item.source)
    .map((item) => item.source.value);
  const lazy = [...readFileSync(file, "utf8").matchAll(/\bimport\(\s*["']([^"']+)["']/g)].map(([, source]) => source);
  return [...fixed, ...lazy];
}

function leavesRoom(file, source) {
  if (!source.startsWith(".")) return false;
  return path.relative(path.join(root, "explorer"), path.resolve(path.dirname(file), source)).startsWith("..");
}

function cruise(cwd, targets, extra = []) {
  const bin = path.join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const argv = [bin, "--config", config, "--output-type", "json", ...extra, ...targets];
  const done = spawnSync(process.execPath, argv, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  try {
    return JSON.parse(done.stdout);
  } catch (cause) {
    throw new Error(`dependency-cruiser gave no report: ${done.stderr || done.stdout.slice(0, 400)}`, { cause });
  }
}
