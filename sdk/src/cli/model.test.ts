// What a client gets in the end: a real training of a tiny job, committed and accepted on a real chain, fetched, verified
// and used through the command line.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createGpuchainClient, type Deployment, type GpuchainClient } from "../chain/index.ts";
import { startTestChain, type TestChain } from "../chain/testing/anvil.ts";
import { deployProtocol } from "../chain/testing/protocol.ts";
import { createScenario, type Scenario } from "../chain/testing/scenario.ts";
import { sealJob } from "../client/index.ts";
import { startTestGateway, type TestGateway } from "../client/testing/testGateway.ts";
import { tinyJob } from "../client/testing/tinyJob.ts";
import { encodeJobSpec, type Hex, sha256Hex, specHash } from "../records/index.ts";
import { createProgram, createTrainer, decodeDataset, encodeCheckpoint, initialState } from "../training/index.ts";
import { createNativeRuntime } from "../training/runtimes/native.ts";
import { captureCli } from "./testing/captureCli.ts";

let chain: TestChain;
let deployment: Deployment;
let gateways: TestGateway[];
let client: GpuchainClient;
let scene: Scenario;
let dir: string;
let jobId: bigint;
let receipt: object;
const controller = new AbortController();
const ownerKey = `0x${"1".repeat(64)}` as const;
const strangersKey = `0x${"2".repeat(64)}` as const;
const owner = privateKeyToAccount(ownerKey);
const plain = tinyJob();
const { spec, blobs: named } = await sealJob({ account: owner }, plain);
const blobs = named.map(({ bytes }) => bytes);

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "model-"));
  chain = await startTestChain();
  deployment = await deployProtocol(chain);
  client = createGpuchainClient({ rpc: chain.ws, deployment, pollingInterval: 50, signal: controller.signal });
  gateways = await Promise.all([1, 2, 3].map(() => startTestGateway()));
  const urls = gateways.map(({ url }) => url);
  scene = await createScenario(chain, client, controller.signal, urls, owner);
  const states = await train();
  // Each seat holds something else, so that more than one has to be asked.
  const held = [encodeJobSpec(spec), ...blobs, ...states.values()];
  for (const [index, bytes] of held.entries()) gateways[index % 3]?.blobs.set(sha256Hex(bytes), bytes);

  ({ jobId } = await scene.post({ specHash: specHash(spec), totalSteps: 20, checkpointInterval: 10 }));
  const fence = await scene.acquire(jobId);
  await scene.seat(jobId);
  gateways[0]?.steps.set(
    fence,
    [1, 2, 3, 4].map((step) => ({ step, loss: 1 / step })),
  );
  const seat = scene.verifiers[0] as LocalAccount;
  const signedJson = JSON.stringify({ job: jobId.toString(), fence });
  const signature = await seat.signMessage({ message: signedJson });
  receipt = {
    ...{ fence, nextFence: 2, from: "0x1", to: "0x2", cause: "Evicted", stepsLost: 3, resumedFrom: 10 },
    ...{ silentToEndedMs: 1, endedToAcquiredMs: 2, acquiredToFirstStepMs: 3 },
    ...{ verifier: seat.address, signedJson, signature },
  };
  for (const { receipts } of gateways) receipts.push(receipt, { ...receipt, fence: 2, signedJson: "{}" });
  let parent = 0n;
  for (const [step, bytes] of states) {
    const { checkpointId } = await scene.commit(jobId, fence, step, parent, sha256Hex(bytes));
    await scene.judge(checkpointId, "Accept", true);
    parent = checkpointId;
  }
  writeFileSync(
    join(dir, "deployment.json"),
    JSON.stringify({ ...deployment, startBlock: Number(deployment.startBlock) }),
  );
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  controller.abort(new Error("over"));
  client.close();
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await chain.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Trains the job and gives the checkpoints' bytes by step. */
async function train(): Promise<Map<number, Uint8Array>> {
  const program = createProgram(spec);
  const data = decodeDataset(blobs[0] as Uint8Array);
  const trainer = await createTrainer({
    program,
    runtime: createNativeRuntime({ threads: 1 }),
    data,
    state: initialState(program),
  });
  const states = new Map<number, Uint8Array>();
  for (let step = 1; step <= 20; step++) {
    await trainer.step();
    if (step % 10 === 0) states.set(step, encodeCheckpoint(program, trainer.state()));
  }
  await trainer.close();
  return states;
}

