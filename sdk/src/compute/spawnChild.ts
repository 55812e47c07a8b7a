import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ChildSettings } from "./protocol.ts";

/**
 * Forks the child from the file beside this one: compiled JavaScript as shipped, TypeScript (through tsx, which only development
 * has) when this very file runs from source.
 */
export function spawnChild(settings: ChildSettings): ChildProcess {
  const fromSource = import.meta.url.endsWith(".ts");
  const entry = fileURLToPath(new URL(fromSource ? "./child/main.ts" : "./child/main.js", import.meta.url));
  const loader = fromSource
    ? ["--import", pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href, "--conditions=source"]
    : [];
  return fork(entry, [JSON.stringify(settings)], {
    execArgv: [...loader, "--enable-source-maps", "--max-semi-space-size=4"],
    serialization: "json",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // Keys and passwords that reached the daemon by environment are none of the training program's business.
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", TMPDIR: process.env.TMPDIR ?? "" },
  });
}
