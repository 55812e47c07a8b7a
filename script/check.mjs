#!/usr/bin/env node
// Everything that must hold before a commit lands, short of the tests: format, lint, types, arrows, generated ABIs, gas snapshots.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const node = process.execPath;
const bin = (file) => path.join(root, "node_modules", file);

/** forge lint leaves artifacts without bytecode behind: it gets folders of its own. */
const LINT = { FOUNDRY_OUT: "out-lint", FOUNDRY_CACHE_PATH: "cache-lint" };

/** Each check by name; all run, so that one failure does not hide another. */
const CHECKS = [
  ["format and lint", node, [bin("@biomejs/biome/bin/biome"), "ci", "--colors=off", "--error-on-warnings", "."]],
  ["Solidity format", node, ["script/forge.mjs", "fmt", "--check"]],
  [
    "Solidity lint",
    node,
    ["script/forge.mjs", "lint", "--severity", "high", "--severity", "med", "--severity", "low"],
    LINT,
  ],
  [
    "Solidity style",
    node,
    [
      bin("solhint/solhint.js"),
      ...[
        "--config",
        "contracts/.solhint.json",
        "--max-warnings",
        "0",
        "--disc",
        "--noPoster",
        "contracts/src/**/*.sol",
      ],
    ],
  ],
  ["types", node, [bin("typescript/bin/tsc"), "-b"]],
  ["types of the explorer", node, [bin("typescript/bin/tsc"), "-p", "explorer", "--noEmit"]],
  ["types of the end-to-end tests", node, [bin("typescript/bin/tsc"), "-p", "test/tsconfig.check.json"]],
  ["dependency arrows", node, ["script/arrows.mjs"]],
  ["generated ABIs and reference", node, ["script/dist/generate.js", "--check"]],
  ["package of the SDK", node, ["script/package-check.mjs"]],
  ["gas and size snapshots", node, ["script/gas.mjs"]],
];

const failed = [];
for (const [name, file, argv, env] of CHECKS) {
  const started = Date.now();
  const done = spawnSync(file, argv, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env },
  });
  const ok = done.status === 0;
  console.log(`${ok ? "ok  " : "FAIL"} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (!ok) {
    failed.push(name);
    console.log(done.stdout + done.stderr);
  }
}
console.log(`${CHECKS.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length > 0 ? 1 : 0);
