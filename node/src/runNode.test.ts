import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig, openJournal } from "@gpuchain/sdk/daemon";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { configTable, connectionTable } from "./config.ts";
import { callDaemon } from "./control/callDaemon.ts";
import type { CommandName } from "./control/controlServer.ts";
import { createNodeJournal } from "./journal/nodeJournal.ts";
import type { NodeStatus } from "./nodeStatus.ts";
import { offlineUnbond } from "./offline.ts";
import { type Daemon, missingBuild, startNetwork, type TestNetwork, testAccount } from "./testing/network.ts";
import { testJob } from "./testing/testJob.ts";

const missing = missingBuild();
if (missing !== undefined) process.stderr.write(`SKIPPED: node against a real network: ${missing} is missing\n`);

describe.skipIf(missing !== undefined)("a node on a real network", { timeout: 180_000 }, () => {
  let network: TestNetwork;
  let node: Daemon;
  beforeAll(async () => {
    network = await startNetwork({ blockTime: 1, verifiers: 3 });
    node = await network.startNode("A", "0.002");
  }, 120_000);
  afterAll(() => network.stop());

  const stepsOf = (jobId: bigint, name: "CheckpointCommitted" | "CheckpointAccepted") =>
    network
      .of(name)
      .filter((event) => event.args.jobId === jobId)
      .map((event) => event.args.step);

  it("trains a job to its end, also when it is killed on the way, and no intent is mined twice", async () => {
    const jobId = await network.postJob(testJob({ steps: 120, interval: 20 }));
    await node.until("checkpoint.committed", (line) => line.step === 40);
    await node.kill("SIGKILL");
    node = await node.restart();
    await network.until("JobCompleted", (event) => event.args.jobId === jobId);

    const all = Array.from({ length: 6 }, (_, i) => 20 * (i + 1));
    expect(stepsOf(jobId, "CheckpointCommitted")).toEqual(all);
    expect(stepsOf(jobId, "CheckpointAccepted")).toEqual(all);
    // One lease from beginning to end: it was back before anybody could miss it, and the chain told it what was its own.
    const leases = network.of("LeaseAcquired").filter((event) => event.args.jobId === jobId);
    expect(leases).toHaveLength(1);
    expect(network.of("LeaseEnded").filter((event) => event.args.jobId === jobId)).toHaveLength(1);
    await node.until("earned", (line) => line.step === 120);
    // Whoever follows the job reads at a seat what the node said of its lease, before and after the kill.
    const [seat] = await network.client.read.listVerifiers();
    const answer = await fetch(`${seat?.endpoint}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        query: `{ logs(job: "${jobId}") { fence level message } steps(job: "${jobId}", limit: 1) { step microBatch memoryMb } }`,
      }),
    });
    const { data } = (await answer.json()) as {
      data: { logs: { fence: number; level: string; message: string }[]; steps: { memoryMb: number }[] };
    };
    expect(data.steps).toEqual([{ step: 1, microBatch: 32, memoryMb: expect.any(Number) }]);
    const told = data.logs.map(({ message }) => message);
    expect(told).toContain("training from step 0, on genesis");
    expect(told.filter((message) => message.startsWith("training from step "))).toHaveLength(2);
    expect(told).toContain("checkpoint at step 100 committed");
    expect(data.logs.every(({ fence, level }) => fence === 1 && level === "info")).toBe(true);
  });

  it("does what its owner asks while it runs", async () => {
    const ask = (command: CommandName) => callDaemon(node.data, { command });
    const status = (await ask("status")) as NodeStatus;
    expect(status).toMatchObject({ name: "A", state: "idle", paused: false });
    const { claimable } = await network.client.read.getAccount({ account: node.address });
    expect(BigInt(status.claimable ?? 0n)).toBe(claimable);
    const accepting = async () => (await network.client.read.getProvider({ account: node.address })).accepting;
    await ask("pause");
    expect(await accepting()).toBe(false);
    expect(await ask("status")).toMatchObject({ paused: true, waitingFor: "resume" });
    await ask("resume");
    expect(await accepting()).toBe(true);

    // The last job is paid once its dispute windows are over and a verifier has called payOut.
    await network.until("JobSettled");
    const before = await network.client.read.getUsdcBalance({ account: node.address });
    const { amount } = (await ask("withdraw")) as { amount: string };
    expect(BigInt(amount)).toBe(120n * 2_000n);
    expect(await network.client.read.getUsdcBalance({ account: node.address })).toBe(before + 120n * 2_000n);
    await expect(ask("withdraw")).rejects.toMatchObject({ code: "NOTHING_TO_WITHDRAW" });
  });

  it("takes a job for named providers with its proof, and says of one that does not name it why it is left to others", async () => {
    const others = [testAccount(5).address, testAccount(6).address];
    const theirs = await network.postJob(testJob({ steps: 10, interval: 10, providers: others }));
    const reason = new RegExp(`it is for 2 named providers, and ${node.address} is none of them`, "i");
    await node.until("job.left", (line) => line.job === theirs.toString() && reason.test(String(line.reason)));
    const status = async () => (await callDaemon(node.data, { command: "status" })) as NodeStatus;
    await vi.waitFor(async () => expect((await status()).waitingFor).toMatch(reason));

    const ours = await network.postJob(testJob({ steps: 10, interval: 10, providers: [...others, node.address] }));
    const lease = await network.until("LeaseAcquired", (event) => event.args.jobId === ours);
    expect(lease.args.provider).toBe(node.address);
    expect(network.of("LeaseAcquired").some((event) => event.args.jobId === theirs)).toBe(false);
  });

  it("is not held up by a job whose data nobody has, and says what it waits for", async () => {
    const lost = await network.postJob(testJob({ steps: 10, interval: 10, seed: 77 }), {}, true);
    await node.until("job.setback", (line) => line.job === lost.toString() && line.tries === 3);
    const status = async () => (await callDaemon(node.data, { command: "status" })) as NodeStatus;
    await vi.waitFor(async () => expect((await status()).waitingFor).toMatch(`the files of job ${lost} (`), 20_000);
    const good = await network.postJob(testJob({ steps: 10, interval: 10 }));
    await network.until("JobCompleted", (event) => event.args.jobId === good);
    expect(network.of("LeaseAcquired").some((event) => event.args.jobId === lost)).toBe(false);
    await network.cancelJob(lost);
  });

  it("hands its lease back on SIGTERM with a checkpoint that pays, and another finishes from there", async () => {
    const jobId = await network.postJob(testJob({ steps: 3000, interval: 250 }));
    await node.until("train.resumed", (line) => line.job === jobId.toString());
    await network.until("CheckpointCommitted", (event) => event.args.jobId === jobId);
    const { code } = await node.kill("SIGTERM");
    expect(code).toBe(0);
    const ended = await network.until("LeaseEnded", (event) => event.args.jobId === jobId);
    expect(ended.args.cause).toBe(1); // Released
    const [last] = stepsOf(jobId, "CheckpointCommitted").slice(-1);

    const other = await network.startNode("B", "0.003");
    const resumed = await other.until("train.resumed", (line) => line.job === jobId.toString());
    expect(resumed.fromStep).toBe(last);
    await network.until("JobCompleted", (event) => event.args.jobId === jobId);
    const steps = stepsOf(jobId, "CheckpointAccepted");
    expect(steps.at(-1)).toBe(3000);
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
    await other.kill("SIGTERM");
  });

  it("keeps an account of what it earned that agrees with the chain's", async () => {
    // It was down when its last checkpoints were accepted, and books them when it is back.
    node = await node.restart();
    await node.until("node.synced");
    await node.kill("SIGTERM");
    const pay = network
      .of("CheckpointAccepted")
      .filter((event) => event.args.provider === node.address)
      .reduce((sum, event) => sum + event.args.pay, 0n);
    const file = openJournal(join(node.data, "journal.db"));
    const { accepted } = createNodeJournal(file).earnings();
    const intents = file.all<{ intent: string; status: string }>("SELECT intent, status FROM intents");
    file.close();
    expect(accepted).toBe(pay);
    expect(intents.filter(({ status }) => status === "open")).toEqual([]);
    const nonce = await network.client.public.getTransactionCount({ address: node.address });
    expect(intents.filter(({ status }) => ["mined", "final", "reverted", "cancelled"].includes(status))).toHaveLength(
      nonce,
    );
  });

  it("leaves with its bond: what ended leases hold of it is freed first", async () => {
    const { read, public: chain } = network.client;
    const last = network.of("JobPosted").at(-1)?.args.jobId;
    await network.until("JobSettled", (event) => event.args.jobId === last);
    const { rpc, deploymentFile: deployment, passwordFile } = network;
    const config = loadConfig(connectionTable, { flags: { rpc, deployment, data: node.data, passwordFile } });
    const before = await read.getAccount({ account: node.address });
    expect(before.reserved).toBeGreaterThan(0n);
    const first = await offlineUnbond(config);
    expect(first).toMatchObject({ bond: before.bond });
    expect(first.secondsLeft).toBeGreaterThan(0);
    await chain.request({ method: "evm_increaseTime", params: [first.secondsLeft] } as never);
    await chain.request({ method: "evm_mine", params: [] } as never);
    expect(await offlineUnbond(config)).toEqual({ bond: before.bond, secondsLeft: 0 });
    expect(await read.getAccount({ account: node.address })).toEqual({
      claimable: before.claimable + before.bond,
      bond: 0n,
      reserved: 0n,
    });
    await expect(offlineUnbond(config)).rejects.toMatchObject({ code: "NOT_REGISTERED" });
  });

  it.each([
    [
      "whose contracts are not there",
      (file: string) => file.replace(/"jobs":"0x[0-9a-fA-F]{4}/, '"jobs":"0xdead'),
      "NO_CONTRACT",
    ],
    ["of another chain", (file: string) => file.replace('"chainId":31337', '"chainId":1'), "WRONG_CHAIN"],
    [
      "of another protocol version",
      (file: string) => file.replace('"protocolVersion":1', '"protocolVersion":99'),
      "PROTOCOL_VERSION",
    ],
  ])("refuses to start on a deployment %s, before it makes a key", async (_what, change, code) => {
    const { runNode } = await import("./runNode.ts");
    const deployment = join(network.folder, "wrong.json");
    writeFileSync(deployment, change(readFileSync(network.deploymentFile, "utf8")));
    const data = join(network.folder, "wrong");
    const flags = { rpc: network.rpc, deployment, data, passwordFile: network.passwordFile, logLevel: "error" };
    const config = loadConfig(configTable, { flags });
    await expect(runNode(config)).rejects.toMatchObject({ code });
    expect(existsSync(config.data)).toBe(false);
  });
});
