// Builds the explorer only when a source is newer than the last build: the demo serves it and should not wait for it each time.
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

// Types: build.d.mts.
export function buildExplorerIfStale(root, step) {
  const room = path.join(root, "explorer");
  const built = path.join(room, "dist/index.html");
  // It is built from the SDK's sources, too.
  const sources = [path.join(room, "src"), path.join(room, "public"), path.join(root, "sdk/src")];
  const files = ["index.html", "vite.config.ts", "package.json"].map((file) => path.join(room, file));
  const newest = Math.max(...sources.map(newestUnder), ...files.map(modified));
  if (existsSync(built) && modified(built) >= newest) return;
  const vite = path.join(root, "node_modules/vite/bin/vite.js");
  step("building the explorer", process.execPath, [vite, "build", "--logLevel", "error"], room);
}

function newestUnder(folder) {
  if (!existsSync(folder)) return 0;
  return Math.max(
    0,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => modified(path.join(entry.parentPath ?? entry.path, entry.name))),
  );
}

function modified(file) {
  return existsSync(file) ? statSync(file).mtimeMs : 0;
}
