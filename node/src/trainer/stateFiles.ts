import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SPARE_FOLDER } from "@gpuchain/sdk/compute";
import { GpuchainError } from "@gpuchain/sdk/daemon";
import type { Hex } from "@gpuchain/sdk/records";

/** Training states of one job as files named by their SHA-256, written by the training process and by the prefetch. */
export interface StateFiles {
  readonly directory: string;
  path(state: Hex): string;
  /** whether the file is there and its bytes have their hash; a damaged one is removed */
  verify(state: Hex): Promise<boolean>;
  /** bytes, or undefined when it is not there */
  read(state: Hex): Promise<Uint8Array | undefined>;
  /** writes bytes that were already checked against their hash */
  write(state: Hex, bytes: Uint8Array): Promise<void>;
  has(state: Hex): Promise<boolean>;
  /** removes every file that is not in `keep` and not just written, or puts it aside to be written over; returns how many went */
  sweep(keep: ReadonlySet<Hex>, minAgeMs?: number): Promise<number>;
}

/**
 * These files are not flushed to the disk: they survive `kill -9` in the page cache, every use checks the hash, and what matters was
 * stored by two seats before it was committed.
 */
export async function openStateFiles(directory: string): Promise<StateFiles> {
  await mkdir(directory, { recursive: true });
  const path = (state: Hex) => join(directory, state.slice(2));
  const has = async (state: Hex) => {
    try {
      return (await stat(path(state))).isFile();
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  };
  return {
    directory,
    path,
    has,
    async verify(state) {
      if (!(await has(state))) return false;
      if ((await hashFile(path(state))) === state) return true;
      await rm(path(state), { force: true });
      return false;
    },
    async read(state) {
      try {
        const bytes = await readFile(path(state));
        return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async write(state, bytes) {
      const target = path(state);
      const temporary = `${target}.${process.pid}.tmp`;
      try {
        await writeFile(temporary, bytes);
        await rename(temporary, target);
      } catch (error) {
        await rm(temporary, { force: true });
        throw isFull(error) ? diskFull(directory, error) : error;
      }
    },
    async sweep(keep, minAgeMs = YOUNG_MS) {
      let removed = 0;
      const spare = join(directory, SPARE_FOLDER);
      await mkdir(spare, { recursive: true });
      let spares = (await readdir(spare)).length;
      for (const name of await readdir(directory)) {
        const isState = /^[0-9a-f]{64}$/.test(name);
        if (isState ? keep.has(`0x${name}`) || (await ageMs(join(directory, name))) < minAgeMs : !isStale(name))
          continue;
        if (isState && spares < MAX_SPARES && (await sizeOf(join(directory, name))) <= MAX_SPARE_BYTES) {
          await rename(join(directory, name), join(spare, name));
          spares++;
        } else await rm(join(directory, name), { force: true });
        removed++;
      }
      return removed;
    },
  };
}

/** The training process writes a state a moment before it tells of it. */
const YOUNG_MS = 5_000;

/** Enough for a segment of the usual length; large states take longer to train than to write, and the room they take is the owner's. */
const MAX_SPARES = 10;
const MAX_SPARE_BYTES = 32 * 2 ** 20;

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

async function ageMs(path: string): Promise<number> {
  try {
    // The clock counts whole milliseconds, a file's time does not: what was just written would come from the future.
    return Math.max(0, Date.now() - (await stat(path)).mtimeMs);
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

/** SHA-256 of a file, in pieces, so that a beat is never held up by a large one. */
export async function hashFile(path: string): Promise<Hex> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return `0x${hash.digest("hex")}`;
}

/** What a process that no longer runs left half written. */
function isStale(name: string): boolean {
  const owner = Number(/\.(\d+)\.tmp$/.exec(name)?.[1]);
  if (!Number.isInteger(owner) || owner === process.pid) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "EPERM");
  }
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined);
const isMissing = (error: unknown) => codeOf(error) === "ENOENT";
const isFull = (error: unknown) => codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT";

const diskFull = (directory: string, cause: unknown) =>
  new GpuchainError("DISK_FULL", `no room left to write in ${directory}`, {
    hint: "free disk space; training goes on from the last state that was written whole",
    cause,
    retryable: true,
  });
