import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BlobSource, BlobStat, BlobStore, PutBlobParameters } from "./blobStore.ts";
import { blobHashMismatch, blobNotFound, blobTooLarge, fromFileError } from "./errors.ts";
import { normalizeSha256 } from "./sha256.ts";

/**
 * Blobs as files under one directory: `ab/abcdef…`. Bytes go to a temporary file, are hashed on the way, flushed to the
 * disk and only then renamed into place, so that a crash leaves either the whole blob or nothing.
 *
 * @example
 * const blobs = new FileBlobStore("/var/lib/gpuchain/blobs");
 * await blobs.put(bytes, { sha256: sha256Hex(bytes), maxBytes: 64 << 20 });
 */
export class FileBlobStore implements BlobStore {
  readonly directory: string;
  #swept: Promise<void> | undefined;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Where the blob lies, or would lie. */
  path(sha256: string): string {
    const hash = normalizeSha256(sha256);
    return join(this.directory, hash.slice(0, 2), hash);
  }

  async put(source: BlobSource, { sha256, maxBytes, signal }: PutBlobParameters): Promise<BlobStat> {
    const hash = normalizeSha256(sha256);
    const target = this.path(hash);
    const known = await this.stat(hash);
    if (known !== undefined) return known;
    await this.#sweep();
    const temporary = join(this.directory, "tmp", `${hash.slice(0, 16)}-${process.pid}-${randomUUID()}`);
    try {
      const size = await writeHashed(temporary, source, { hash, maxBytes, signal });
      await mkdir(dirname(target), { recursive: true });
      await rename(temporary, target);
      await syncDirectory(dirname(target));
      return { sha256: hash, size };
    } catch (error) {
      await rm(temporary, { force: true });
      throw fromFileError(error, target);
    }
  }

  async get(sha256: string, options: { signal?: AbortSignal; maxBytes?: number } = {}): Promise<Uint8Array> {
    const hash = normalizeSha256(sha256);
    const found = await this.stat(hash);
    if (found === undefined) throw blobNotFound(hash);
    if (options.maxBytes !== undefined && found.size > options.maxBytes) throw blobTooLarge(hash, options.maxBytes);
    const bytes = await readFile(this.path(hash), options.signal ? { signal: options.signal } : {});
    const actual = createHash("sha256").update(bytes).digest("hex");
    if (actual !== hash) throw blobHashMismatch(hash, actual);
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  async stream(sha256: string, { signal }: { signal?: AbortSignal } = {}): Promise<AsyncIterable<Uint8Array>> {
    const hash = normalizeSha256(sha256);
    if (!(await this.has(hash))) throw blobNotFound(hash);
    return createReadStream(this.path(hash), { highWaterMark: 256 * 1024, ...(signal ? { signal } : {}) });
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.stat(sha256)) !== undefined;
  }

  async stat(sha256: string): Promise<BlobStat | undefined> {
    const hash = normalizeSha256(sha256);
    try {
      return { sha256: hash, size: (await stat(this.path(hash))).size };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async delete(sha256: string): Promise<boolean> {
    try {
      await rm(this.path(sha256));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async *list(): AsyncIterable<BlobStat> {
    for (const folder of await readNames(this.directory)) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue;
      for (const name of await readNames(join(this.directory, folder))) {
        const found = /^[0-9a-f]{64}$/.test(name) ? await this.stat(name) : undefined;
        if (found !== undefined) yield found;
      }
    }
  }

  /** Removes what a crashed process left half written; once per store, before its first write. */
  #sweep(): Promise<void> {
    this.#swept ??= (async () => {
      const folder = join(this.directory, "tmp");
      await mkdir(folder, { recursive: true });
      for (const name of await readNames(folder)) {
        const owner = Number(/-(\d+)-/.exec(name)?.[1]);
        if (owner !== process.pid && !isRunning(owner)) await rm(join(folder, name), { force: true });
      }
    })();
    return this.#swept;
  }
}

const WRITE_BYTES = 2 ** 20;

async function writeHashed(
  path: string,
  source: BlobSource,
  expect: { hash: string; maxBytes: number | undefined; signal: AbortSignal | undefined },
): Promise<number> {
  const digest = createHash("sha256");
  let size = 0;
  // Pieces off a socket are small, and each write is a trip to another thread: several go together.
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const file = await open(path, "wx", 0o644);
  const flush = async (): Promise<void> => {
    const pieces = waiting;
    waiting = [];
    waitingBytes = 0;
    await writeAll(file, pieces);
  };
  try {
    for await (const piece of source instanceof Uint8Array ? [source] : source) {
      expect.signal?.throwIfAborted();
      size += piece.byteLength;
      if (expect.maxBytes !== undefined && size > expect.maxBytes) throw blobTooLarge(expect.hash, expect.maxBytes);
      digest.update(piece);
      waiting.push(piece);
      waitingBytes += piece.byteLength;
      if (waitingBytes >= WRITE_BYTES) await flush();
    }
    await flush();
    const actual = digest.digest("hex");
    if (actual !== expect.hash) throw blobHashMismatch(expect.hash, actual);
    await file.sync();
  } finally {
    await file.close();
  }
  return size;
}

/** Writes the pieces one behind the other without joining them first; a write may take only part of what it is given. */
async function writeAll(file: FileHandle, pieces: Uint8Array[]): Promise<void> {
  let left = pieces.filter(({ byteLength }) => byteLength > 0);
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left);
    while (left[0] !== undefined && bytesWritten >= left[0].byteLength) {
      bytesWritten -= left[0].byteLength;
      left = left.slice(1);
    }
    if (left[0] !== undefined && bytesWritten > 0) left = [left[0].subarray(bytesWritten), ...left.slice(1)];
  }
}

/** A rename is only durable once its directory is; some systems cannot open one, and then there is nothing to do. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function readNames(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
