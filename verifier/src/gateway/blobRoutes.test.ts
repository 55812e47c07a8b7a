import { once } from "node:events";
import { connect } from "node:net";
import { createHttpBlobStore, fetchBlob, fetchTrace } from "@gpuchain/sdk/gateway";
import { encodeTrace, type Hex, sha256Hex, traceRoot } from "@gpuchain/sdk/records";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newAccount, startTestGateway, type TestGateway } from "./testGateway.ts";

const bytes = (length: number, seed = 1) => Uint8Array.from({ length }, (_, i) => (i * 31 + seed) & 255);
const provider = newAccount();
const client = newAccount();

describe("blobs at the gateway", () => {
  let test: TestGateway;
  beforeEach(async () => {
    test = await startTestGateway({
      limits: { maxCheckpointBytes: 100_000 },
      bodyLimits: { idleMs: 300, minBytesPerSecond: 1_000, graceMs: 400 },
    });
    test.ledger.jobs.set(1n, {
      client: client.address,
      specHash: sha256Hex(bytes(10, 99)),
      genesisHash: sha256Hex(bytes(10, 98)),
      budget: 5_000_000n,
      settledAt: undefined,
      seated: true,
    });
    test.ledger.fences.set("1/3", { provider: provider.address, state: "live" });
  });
  afterEach(() => test[Symbol.asyncDispose]());

  const store = async (account = provider, fence = 3n) =>
    createHttpBlobStore(await test.session(account), { job: 1n, fence });

  it("keeps a live fence's checkpoint and serves it to nobody before it is committed, then to anyone", async () => {
    const blob = bytes(50_000);
    const sha256 = sha256Hex(blob);
    const uploader = await store();
    await uploader.put(blob, { sha256 });
    expect(await uploader.stat(sha256)).toEqual({ size: 50_000 });
    const thief = await store(newAccount());
    expect(await thief.has(sha256)).toBe(false);
    for (const reader of [thief, uploader])
      await expect(reader.get(sha256)).rejects.toMatchObject({ code: "UNCOMMITTED", status: 403 });
    test.ledger.committed.add(`1/${sha256}`);
    expect(await fetchBlob(sha256, ["http://127.0.0.1:1", test.gateway.endpoint])).toEqual(blob);
  });

  it("serves a trace by its root once that is committed", async () => {
    const leaves = [5, 10].map((step) => ({
      step,
      stateHash: sha256Hex(bytes(4, step)),
      batchDigest: sha256Hex(bytes(5, step)),
      meanLoss: 0.5,
    }));
    const blob = encodeTrace(leaves);
    const root = traceRoot(leaves);
    await (await store()).put(blob, { sha256: sha256Hex(blob), purpose: "trace", traceRoot: root });
    await expect(fetchTrace(root, [test.gateway.endpoint])).rejects.toMatchObject({ code: "NOT_FOUND" });
    test.ledger.committed.add(`1/${root}`);
    expect((await fetchTrace(root, [test.gateway.endpoint])).leaves).toEqual(leaves);
    const junk = bytes(100);
    await expect(
      (await store()).put(junk, { sha256: sha256Hex(junk), purpose: "trace", traceRoot: root }),
    ).rejects.toMatchObject({ code: "BAD_REQUEST", status: 422 });
    expect(await test.keeper.blobs.has(sha256Hex(junk))).toBe(false);
  });

  it("refuses by name what has no right to be here", async () => {
    const blob = bytes(100);
    const sha256 = sha256Hex(blob);
    const code = (promise: Promise<unknown>) =>
      promise.then(
        () => "stored",
        (error: { code: string; status: number }) => `${error.status} ${error.code}`,
      );
    const owner = await store();
    expect(await code(owner.put(blob, { sha256: sha256Hex(bytes(99)) }))).toBe("422 BLOB_HASH_MISMATCH");
    expect(await code(owner.put(bytes(100_001), { sha256: sha256Hex(bytes(100_001)) }))).toBe("413 BLOB_TOO_LARGE");
    expect(await code((await store(newAccount())).put(blob, { sha256 }))).toBe("403 FORBIDDEN");
    expect(await code((await store(provider, 2n)).put(blob, { sha256 }))).toBe("409 STALE_FENCE");
    test.ledger.fences.set("1/3", { provider: provider.address, state: "over" });
    expect(await code(owner.put(blob, { sha256 }))).toBe("409 STALE_FENCE");
    test.ledger.fences.set("1/3", { provider: provider.address, state: "pending" });
    expect(await code(owner.put(blob, { sha256, purpose: "state" }))).toBe("403 FORBIDDEN");
    const asked = test.keeper.expectStates(1n, 3n, [sha256]);
    expect(await code(owner.put(blob, { sha256, purpose: "state" }))).toBe("stored");
    asked.close();
    const session = await test.session(provider);
    const elsewhere = createHttpBlobStore(session, { job: 9n, fence: 1n });
    expect(await code(elsewhere.put(blob, { sha256 }))).toBe("404 UNKNOWN_JOB");
    const anonymous = await fetch(`${test.gateway.endpoint}/v1/blobs/${sha256}?purpose=checkpoint&job=1&fence=3`, {
      method: "PUT",
      body: blob,
    });
    expect(anonymous.status).toBe(401);
    expect(await code(session.request("/v1/blobs/0x12", { method: "PUT" }))).toBe("400 BAD_REQUEST");
    expect(await code(session.request("/v1/blobs/..%2f..%2fetc"))).toBe("400 BLOB_HASH_INVALID");
    const stranger = createHttpBlobStore(session, { job: 1n });
    expect(await code(stranger.put(blob, { sha256 }))).toBe("403 FORBIDDEN");
  });

  it("does not take a hash without its bytes for a blob that another fence has in transit", async () => {
    const blob = bytes(2_000);
    const sha256 = sha256Hex(blob);
    await (await store()).put(blob, { sha256 });
    const thief = newAccount();
    test.ledger.fences.set("1/4", { provider: thief.address, state: "live" });
    const thieves = await store(thief, 4n);
    await expect(thieves.put(bytes(2_000, 7), { sha256 })).rejects.toMatchObject({ code: "BLOB_HASH_MISMATCH" });
    expect(await thieves.has(sha256)).toBe(false);
  });

  it("limits what one fence may leave uncommitted", async () => {
    const uploader = await store();
    for (let i = 0; i < 4; i++) await uploader.put(bytes(100, i), { sha256: sha256Hex(bytes(100, i)) });
    const fifth = bytes(100, 5);
    await expect(uploader.put(fifth, { sha256: sha256Hex(fifth) })).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    test.ledger.committed.add(`1/${sha256Hex(bytes(100, 0))}`);
    await uploader.put(fifth, { sha256: sha256Hex(fifth) });
  });

  it("limits what traces one fence may leave uncommitted", async () => {
    const uploader = await store();
    const put = async (step: number) => {
      const leaves = [{ step, stateHash: sha256Hex(bytes(1)), batchDigest: sha256Hex(bytes(2)), meanLoss: 1 }];
      const blob = encodeTrace(leaves);
      await uploader.put(blob, { sha256: sha256Hex(blob), purpose: "trace", traceRoot: traceRoot(leaves) });
      return traceRoot(leaves);
    };
    const first = await put(1);
    for (const step of [2, 3, 4]) await put(step);
    await expect(put(5)).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    test.ledger.committed.add(`1/${first}`);
    await put(5);
  });

  it("lets go of a caller that sends a byte now and then", async () => {
    const session = await test.session(provider);
    const socket = connect(test.gateway.port, "127.0.0.1");
    await once(socket, "connect");
    const sha256: Hex = sha256Hex(bytes(1_000));
    socket.write(
      `PUT /v1/blobs/${sha256}?purpose=checkpoint&job=1&fence=3 HTTP/1.1\r\nHost: x\r\n` +
        `Authorization: Bearer ${await session.token()}\r\nContent-Length: 1000\r\n\r\nx`,
    );
    socket.on("error", () => socket.destroy());
    socket.resume();
    await once(socket, "close");
    expect(await test.keeper.blobs.has(sha256)).toBe(false);
  });
});
