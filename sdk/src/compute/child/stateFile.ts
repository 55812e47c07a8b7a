import { closeSync, fstatSync, ftruncateSync, openSync, readdirSync, renameSync, rmSync, writevSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "../../records/index.ts";
import { checkpointPieces, type Program, type TrainingState } from "../../training/index.ts";
import { SPARE_FOLDER } from "../spareFiles.ts";

/**
 * Writes a state under its hash, whole or not at all. Not flushed to the disk: whoever reads it checks the hash, and what counts has been
 * stored by two seats before it is committed. Where the host has put a file aside that nobody needs any more, its pages are written over:
 * new ones for a state of 11 MB cost as much as hashing it.
 */
export function writeState(
  program: Program,
  state: TrainingState,
  hash: Hex,
  directory: string,
): { path: string; bytes: number } {
  const path = join(directory, hash.slice(2));
  const temporary = `${path}.${process.pid}.tmp`;
  const pieces = checkpointPieces(program, state);
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  try {
    const reused = takeSpare(directory, temporary);
    writeAll(temporary, pieces, size, reused ? "r+" : "w");
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return { path, bytes: size };
}

/** Moves a file that was put aside to `path`; false where there is none. */
function takeSpare(directory: string, path: string): boolean {
  const folder = join(directory, SPARE_FOLDER);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return false; // Nobody puts files aside here.
  }
  for (const name of names) {
    try {
      renameSync(join(folder, name), path);
      return true;
    } catch {
      // The host was faster and removed it.
    }
  }
  return false;
}

/** Straight from the state's own memory: joining the pieces first would cost more than hashing and writing them. */
function writeAll(path: string, pieces: readonly Uint8Array[], size: number, flags: "w" | "r+"): void {
  const file = openSync(path, flags);
  try {
    if (fstatSync(file).size > size) ftruncateSync(file, size);
    let rest = [...pieces];
    for (let written = 0; written < size; ) {
      let taken = writevSync(file, rest);
      written += taken;
      // A write may be cut short (a signal, a nearly full disk): go on where it stopped.
      while (taken > 0 && rest[0] !== undefined) {
        const first = rest[0];
        if (taken < first.length) {
          rest = [first.subarray(taken), ...rest.slice(1)];
          break;
        }
        taken -= first.length;
        rest = rest.slice(1);
      }
    }
  } finally {
    closeSync(file);
  }
}
