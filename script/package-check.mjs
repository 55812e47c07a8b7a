#!/usr/bin/env node
// What a user of the published package would meet: is it packed right, do its types resolve, how large is it in a browser.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build } from "vite";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const sdk = path.join(root, "sdk");
/** Bytes, gzip, without viem: the client that reads and sends in a browser. */
const LARGEST = 40 * 1024;
const folder = mkdtempSync(path.join(tmpdir(), "gpuchain-pack-"));
const problems = [];

try {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const packed = run(npm, ["pack", "--pack-destination", folder, "--loglevel=error"], sdk);
  const tarball = path.join(folder, readdirSync(folder)[0] ?? "");
  if (packed !== "") problems.push(packed);

  const { messages, pkg } = await publint({ pkgDir: sdk, strict: true });
  problems.push(...messages.map((message) => `publint: ${formatMessage(message, pkg)}`));

  const attw = path.join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
  const types = run(
    process.execPath,
    [attw, tarball, "--profile", "esm-only", "--no-emoji", "--format", "ascii"],
    root,
  );
  if (types !== "") problems.push(types);

  const size = await browserSize();
  console.log(
    `chain client in a browser: ${(size / 1024).toFixed(1)} kB gzip without viem (at most ${LARGEST / 1024})`,
  );
  if (size > LARGEST) problems.push(`the chain client is ${size} bytes in a browser, more than ${LARGEST}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** @returns what it wrote when it failed, else nothing */
function run(file, argv, cwd) {
  const done = spawnSync(file, argv, { cwd, encoding: "utf8", maxBuffer: 1 << 26 });
  return done.status === 0 ? "" : `${path.basename(file)} ${argv[0]}:\n${done.stdout}${done.stderr}`;
}

/** The client with every read action, the event feed and the sender, bundled as a browser would get it. */
async function browserSize() {
  const entry = path.join(folder, "entry.js");
  const chain = path.join(sdk, "dist/chain/index.js");
  const names = "createGpuchainClient, createEventFeed, createSender, createMemoryIntentStore, assertDeployment, write";
  writeFileSync(entry, `export { ${names} } from ${JSON.stringify(chain)};\n`);
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: true,
      target: "es2023",
      lib: { entry, formats: ["es"], fileName: "client" },
      rollupOptions: { external: /^viem(\/|$)/ },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap(({ output }) => output);
  return outputs.reduce((sum, chunk) => sum + gzipSync(chunk.type === "chunk" ? chunk.code : chunk.source).length, 0);
}
