import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Hex } from "@gpuchain/sdk/records";

/** Removes local copies of blobs that are kept elsewhere and are no longer asked for. */
export async function sweepCache(directory: string, isKept: (sha256: Hex) => boolean): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const name of names)
    if (/^[0-9a-f]{64}$/.test(name) && !isKept(`0x${name}`)) await rm(join(directory, name), { force: true });
}
