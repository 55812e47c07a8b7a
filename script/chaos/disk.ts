// Small disks that can be filled to the last byte: a tmpfs for each daemon's data folder, where this system lets us mount one.
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";

const SIZE = "48m";
const FILLER = "filler";

/** Why no small disk can be mounted here; undefined when one can. */
export function disksUnavailable(probe: string): string | undefined {
  const done = mount(probe);
  if (done !== undefined) return done;
  unmount(probe);
  return undefined;
}

/** Mounts a small disk on the folder. @returns why that failed, if it did */
export function mount(directory: string): string | undefined {
  const done = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE},mode=700`, "chaos", directory], {
    encoding: "utf8",
  });
  return done.status === 0 ? undefined : (done.error?.message ?? done.stderr.trim());
}

/** Lazily: a process that is being ended may still have files open. */
export const unmount = (directory: string): void => void spawnSync("umount", ["-l", directory]);

/** Takes all the room that is left. */
export function fill(directory: string): void {
  const file = openSync(path.join(directory, FILLER), "w");
  try {
    for (let size = 1 << 20; size >= 1; ) {
      try {
        writeSync(file, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        size >>= 1;
      }
    }
  } finally {
    closeSync(file);
  }
}

export function free(directory: string): void {
  if (existsSync(path.join(directory, FILLER))) rmSync(path.join(directory, FILLER));
}
