import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fromFileError } from "./errors.ts";
import { FileBlobStore } from "./fileBlobStore.ts";
import { sha256Hex } from "./sha256.ts";

let dir: string;
let store: FileBlobStore;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "blobs-"));
  store = new FileBlobStore(dir);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const bytes = new TextEncoder().encode("some bytes");
const sha256 = sha256Hex(bytes);

async function* pieces(...parts: Uint8Array[]) {
  yield* parts;
}

async function listed() {
  const found = [];
  for await (const blob of store.list()) found.push(blob);
  return found;
}

const left = () => readdirSync(join(dir, "tmp"));

describe("FileBlobStore", () => {
  it("stores whole or streamed bytes under their hash, in either spelling", async () => {
    await store.put(pieces(bytes.subarray(0, 3), bytes.subarray(3)), { sha256: `0x${sha256.toUpperCase()}` });
    expect(await store.get(sha256)).toEqual(bytes);
    expect(await store.stat(sha256)).toEqual({ sha256, size: bytes.length });
    expect(await store.put(bytes, { sha256 })).toEqual({ sha256, size: bytes.length });
    expect(await listed()).toEqual([{ sha256, size: bytes.length }]);
    expect(left()).toEqual([]);
    expect(await store.delete(sha256)).toBe(true);
    expect(await store.delete(sha256)).toBe(false);
    expect(await store.has(sha256)).toBe(false);
  });

  it("shows nothing of bytes that are wrong, too many, or cut off", async () => {
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
    expect(await listed()).toEqual([]);
    expect(left()).toEqual([]);
  });

  it("names what is missing, damaged or no hash at all", async () => {
    await expect(store.get(sha256)).rejects.toMatchObject({ code: "BLOB_NOT_FOUND" });
    await store.put(bytes, { sha256 });
    await expect(store.get(sha256, { maxBytes: 2 })).rejects.toMatchObject({ code: "BLOB_TOO_LARGE" });
    writeFileSync(store.path(sha256), "other bytes");
    await expect(store.get(sha256)).rejects.toMatchObject({ code: "BLOB_HASH_MISMATCH" });
    for (const bad of ["", "../../etc/passwd", `${sha256}0`, "0x12"]) {
      await expect(store.get(bad)).rejects.toMatchObject({ code: "BLOB_HASH_INVALID" });
    }
  });

  it("lets two writers of the same blob both succeed", async () => {
    const big = new Uint8Array(1 << 20).fill(7);
    const hash = sha256Hex(big);
    await Promise.all([1, 2, 3].map(() => store.put(big, { sha256: hash })));
    expect((await store.get(hash)).length).toBe(big.length);
  });

  it("clears away what a killed process left half written", async () => {
    const module = new URL("./fileBlobStore.ts", import.meta.url).pathname;
    const script = `import { FileBlobStore } from ${JSON.stringify(module)};
      const slow = (async function* () { yield new Uint8Array(1000); console.log("half"); await new Promise((r) => setTimeout(r, 60000)); })();
      await new FileBlobStore(${JSON.stringify(dir)}).put(slow, { sha256: ${JSON.stringify(sha256)} });`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
    await once(child.stdout, "data");
    expect(left()).toHaveLength(1);
    child.kill("SIGKILL");
    await once(child, "exit");
    await store.put(bytes, { sha256 });
    expect(left()).toEqual([]);
    expect(await listed()).toHaveLength(1);
  });

  it.runIf(process.platform === "linux")("says that the disk is full", async () => {
    const full = await open("/dev/full", "w");
    const error = await full.writeFile("x").catch((reason: unknown) => fromFileError(reason, "somewhere"));
    await full.close();
    expect(error).toMatchObject({ code: "DISK_FULL", retryable: true });
  });
});
