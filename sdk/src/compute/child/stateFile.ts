import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "../../records/index.ts";
import { encodeCheckpoint, type Program, type TrainingState } from "../../training/index.ts";

/**
 * Writes a state under its hash, whole or not at all. Not flushed to the disk: whoever reads it checks the hash, and what counts has been
 * stored by two seats before it is committed.
 */
export function writeState(
  program: Program,
  state: TrainingState,
  hash: Hex,
  directory: string,
): { path: string; bytes: number } {
  const path = join(directory, hash.slice(2));
  const temporary = `${path}.${process.pid}.tmp`;
  const file = encodeCheckpoint(program, state);
  try {
    writeFileSync(temporary, file);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return { path, bytes: file.length };
}
