import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SPARE_FOLDER } from "@gpuchain/sdk/compute";
import { sha256Hex } from "@gpuchain/sdk/records";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStateFiles } from "./stateFiles.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpuchain-states-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("state files", () => {
  it("gives back what was written, and nothing it does not have", async () => {
    const files = await openStateFiles(folder);
    const hash = sha256Hex(bytes("weights"));
    await files.write(hash, bytes("weights"));
    expect(await files.verify(hash)).toBe(true);
    expect(await files.read(hash)).toEqual(bytes("weights"));
    const other = sha256Hex(bytes("other"));
    expect(await files.verify(other)).toBe(false);
    expect(await files.read(other)).toBeUndefined();
  });

  it("removes a file whose bytes are not what its name says", async () => {
    const files = await openStateFiles(folder);
    const hash = sha256Hex(bytes("weights"));
    writeFileSync(files.path(hash), bytes("weigh"));
    expect(await files.verify(hash)).toBe(false);
    expect(await readdir(folder)).toEqual([]);
  });

  it("sweeps what nobody needs, and what a process that is gone left half written, but no write in progress", async () => {
    const files = await openStateFiles(folder);
    const kept = sha256Hex(bytes("kept"));
    const dropped = sha256Hex(bytes("dropped"));
    await files.write(kept, bytes("kept"));
    await files.write(dropped, bytes("dropped"));
    const mine = `${kept.slice(2)}.${process.pid}.tmp`;
    writeFileSync(join(folder, mine), "half");
    writeFileSync(join(folder, `${dropped.slice(2)}.999999999.tmp`), "half");
    // What was written just now may not have been told of yet.
    expect(await files.sweep(new Set([kept]), 60_000)).toBe(1);
    expect(await files.sweep(new Set([kept]), 0)).toBe(1);
    expect((await readdir(folder)).sort()).toEqual([kept.slice(2), mine, SPARE_FOLDER].sort());
  });

  it("puts a bounded number of states aside, to be written over", async () => {
    const files = await openStateFiles(folder);
    for (let i = 0; i < 14; i++) await files.write(sha256Hex(bytes(`state ${i}`)), bytes(`state ${i}`));
    expect(await files.sweep(new Set(), 0)).toBe(14);
    expect(await readdir(folder)).toEqual([SPARE_FOLDER]);
    expect(await readdir(join(folder, SPARE_FOLDER))).toHaveLength(10);
    await files.write(sha256Hex(bytes("one more")), bytes("one more"));
    expect(await files.sweep(new Set(), 0)).toBe(1);
    expect(await readdir(join(folder, SPARE_FOLDER))).toHaveLength(10);
  });
});
