import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BlobStore } from "./blobStore.ts";
import { FileBlobStore } from "./fileBlobStore.ts";
import { S3BlobStore } from "./s3BlobStore.ts";
import { sha256Hex } from "./sha256.ts";

const KEYS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
let folder: string;
let s3rver: S3rver;
let origin: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stores-"));
  s3rver = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: join(folder, "s3"),
    configureBuckets: [{ name: "gpuchain", configs: [] }],
  });
  origin = `http://127.0.0.1:${(await s3rver.run()).port}`;
});
afterAll(async () => {
  s3rver.httpServer.closeAllConnections();
  await s3rver.close();
  rmSync(folder, { recursive: true, force: true });
});

const bytes = new TextEncoder().encode("some bytes");
const sha256 = sha256Hex(bytes);

async function* pieces(...parts: Uint8Array[]) {
  yield* parts;
}

async function listed(store: BlobStore) {
  const found = [];
  for await (const blob of store.list()) found.push(blob);
  return found;
}

async function joined(source: AsyncIterable<Uint8Array>) {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}

/** What any store must do: the same tests for files and for a bucket. */
describe.each([
  ["files", (name: string): BlobStore => new FileBlobStore(join(folder, name))],
  [
    "a bucket",
    (name: string): BlobStore =>
      new S3BlobStore({ url: `${origin}/gpuchain/${name}`, ...KEYS, spool: join(folder, "spool") }),
  ],
])("blobs in %s", (_what, open) => {
  it("lie under their hash, in either spelling, whole or streamed", async () => {
    const store = open("hashes");
    await store.put(pieces(bytes.subarray(0, 3), bytes.subarray(3)), { sha256: `0x${sha256.toUpperCase()}` });
    expect(await store.get(sha256)).toEqual(bytes);
    expect(await joined(await store.stream(sha256))).toEqual(bytes);
    expect(await store.stat(sha256)).toEqual({ sha256, size: bytes.length });
    expect(await store.put(bytes, { sha256 })).toEqual({ sha256, size: bytes.length });
    expect(await listed(store)).toEqual([{ sha256, size: bytes.length }]);
    expect(await listed(open("others"))).toEqual([]);
    expect(await store.delete(sha256)).toBe(true);
    expect(await store.delete(sha256)).toBe(false);
    expect(await store.has(sha256)).toBe(false);
  });

  it("are not there when they are wrong, too many, or cut off", async () => {
    const store = open("wrong");
    const other = sha256Hex(new Uint8Array(1));
    await expect(store.put(bytes, { sha256: other })).rejects.toMatchObject({ code: "BLOB_HASH_MISMATCH" });
    await expect(store.put(bytes, { sha256, maxBytes: 3 })).rejects.toMatchObject({ code: "BLOB_TOO_LARGE" });
    const cut = (async function* () {
      yield bytes.subarray(0, 2);
      throw new Error("connection lost");
    })();
    await expect(store.put(cut, { sha256 })).rejects.toThrow("connection lost");
    const aborted = AbortSignal.abort(new Error("stopped"));
    await expect(store.put(bytes, { sha256, signal: aborted })).rejects.toThrow("stopped");
    expect(await listed(store)).toEqual([]);
  });

  it("are missed by name, and a hash that is none names nothing", async () => {
    const store = open("names");
    await expect(store.get(sha256)).rejects.toMatchObject({ code: "BLOB_NOT_FOUND" });
    await expect(store.stream(sha256)).rejects.toMatchObject({ code: "BLOB_NOT_FOUND" });
    await store.put(bytes, { sha256 });
    await expect(store.get(sha256, { maxBytes: 2 })).rejects.toMatchObject({ code: "BLOB_TOO_LARGE" });
    for (const bad of ["", "../../etc/passwd", `${sha256}0`, "0x12"])
      await expect(store.get(bad)).rejects.toMatchObject({ code: "BLOB_HASH_INVALID" });
  });

  it("may be written by several at once", async () => {
    const store = open("several");
    const big = new Uint8Array(1 << 20).fill(7);
    const hash = sha256Hex(big);
    await Promise.all([1, 2, 3].map(() => store.put(big, { sha256: hash })));
    expect((await store.get(hash)).length).toBe(big.length);
  });

  it("are all listed, however many there are", async () => {
    const store = open("many");
    const all = Array.from({ length: 12 }, (_, i) => new Uint8Array(i + 1));
    await Promise.all(all.map((one) => store.put(one, { sha256: sha256Hex(one) })));
    const sizes = (await listed(store)).map(({ size }) => size);
    expect(sizes.sort((a, b) => a - b)).toEqual(all.map(({ length }) => length));
  });
});

describe("a bucket", () => {
  it("that is not there, or does not know the keys, says what to check", async () => {
    const missing = new S3BlobStore({ url: `${origin}/nowhere`, ...KEYS, spool: folder });
    await expect(missing.put(bytes, { sha256 })).rejects.toMatchObject({ code: "STORE_REFUSED", retryable: false });
    const stranger = new S3BlobStore({
      url: `${origin}/gpuchain`,
      accessKeyId: "nobody",
      secretAccessKey: "S3RVER",
      spool: folder,
    });
    await expect(stranger.get(sha256)).rejects.toMatchObject({ code: "STORE_REFUSED" });
    const silent = new S3BlobStore({ url: "http://127.0.0.1:9/gpuchain", ...KEYS, spool: folder });
    await expect(silent.has(sha256)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
  });
});
