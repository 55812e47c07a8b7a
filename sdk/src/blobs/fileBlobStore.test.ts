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

async function listed() {
  const found = [];
  for await (const blob of store.list()) found.push(blob);
  return found;
}

const left = () => readdirSync(join(dir, "tmp"));

describe("FileBlobStore", () => {
  it("leaves no temporary file behind, whatever came of it", async () => {
    await store.put(bytes, { sha256 });
    await expect(store.put(bytes, { sha256: sha256Hex(new Uint8Array(1)) })).rejects.toThrow();
    expect(left()).toEqual([]);
  });

  it("notices bytes that were changed on the disk", async () => {
    await store.put(bytes, { sha256 });
    writeFileSync(store.path(sha256), "other bytes");
    await expect(store.get(sha256)).rejects.toMatchObject({ code: "BLOB_HASH_MISMATCH" });
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
