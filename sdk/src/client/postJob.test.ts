import { hexToBytes, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createGpuchainClient,
  createMemoryIntentStore,
  createSender,
  type Deployment,
  type GpuchainClient,
  getMaxLiability,
  getReserves,
  jobsAbi,
} from "../chain/index.ts";
import { startTestChain, type TestChain, testAccount } from "../chain/testing/anvil.ts";
import { addVerifier } from "../chain/testing/parties.ts";
import { deployProtocol } from "../chain/testing/protocol.ts";
import { recordingLog } from "../chain/testing/recordingLog.ts";
import { deriveEncryptionKeys, openBytes, openKey } from "../crypto/index.ts";
import { parseJobSpec, providersRoot, sha256Hex, specHash } from "../records/index.ts";
import { cancelJob } from "./cancelJob.ts";
import type { ClientContext } from "./clientContext.ts";
import { faucet } from "./faucet.ts";
import { findEndpoints } from "./findEndpoints.ts";
import { type PostJobParameters, postJob } from "./postJob.ts";
import { startTestGateway, type TestGateway } from "./testing/testGateway.ts";
import { tinyJob } from "./testing/tinyJob.ts";
import { withdraw } from "./withdraw.ts";

let chain: TestChain;
let deployment: Deployment;
let gateways: TestGateway[];
let client: GpuchainClient;
let controller: AbortController;
let context: ClientContext;
let jobs = 0;

beforeAll(async () => {
  chain = await startTestChain();
  deployment = await deployProtocol(chain);
  gateways = await Promise.all([1, 2, 3].map(() => startTestGateway()));
  for (const [index, { url }] of gateways.entries()) await addVerifier(chain, deployment, testAccount(3 + index), url);
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await chain.stop();
});
beforeEach(async () => {
  controller = new AbortController();
  const account = privateKeyToAccount(generatePrivateKey());
  await chain.test.setBalance({ address: account.address, value: parseEther("1") });
  client = createGpuchainClient({ rpc: chain.ws, deployment, pollingInterval: 50, signal: controller.signal });
  context = { client, account, ...fresh(account) };
});
afterEach(() => {
  controller.abort(new Error("test over"));
  client.close();
});

function fresh(account: ClientContext["account"], intents = createMemoryIntentStore()) {
  const log = recordingLog();
  const { signal } = controller;
  return { sender: createSender({ client, account, intents, log, signal }), log, signal };
}

function job(more: Partial<PostJobParameters> = {}): PostJobParameters {
  jobs += 1;
  return { ...tinyJob(`tiny ${jobs}`), terms: { maxPricePerStep: 3_000n, verifierFee: 10_000n }, ...more };
}

