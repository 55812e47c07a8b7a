#!/usr/bin/env node
// Clears up after a launcher that died without doing it itself (kill -9, a closed terminal). The launcher writes one JSON line for each
// process group and each temporary directory it makes; when the pipe closes, whatever is still there goes.
import { rmSync } from "node:fs";
import readline from "node:readline";

const groups = new Set();
const directories = new Set();

// Ctrl-C reaches the launcher too; this process outlives it on purpose.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { group, directory, done } = JSON.parse(line);
  if (group) done ? groups.delete(group) : groups.add(group);
  if (directory) done ? directories.delete(directory) : directories.add(directory);
});
lines.on("close", () => {
  for (const group of groups) {
    try {
      process.kill(-group, "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") process.stderr.write(`could not end process group ${group}: ${error.message}\n`);
    }
  }
  for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});
