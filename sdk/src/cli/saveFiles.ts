import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { GpuchainError } from "../daemon/index.ts";

/**
 * Writes files into a folder, all of them or none that is not whole: each is written beside its place first, and takes it when all are
 * there.
 *
 * Errors: FILE_NOT_WRITTEN.
 */
export function saveFiles(folder: string, files: ReadonlyMap<string, Uint8Array | string>): void {
  const beside = (name: string) => join(folder, dirname(name), `.${basename(name)}.part`);
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of files) {
      mkdirSync(dirname(beside(name)), { recursive: true });
      writeFileSync(beside(name), content);
    }
    for (const name of files.keys()) renameSync(beside(name), join(folder, name));
  } catch (cause) {
    for (const name of files.keys()) removeIfThere(beside(name));
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new GpuchainError("FILE_NOT_WRITTEN", `cannot write the files to ${folder}: ${reason}`, {
      hint: "give another folder with --out, or make room",
      cause,
    });
  }
}

function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true });
  } catch {
    // Where nothing can be removed nothing was written either; what went wrong is told already.
  }
}
