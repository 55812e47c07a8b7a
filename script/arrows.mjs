#!/usr/bin/env node
// Checks the dependency arrows, and first that the check itself sees: every rule must fire on test/fixtures/arrows, which breaks
// each of them on purpose. (dependency-cruiser reads no TypeScript, and so finds nothing wrong, when its parser is missing.)
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

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

const real = cruise(root, rooms, ["--exclude", "test/fixtures|/dist/|/out/|/generated/"]);
for (const { rule, from, to } of real.summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
console.log(
  `arrows: ${real.summary.totalCruised} modules, ${real.summary.violations.length} violations, ${fired.size} rules alive`,
);
process.exit(real.summary.violations.length > 0 || real.summary.totalCruised < 50 ? 1 : 0);

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
