#!/usr/bin/env node
// Finds the platform's own Foundry binaries: `npx` adds half a second to each call, and the wrapper's post-install may not have run.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** @param {"forge" | "anvil" | "cast"} tool @returns {string} absolute path of the binary for this platform */
export function foundryBinary(tool) {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const platform = process.platform === "win32" ? "win32" : process.platform;
  const name = `@foundry-rs/${tool}-${platform}-${arch}`;
  try {
    const manifest = require.resolve(`${name}/package.json`);
    return path.join(path.dirname(manifest), "bin", process.platform === "win32" ? `${tool}.exe` : tool);
  } catch (cause) {
    throw new Error(`${name} is not installed: run npm ci (Foundry's npm packages cover Linux, macOS and Windows)`, {
      cause,
    });
  }
}

export const forgeBinary = () => foundryBinary("forge");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const cwd = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), "contracts");
  const done = spawnSync(forgeBinary(), process.argv.slice(2), { cwd, stdio: "inherit" });
  process.exit(done.status ?? 1);
}
