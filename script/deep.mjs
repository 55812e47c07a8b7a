#!/usr/bin/env node
// `npm run test:deep`: the contracts' tests with ten times the chance (fuzz 10,000 runs, invariants 256 × 300 calls), then many stories against
// the model of the money rules. Takes long; arguments go to forge.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const vitest = ["run", "--project", "protocol", "test/contracts/differential.test.ts"];
const steps = [
  {
    argv: [path.join(root, "script/forge.mjs"), "test", "--summary", ...process.argv.slice(2)],
    env: { FOUNDRY_PROFILE: "deep" },
  },
  {
    argv: [path.join(root, "node_modules/vitest/vitest.mjs"), ...vitest],
    env: { DIFFERENTIAL_STORIES: process.env.DIFFERENTIAL_STORIES ?? "60", DIFFERENTIAL_LENGTH: "200" },
  },
];

let failed = 0;
for (const { argv, env } of steps) {
  const done = spawnSync(process.execPath, argv, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  if (done.status !== 0) failed++;
  if (done.signal === "SIGINT") break;
}
process.exit(failed > 0 ? 1 : 0);
