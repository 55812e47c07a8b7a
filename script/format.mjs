#!/usr/bin/env node
// Formats everything: TypeScript, JSON and CSS with Biome, Solidity with forge.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const runs = [
  [path.join(root, "node_modules/@biomejs/biome/bin/biome"), "check", "--write", "."],
  [path.join(root, "script/forge.mjs"), "fmt"],
];
const codes = runs.map((argv) => spawnSync(process.execPath, argv, { cwd: root, stdio: "inherit" }).status ?? 1);
process.exit(Math.max(...codes));