const base = () => [
  ...["--rpc", chain.ws, "--deployment", join(dir, "deployment.json"), "--data-dir", join(dir, "data")],
  ...["--profile", join(dir, "none.json"), "--json"],
];

async function cli(...argv: string[]) {
  const { lines, ...rest } = await captureCli([...argv, ...base()]);
  return { ...rest, lines: lines as JsonLine[] };
}

/** Any of the shapes that commands print; the tests look at single fields. */
interface JsonLine {
  event: { name: string };
  evaluation?: object;
}

const FILES = [
  ...["checkpoint.safetensors", "model.onnx", "spec.json", "tokenizer.hashed-words.json"],
  ...["metrics.json", "receipts.json", "proof.json"],
];

const job = () => jobId.toString();

describe("a trained model", () => {
  it("is fetched with its proof, also an intermediate one, and used", async () => {
    const folder = join(dir, "model");
    const fetched = await cli("fetch", job(), "--out", folder);
    expect(fetched.lines).toMatchObject([{ step: 20, status: "Accepted", files: FILES }]);
    const proof = JSON.parse(readFileSync(join(folder, "proof.json"), "utf8"));
    expect(sha256Hex(new Uint8Array(readFileSync(join(folder, "checkpoint.safetensors"))))).toBe(proof.stateHash);
    expect(proof).toMatchObject({ step: 20, chainId: 31337, votes: [{ outcome: "Accept" }, { outcome: "Accept" }] });
    const metrics = JSON.parse(readFileSync(join(folder, "metrics.json"), "utf8"));
    expect(metrics.steps).toMatchObject([{ fence: 1, step: 1 }, { step: 2 }, { step: 3 }, { step: 4 }]);
    expect(metrics.checkpoints).toMatchObject([{ step: 10 }, { step: 20, votes: [{ outcome: "Accept" }, {}] }]);
    // A receipt that no seat signed is nobody's word.
    expect(JSON.parse(readFileSync(join(folder, "receipts.json"), "utf8"))).toEqual([receipt]);
    const predicted = await cli("predict", folder, "seen a good", "seen b bad");
    const label = expect.stringMatching(/^(good|bad)$/);
    expect(predicted.lines).toEqual([
      [
        { text: "seen a good", label, probability: expect.any(Number) },
        { text: "seen b bad", label, probability: expect.any(Number) },
      ],
    ]);
    expect((await cli("fetch", job(), "--checkpoint", "1", "--out", join(dir, "early"))).lines).toMatchObject([
      { step: 10 },
    ]);
  });

  it("is not half written when fetch is stopped, wherever that is; another run finishes", async () => {
    const { headId } = await client.read.getQueue({ jobId });
    const { stateHash } = await client.read.getCommit({ checkpointId: headId });
    const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
    const folders: string[] = [];
    for (const path of [`/v1/blobs/${specHash(spec)}`, `/v1/blobs/${stateHash}`, "/graphql"]) {
      const folder = join(dir, `stopped-${folders.push(path)}`);
      const halfway = Promise.race(gateways.map((gateway) => gateway.hold(path)));
      const child = spawn(process.execPath, [main, "fetch", job(), "--out", folder, ...base()], { stdio: "ignore" });
      const ended = once(child, "exit");
      await halfway;
      child.kill("SIGINT");
      expect(await ended).toEqual([130, null]);
      for (const gateway of gateways) gateway.release();
      expect(existsSync(folder)).toBe(false);
    }
    const again = await cli("fetch", job(), "--out", join(dir, "stopped-1"));
    expect(again).toMatchObject({ code: 0, lines: [{ step: 20, files: FILES }] });
    expect(readdirSync(join(dir, "stopped-1")).sort()).toEqual(FILES.toSorted());
  });

  it("of another checkpoint or job than there are is none, and nothing is paid for asking", async () => {
    vi.stubEnv("GPUCHAIN_PRIVATE_KEY", ownerKey);
    const sent = () => client.public.getTransactionCount({ address: owner.address });
    const before = await sent();
    const reason = ["--reason", "x"];
    for (const argv of [["fetch"], ["verify"], ["dispute", ...reason]]) {
      const [command = "", ...flags] = argv;
      const { code, lines } = await cli(command, job(), "--checkpoint", "7", ...flags);
      const message = `job ${job()} has no checkpoint 7`;
      expect([command, code, lines]).toMatchObject([
        command,
        1,
        [{ error: { code: "CHECKPOINT_NOT_FOUND", message } }],
      ]);
    }
    const dispute = ["dispute", "--checkpoint", "1", ...reason];
    for (const argv of [["show"], ["watch"], ["fetch"], ["verify"], ["cancel"], dispute]) {
      const [command = "", ...flags] = argv;
      const { code, lines } = await cli(command, "99999", ...flags);
      expect([command, code, lines]).toMatchObject([command, 1, [{ error: { code: "JOB_NOT_FOUND" } }]]);
    }
    expect(await sent()).toBe(before);
    vi.stubEnv("GPUCHAIN_PRIVATE_KEY", strangersKey);
    expect(await cli("cancel", job())).toMatchObject({ code: 1, lines: [{ error: { code: "NOT_CLIENT" } }] });
  });

  it("is verified by running the paid steps and the evaluation again", async () => {
    const { code, lines } = await cli("verify", job(), "--checkpoint", "1", "--threads", "1");
    expect(lines).toMatchObject([{ holds: true, step: 10, replay: { fromStep: 0, toStep: 10, ok: true } }]);
    expect(lines[0]?.evaluation).toBeUndefined();
    expect(code).toBe(0);
    vi.stubEnv("GPUCHAIN_PRIVATE_KEY", ownerKey);
    const own = await cli("verify", job(), "--no-replay", "--threads", "1");
    expect(own.lines).toMatchObject([{ step: 20, evaluation: { examples: 8, nll: expect.any(Number) } }]);
    // Anybody's key will do for the training; the held-out data is the client's.
    vi.stubEnv("GPUCHAIN_PRIVATE_KEY", strangersKey);
    const anybodys = await cli("verify", job(), "--threads", "1");
    expect(anybodys).toMatchObject({ code: 0, lines: [{ holds: true, step: 20, replay: { fromStep: 10, ok: true } }] });
    expect(anybodys.lines[0]?.evaluation).toBeUndefined();
  });

  it("is told of in order by watch, down to the last event", async () => {
    const { lines } = await cli("watch", job(), "--until", "completed", "--no-steps");
    const names = lines.map(({ event }) => event.name);
    expect(names.filter((name) => name === "CheckpointAccepted")).toHaveLength(2);
    expect(names).toContain("JobCompleted");
  });

  it("is not verified when the bytes do not follow from their parent", async () => {
    const false_ = encodeCheckpoint(createProgram(spec), { ...initialState(createProgram(spec)), step: 10 });
    const stateHash: Hex = sha256Hex(false_);
    for (const gateway of gateways) gateway.blobs.set(stateHash, false_);
    const other = await scene.post({ specHash: specHash(spec), totalSteps: 20, checkpointInterval: 10 });
    const fence = await scene.acquire(other.jobId);
    await scene.seat(other.jobId);
    const { checkpointId } = await scene.commit(other.jobId, fence, 10, 0n, stateHash);
    await scene.judge(checkpointId, "Accept", false);
    const { code, lines } = await cli("verify", other.jobId.toString(), "--threads", "1");
    expect(lines).toMatchObject([
      { holds: false, replay: { ok: false, sameBits: false } },
      { error: { code: "WORK_NOT_CONFIRMED" } },
    ]);
    expect(code).toBe(1);

    const argv = ["dispute", other.jobId.toString(), "--checkpoint", "1", "--reason", "the bytes are genesis"];
    vi.stubEnv("GPUCHAIN_PRIVATE_KEY", strangersKey);
    expect((await cli(...argv)).lines).toMatchObject([{ error: { code: "NOT_CLIENT", hint: expect.any(String) } }]);
    vi.stubEnv("GPUCHAIN_PRIVATE_KEY", ownerKey);
    const before = await client.read.getUsdcBalance({ account: owner.address });
    const disputed = await cli(...argv);
    expect(disputed).toMatchObject({ code: 0, lines: [{ bond: "1.000000", arbiterUntil: expect.any(Number) }] });
    expect(await client.read.getChallenge({ checkpointId })).toMatchObject({ kind: "Dispute", state: "Open" });
    expect(await client.read.getUsdcBalance({ account: owner.address })).toBe(before - 1_000_000n);
    expect((await cli("show", other.jobId.toString())).lines).toMatchObject([
      { dispute: { checkpoint: 1, state: "Open" } },
    ]);
    // Running it again neither disputes nor pays twice.
    expect((await cli(...argv)).code).toBe(0);
    expect(await client.read.getUsdcBalance({ account: owner.address })).toBe(before - 1_000_000n);
    vi.unstubAllEnvs();
  });
});
