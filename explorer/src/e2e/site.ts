// Builds the site for tests and benches, with made-up recordings beside the real ones, and serves it.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Recording } from "@gpuchain/sdk/records";
import { build } from "vite";
import { serveExplorer } from "../../serve.mjs";

const explorer = fileURLToPath(new URL("../..", import.meta.url));

/** Builds into a folder of its own, so that tests neither wait for nor disturb explorer/dist. */
export async function buildSite(
  recordings: Readonly<Record<string, Recording>> = {},
): Promise<{ root: string; remove: () => void }> {
  const folder = mkdtempSync(path.join(tmpdir(), "explorer-site-"));
  const publicDir = path.join(folder, "public");
  cpSync(path.join(explorer, "public"), publicDir, { recursive: true });
  for (const [slug, recording] of Object.entries(recordings)) {
    writeFileSync(path.join(publicDir, "recordings", `${slug}.json`), JSON.stringify(recording));
  }
  const root = path.join(folder, "dist");
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = "production";
  try {
    await build({
      root: explorer,
      publicDir,
      logLevel: "error",
      build: { outDir: root, emptyOutDir: true, sourcemap: false },
    });
  } finally {
    process.env.NODE_ENV = before;
  }
  return { root, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export { serveExplorer };
