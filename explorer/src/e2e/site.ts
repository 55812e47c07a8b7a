// The built site, as `npm run demo` serves it, with made-up recordings beside the real ones.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Recording } from "@gpuchain/sdk/records";
import { buildExplorerIfStale } from "../../build.mjs";
import { serveExplorer } from "../../serve.mjs";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** Builds the site when a source is newer than the build; `npm test` has done so already. */
export function buildSite(): void {
  buildExplorerIfStale(repository, (label: string, file: string, argv: string[], cwd: string) => {
    const { status, stderr } = spawnSync(file, argv, { cwd, encoding: "utf8" });
    if (status !== 0) throw new Error(`${label} failed:\n${stderr}`);
  });
}

/** Writes recordings into a folder to serve them from (`recordings` of the server). */
export function writeRecordings(recordings: Readonly<Record<string, Recording>>): {
  folder: string;
  remove: () => void;
} {
  const folder = mkdtempSync(path.join(tmpdir(), "explorer-recordings-"));
  for (const [slug, recording] of Object.entries(recordings)) {
    writeFileSync(path.join(folder, `${slug}.json`), JSON.stringify(recording));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export { serveExplorer };