describe("postJob", () => {
  it("locks exactly the worst case and puts the bytes where the judges look", async () => {
    await faucet(context, { amount: 5_000_000n });
    const wanted = job();
    const posted = await postJob(context, wanted);
    const [train] = wanted.blobs as [Uint8Array, Uint8Array];
    const hashes = [specHash(posted.spec), sha256Hex(train), posted.spec.data.heldOut.sha256];
    for (const { blobs } of gateways) expect([...blobs.keys()]).toEqual(expect.arrayContaining(hashes));
    expect(posted.holders).toHaveLength(3);
    const { budget, terms, client: owner } = await client.read.getJob({ jobId: posted.jobId });
    expect(owner).toBe(context.account.address);
    expect(terms.specHash).toBe(specHash(posted.spec));
    const worst = await getMaxLiability(client, { terms });
    expect(budget).toBe(worst > 1_000_000n ? worst : 1_000_000n);
    const { held, owed } = await getReserves(client);
    expect(held).toBeGreaterThanOrEqual(owed);
  });

  it("seals the held-out data: the bytes at the gateways open only with the key that each seat can open", async () => {
    await faucet(context, { amount: 5_000_000n });
    const wanted = job();
    const [, heldOut] = wanted.blobs as [Uint8Array, Uint8Array];
    const { jobId, spec } = await postJob(context, wanted);
    expect(spec.data.heldOut).toMatchObject({ sealed: true, plain: sha256Hex(heldOut) });
    for (const [index, gateway] of gateways.entries()) {
      expect(gateway.blobs.get(sha256Hex(heldOut))).toBeUndefined();
      expect(parseJobSpec(gateway.blobs.get(specHash(spec)) as Uint8Array)).toEqual(spec);
      const sealed = gateway.blobs.get(spec.data.heldOut.sha256) as Uint8Array;
      const sealedKey = gateway.keys.get(jobId.toString()) ?? "0x";
      const key = await openKey(hexToBytes(sealedKey), await deriveEncryptionKeys(testAccount(3 + index)));
      expect(await openBytes(sealed, key)).toEqual(heldOut);
      const stranger = await deriveEncryptionKeys(context.account);
      await expect(openKey(hexToBytes(sealedKey), stranger)).rejects.toMatchObject({ code: "SEAL_BROKEN" });
      await expect(
        openBytes(
          sealed,
          key.map((byte) => byte ^ 1),
        ),
      ).rejects.toMatchObject({ code: "SEAL_BROKEN" });
    }
    const trusted = [testAccount(6).address, testAccount(5).address];
    const open = await postJob(context, { ...job(), seal: false, providers: trusted });
    expect(open.spec.data.heldOut.sealed).toBe(false);
    // Who may train it stands in the spec, where providers read it, and its root on chain, where they are held to it.
    const published = parseJobSpec(gateways[0]?.blobs.get(specHash(open.spec)) ?? new Uint8Array());
    expect(published.providers).toEqual(trusted.map((address) => address.toLowerCase()).sort());
    const { terms } = await client.read.getJob({ jobId: open.jobId });
    expect(terms.eligibilityRoot).toBe(providersRoot(published.providers ?? []));
    expect(gateways[0]?.keys.get(open.jobId.toString())).toBeUndefined();
    const lost = await postJob(context, {
      ...wanted,
      spec,
      blobs: [...(gateways[0]?.blobs ?? new Map()).values()],
    }).catch((error: unknown) => error);
    expect(lost).toMatchObject({ code: "HELD_OUT_KEY_MISSING" });
  });

  it("takes up where it stopped: nothing is posted, paid or sent twice", async () => {
    await faucet(context, { amount: 5_000_000n });
    const wanted = job();
    for (const gateway of gateways.slice(1)) gateway.failUploads(100);
    const before = await client.read.getJobCount();
    const cut = await postJob(context, wanted).catch((error: unknown) => error);
    expect(cut).toMatchObject({ code: "UPLOAD_INCOMPLETE", data: { jobId: before + 1n } });
    for (const gateway of gateways) gateway.failUploads(0);
    const sent = gateways[0]?.uploads;
    // A new process: no memory of what it sent.
    const posted = await postJob({ ...context, ...fresh(context.account) }, wanted);
    expect(posted).toMatchObject({ jobId: before + 1n, already: true });
    expect(gateways[0]?.uploads).toBe(sent);
    expect(await client.read.getJobCount()).toBe(before + 1n);
    const balance = await client.read.getUsdcBalance({ account: context.account.address });
    expect(balance + posted.terms.budget).toBe(5_000_000n);
  });

  it("posts the same spec again under another name, and each name once", async () => {
    await faucet(context, { amount: 10_000_000n });
    const wanted = job();
    const intents = createMemoryIntentStore();
    const own = () => ({ ...context, ...fresh(context.account, intents) });
    const first = await postJob(own(), { ...wanted, name: "one" });
    const second = await postJob(own(), { ...wanted, name: "two" });
    const again = await postJob(own(), { ...wanted, name: "two" });
    expect(second.jobId).toBe(first.jobId + 1n);
    expect([first.already, second.already]).toEqual([false, false]);
    expect(again).toMatchObject({ jobId: second.jobId, already: true });
    const { spec } = wanted;
    const other = { ...wanted, spec: { ...spec, title: "another job" } };
    const taken = await postJob(own(), { ...other, name: "two" }).catch((error: unknown) => error);
    expect(taken).toMatchObject({ code: "NAME_TAKEN", data: { jobId: second.jobId } });
    expect(await client.read.getJobCount()).toBe(second.jobId);
  });

  it("refuses before any money moves, each time with what to do", async () => {
    const nothing = await postJob(context, job()).catch((error: unknown) => error);
    expect(nothing).toMatchObject({ code: "BALANCE_TOO_LOW" });
    await faucet(context, { amount: 5_000_000n });
    const cases: [Partial<PostJobParameters>, string][] = [
      [{ terms: { maxPricePerStep: 3_000n, budget: 10n } }, "BUDGET_TOO_LOW"],
      [{ blobs: [] }, "BLOB_MISSING"],
      [{ terms: { maxPricePerStep: 3_000n, verifierFee: 10_000n, pulseTimeoutMs: 1 } }, "REVERTED"],
    ];
    for (const [changed, code] of cases) {
      expect(await postJob(context, job(changed)).catch((error: unknown) => error)).toMatchObject({ code });
    }
    const spec = { ...job().spec, training: { ...job().spec.training, steps: 0 } };
    expect(await postJob(context, job({ spec })).catch((error: unknown) => error)).toMatchObject({
      code: "BAD_JOB_SPEC",
    });
    expect(await client.read.getUsdcBalance({ account: context.account.address })).toBe(5_000_000n);
    expect(await client.public.getTransactionCount({ address: context.account.address })).toBe(1);
  });
});

describe("the client's other calls", () => {
  it("cancels, settles and withdraws to the last unit", async () => {
    await faucet(context, { amount: 5_000_000n });
    const { jobId } = await postJob(context, job());
    expect(await cancelJob(context, { jobId })).toMatchObject({ cancelFeeDue: false });
    const caller = { ...context, sender: fresh(context.account).sender };
    const send = (functionName: "close" | "payOut", args: readonly unknown[]) =>
      caller.sender.send({
        intent: functionName,
        address: deployment.contracts.jobs,
        abi: jobsAbi,
        functionName,
        args,
      });
    await send("close", [jobId]);
    await chain.test.increaseTime({ seconds: 700 });
    await chain.test.mine({ blocks: 1 });
    await send("payOut", [jobId, 50n]);
    expect((await withdraw(context)).amount).toBeGreaterThan(0n);
    expect(await withdraw(context)).toEqual({ amount: 0n });
    expect(await client.read.getUsdcBalance({ account: context.account.address })).toBe(5_000_000n);
  });

  it("finds the gateways of verifiers that would take a job's terms", async () => {
    const all = await findEndpoints(client);
    expect(all.map(({ url }) => url)).toEqual(gateways.map(({ url }) => url));
    expect(await findEndpoints(client, { terms: { templateId: 0, verifierFee: 0n } })).toHaveLength(3);
  });
});
