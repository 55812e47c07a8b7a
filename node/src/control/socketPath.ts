import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Longest path that every system takes for a Unix socket. */
const LONGEST = 100;

/** Where the daemon of a data folder listens for its owner's commands; a long path gets a short stand-in that both sides can compute. */
export function socketPath(data: string): string {
  const absolute = resolve(data);
  const id = createHash("sha256").update(absolute).digest("hex").slice(0, 16);
  if (process.platform === "win32") return `\\\\.\\pipe\\gpuchain-node-${id}`;
  const path = join(absolute, "control.sock");
  return path.length <= LONGEST ? path : join(tmpdir(), `gpuchain-node-${process.getuid?.() ?? 0}-${id}.sock`);
}
