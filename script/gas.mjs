#!/usr/bin/env node
// `npm run gas`: measures each call again and compares with the committed snapshots; `--update` writes them anew.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Whole cold transactions as an L2 bills them; the most that each may cost. */
const CEILINGS = [
  ["postJob", 265_000],
  ["acquireLease", 120_000],
  ["renewLease", 40_000],
  ["commitCheckpoint", 110_000],
  ["castVerdicts: two accept", 135_000],
  ["castVerdicts: two refuse", 140_000],
  ["evictLease", 110_000],
  ["payOut", 160_000],
  ["withdraw", 75_000],
];
const MAX_CODE_BYTES = 24_576;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const update = process.argv.includes("--update");
const read = (file) => JSON.parse(readFileSync(path.join(root, "contracts/snapshots", file), "utf8"));

const forge = [path.join(root, "script/forge.mjs"), "test", "--match-path", "test/gas/*"];
const env = { ...process.env, ...(update ? {} : { FORGE_SNAPSHOT_CHECK: "true" }) };
const done = spawnSync(process.execPath, forge, { cwd: root, env, encoding: "utf8", maxBuffer: 1 << 28 });
if (done.status !== 0) {
  console.log(done.stdout + done.stderr);
  console.error(
    "error: gas differs from the snapshots, or its tests failed\n  hint: npm run gas -- --update, then look at the diff",
  );
  process.exit(1);
}

const over = [];
console.log(`${"call".padEnd(48)}${"gas".padStart(9)}${"ceiling".padStart(10)}`);
for (const [call, gas] of Object.entries(read("gas.json"))) {
  const ceiling = CEILINGS.find(([name]) => call.startsWith(name))?.[1];
  if (ceiling !== undefined && Number(gas) > ceiling) over.push(`${call} costs ${gas}, more than ${ceiling}`);
  console.log(`${call.padEnd(48)}${String(gas).padStart(9)}${(ceiling ?? "").toString().padStart(10)}`);
}
console.log(`\n${"contract".padEnd(48)}${"bytes".padStart(9)}${"limit".padStart(10)}`);
for (const [contract, bytes] of Object.entries(read("sizes.json"))) {
  if (Number(bytes) > MAX_CODE_BYTES) over.push(`${contract} has ${bytes} bytes`);
  console.log(`${contract.padEnd(48)}${String(bytes).padStart(9)}${String(MAX_CODE_BYTES).padStart(10)}`);
}
for (const problem of over) console.error(`error: ${problem}`);
process.exit(over.length > 0 ? 1 : 0);
