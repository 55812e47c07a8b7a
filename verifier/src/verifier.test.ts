import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkpointIdOf, contentDigestOf, registryAbi, signEviction, signVerdict } from "@gpuchain/sdk/chain";
import { loadConfig } from "@gpuchain/sdk/daemon";
import { openSession, postSignature } from "@gpuchain/sdk/gateway";
import { sha256Hex, type TraceLeaf, traceRoot } from "@gpuchain/sdk/records";
import { createProgram, decodeCheckpoint, encodeCheckpoint } from "@gpuchain/sdk/training";
import { type Hex, recoverMessageAddress, zeroHash } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judge } from "./commands/judge.ts";
import { configTable } from "./config.ts";
import { startNetwork, type TestNetwork, testAccount } from "./testing/network.ts";
import { postTestJob, until } from "./testing/testClient.ts";
import { type Segment, TestProvider } from "./testing/testProvider.ts";
import { startVerifier, type TestVerifier } from "./testing/testVerifier.ts";
import { SEALED_SEED, sealedTinyJob, tinyJob } from "./testing/tinyJob.ts";

/** What the gateway's GraphQL is asked for. */
interface Shown {
  readonly steps: readonly { readonly step: number; readonly fence: number }[];
  readonly receipts: readonly {
    readonly cause: string;
    readonly signedJson: string;
    readonly signature: Hex;
    readonly verifier: string;
  }[];
}

const EVICTED = 4;
const ACCEPT = 1;

/** Pieces of sealed data and the ways in which their key may be written: what must be found nowhere. */
function secretsOf(plain: Uint8Array, key: Uint8Array | undefined): Record<string, Buffer> {
  const bytes = Buffer.from(key ?? []);
  expect(bytes.length).toBe(32);
  return {
    data: Buffer.from(plain.subarray(plain.length - 48)),
    "the key": bytes,
    "the key in hex": Buffer.from(bytes.toString("hex")),
    "the key in base64": Buffer.from(bytes.toString("base64").replace(/=+$/, "")),
    "the key in base64url": Buffer.from(bytes.toString("base64url")),
  };
}
const revealed = (secrets: Record<string, Buffer>, text: Buffer): string[] =>
  Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));

async function expectNothingRevealed(
  { data, lines, gateway }: TestVerifier,
  secret: Record<string, Buffer>,
  checkpoint: bigint,
): Promise<void> {
  const stored = readdirSync(join(data, "blobs"), { recursive: true, encoding: "utf8" })
    .map((name) => join(data, "blobs", name))
    .filter((path) => statSync(path).isFile());
  expect(stored.length).toBeGreaterThan(2);
  for (const path of stored) expect(revealed(secret, readFileSync(path)), path).toEqual([]);
  expect(revealed(secret, Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n")))).toEqual([]);
  for (const path of [`/v1/evidence/${checkpoint}`, `/v1/verdicts/${checkpoint}`, "/metrics", "/healthz"]) {
    const answer = await fetch(`${gateway.endpoint}${path}`);
    expect(revealed(secret, Buffer.from(await answer.arrayBuffer())), path).toEqual([]);
  }
}

/** Three verifiers in this process, a real anvil, real sockets, real judging children; providers do by hand what a node does. */
describe("three verifiers", () => {
  let network: TestNetwork;
  const verifiers: TestVerifier[] = [];
  const providers: TestProvider[] = [];
  let nextAccount = 10;
  const provider = async (): Promise<TestProvider> => {
    const created = new TestProvider(network, nextAccount++);
    providers.push(created);
    await created.register(1_000n);
    await created.connect(verifiers);
    return created;
  };
  const lastLeaf = ({ leaves }: Segment): TraceLeaf => leaves.at(-1) as TraceLeaf;
  const lastState = (segment: Segment): Uint8Array =>
    segment.files.get(lastLeaf(segment).stateHash) ?? new Uint8Array();
  const accepted = (id: bigint) => network.until("CheckpointAccepted", ({ args }) => args.checkpointId === id);
  const leaseEnd = (job: bigint, fence: bigint) =>
    network.until("LeaseEnded", ({ args }) => args.jobId === job && BigInt(args.fence) === fence);

  /** What `gpuchain-verifier judge` prints for somebody who is no verifier. */
  const judgedByHand = async (checkpoint: bigint): Promise<string> => {
    const data = mkdtempSync(join(tmpdir(), "gpuchain-auditor-"));
    try {
      const deployment = join(data, "deployment.json");
      const { startBlock } = network.deployment;
      writeFileSync(deployment, JSON.stringify({ ...network.deployment, startBlock: Number(startBlock) }));
      const config = loadConfig(configTable, { flags: { deployment, data, rpc: network.rpc } });
      const printed: string[] = [];
      const signal = AbortSignal.timeout(60_000);
      await judge(config, String(checkpoint), { signal, log: network.log, print: (line) => printed.push(line) });
      return printed.join("\n");
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  };

  beforeAll(async () => {
    network = await startNetwork({ blockTime: 1 });
    verifiers.push(...(await Promise.all([1, 2, 3].map((index) => startVerifier(network, testAccount(index))))));
    for (const verifier of verifiers) await verifier.until("verifier.ready");
  });
  afterAll(async () => {
    for (const one of providers) await one.stop();
    for (const one of verifiers) await one.stop();
    await network?.stop();
  });

  it("accept honest work without its maker, evict the dead, refuse junk, see the run through, and pay it out", async () => {
    const job = tinyJob({ replayedIntervals: 2 });
    const jobId = await postTestJob(network, verifiers, job);
    const [a, p, b] = await Promise.all([provider(), provider(), provider()]);

    // A's checkpoint lies with two of three seats when A is killed, the moment after its commit.
    await until(() => a.acquire(jobId));
    await network.until("CommitteeSeated", ({ args }) => args.jobId === jobId);
    const first = await a.train(job, "genesis", 10);
    const firstId = await a.commit(0n, first, { store: a.sessions.slice(0, 2) });
    a.die();
    await accepted(firstId);
    const third = testAccount(3).address;
    const vote = await network.until(
      "VerdictCast",
      ({ args }) => args.checkpointId === firstId && args.verifier === third,
    );
    expect(vote.args.outcome).toBe(ACCEPT);
    expect((await leaseEnd(jobId, a.fence)).args.cause).toBe(EVICTED);

    // P commits noise in the place of training.
    await until(() => p.acquire(jobId));
    const junk = await p.train(job, lastState(first), 20);
    const program = createProgram(job.spec);
    const state = decodeCheckpoint(program, lastState(junk));
    const noisy = { ...state, params: state.params.map((value, i) => value + 0.1 * Math.sin(i)) };
    const forged = encodeCheckpoint(program, noisy);
    const junkId = await p.commit(firstId, {
      leaves: [...junk.leaves.slice(0, -1), { ...lastLeaf(junk), stateHash: sha256Hex(forged) }],
      files: new Map([...junk.files, [sha256Hex(forged), forged]]),
    });
    const refused = await network.until("CheckpointRefused", ({ args }) => args.checkpointId === junkId);
    expect(refused.args.provider.toLowerCase()).toBe(p.address);
    const gate = await verifiers[0]?.until(
      "gate",
      ({ checkpoint, ok }) => checkpoint === String(junkId) && ok === false,
    );
    expect(gate).toMatchObject({ gate: "replay", interval: { fromStep: 15, toStep: 20 } });
    const again = await judgedByHand(junkId);
    expect(again).toMatch(/by 0x[0-9a-fA-F]{40}, \w+ on chain/);
    expect(again).toMatch(/^FAIL {2}replay/m);
    expect(again).toMatch(/^judgement {2}Refuse$/m);
    expect(again.match(/^on chain {3}0x\w{40} voted Refuse$/gm)?.length).toBeGreaterThanOrEqual(2);

    // B goes on from A's checkpoint to the end.
    await until(() => b.acquire(jobId));
    let parent = { id: firstId, state: lastState(first) };
    for (const step of [20, 30, 40]) {
      const segment = await b.train(job, parent.state, step);
      parent = { id: await b.commit(parent.id, segment), state: lastState(segment) };
    }
    const completed = await network.until("JobCompleted", ({ args }) => args.jobId === jobId);
    expect(completed.args).toMatchObject({ checkpointId: parent.id, metTarget: true });
    const settled = await network.until("JobSettled", ({ args }) => args.jobId === jobId);
    expect(settled.args.providerPay).toBe(40n * 1_000n);
    const last = await judgedByHand(parent.id);
    expect(last).not.toMatch(/FAIL/);
    expect(last).toMatch(/^---- {2}quality {4}Not measured/m);
    expect(last).toMatch(/^judgement {2}Accept$/m);
    expect(process.exitCode ?? 0).toBe(0);
    await network.until("RefusalFinal", ({ args }) => args.checkpointId === junkId);
    const receipt = await verifiers[0]?.until(
      "receipt",
      ({ job: id, fence }) => id === String(jobId) && fence === Number(a.fence),
    );
    expect(receipt).toMatchObject({
      cause: "Evicted",
      from: a.address,
      to: p.address,
      lastStep: 10,
      resumedFrom: 10,
      stepsLost: 0,
      moneyMoved: "0",
    });
    const query = `{ steps(job: "${jobId}") { fence step loss } receipts(job: "${jobId}") { cause signedJson signature verifier } }`;
    const answer = await fetch(`${verifiers[1]?.gateway.endpoint}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    const { data } = (await answer.json()) as { data: Shown };
    const curve = data.steps.filter(({ fence }) => fence === Number(b.fence)).map(({ step }) => step);
    expect(curve).toEqual(Array.from({ length: 30 }, (_, i) => i + 11));
    expect(data.receipts.map(({ cause }) => cause)).toEqual(["Evicted", "Refused"]);
    for (const { signedJson, signature, verifier } of data.receipts)
      expect((await recoverMessageAddress({ message: signedJson, signature })).toLowerCase()).toBe(verifier);
  }, 90_000);

  it("outvote a seat that lies about work and about life, and find withheld bytes unavailable", async () => {
    const job = await sealedTinyJob();
    const jobId = await postTestJob(network, verifiers, job, { verdictTimeout: 5, disputeWindow: 2 });
    const p = await provider();
    const liar = testAccount(3);
    const { deployment } = network;
    const spread = async (message: Parameters<typeof postSignature>[1]) => {
      for (const { gateway } of verifiers.slice(0, 2))
        await postSignature(await openSession({ endpoint: gateway.endpoint, account: liar }), message);
    };

    // The bytes stay with the provider: nobody can judge them, the provider pays the round, and is not barred.
    await until(() => p.acquire(jobId));
    await network.until("CommitteeSeated", ({ args }) => args.jobId === jobId);
    const first = await p.train(job, "genesis", 10);
    const withheld = await p.commit(0n, first, { store: [] });
    await network.until("CheckpointUnavailable", ({ args }) => args.checkpointId === withheld);
    await until(() => p.acquire(jobId));

    // The third seat's key says the living are dead, and that good work is bad: one voice decides nothing.
    const fence = Number(p.fence);
    const attestedAt = (await network.test.getBlock()).timestamp * 1000n + 1n;
    const eviction = await signEviction(deployment, liar, { jobId, fence, attestedAt });
    await spread({ kind: "eviction", verifier: liar.address.toLowerCase() as `0x${string}`, ...eviction });
    const { stateHash } = lastLeaf(first);
    const verdict = await signVerdict(deployment, liar, {
      jobId,
      fence,
      checkpointId: checkpointIdOf(jobId, 2),
      contentDigest: contentDigestOf(stateHash, traceRoot(first.leaves)),
      outcome: "Refuse",
      metTarget: false,
      score: 0,
      evidenceHash: zeroHash,
    });
    const interval = { fromStep: 0, toStep: 10 };
    const lie = { ...verdict, outcome: "Refuse" as const, verifier: liar.address.toLowerCase() as `0x${string}` };
    await spread({ kind: "verdict", ...lie, refusedInterval: interval });
    // One that is no interval of anything is answered by the whole segment, once.
    await spread({ kind: "verdict", ...lie, refusedInterval: { fromStep: 3, toStep: 999 } });
    const again = await p.commit(0n, first);
    await accepted(again);
    for (const { account } of verifiers.slice(0, 2)) {
      const vote = await network.until(
        "VerdictCast",
        ({ args }) => args.checkpointId === again && args.verifier === account.address,
      );
      expect(vote.args.outcome).toBe(ACCEPT);
    }
    // The third seat had no key from the client; what it measured shows that it has one now. A provider gets neither key nor data.
    await verifiers[2]?.until("gate", ({ checkpoint, gate }) => checkpoint === String(again) && gate === "quality");
    const [session] = p.sessions;
    await expect(session?.request(`/v1/jobs/${jobId}/key`)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(session?.request(`/v1/blobs/${sha256Hex(job.heldOut)}`)).rejects.toMatchObject({ code: "FORBIDDEN" });
    // Nothing of the data or its key is readable in any blob, log line or endpoint that a provider can reach.
    const secret = secretsOf(tinyJob({ heldOutSeed: SEALED_SEED }).heldOut, job.heldOutKey);
    for (const one of verifiers) await expectNothingRevealed(one, secret, again);
    // They looked at what the liar pointed to before they signed.
    await verifiers[0]?.until(
      "gate",
      (line) => line.checkpoint === String(again) && JSON.stringify(line.interval) === JSON.stringify(interval),
    );

    const second = await p.train(job, lastState(first), 20);
    await accepted(await p.commit(again, second));
    expect(
      network.events.some(
        ({ eventName, args }) =>
          eventName === "LeaseEnded" && "fence" in args && args.jobId === jobId && args.fence === fence,
      ),
    ).toBe(false);
  }, 90_000);

  it("sign no eviction while they cannot see the chain, and do once they can", async () => {
    const job = tinyJob();
    const jobId = await postTestJob(network, verifiers, job);
    const p = await provider();
    await until(() => p.acquire(jobId));
    await network.until("CommitteeSeated", ({ args }) => args.jobId === jobId);
    await network.test.setIntervalMining({ interval: 0 });
    const endpoint = verifiers[0]?.gateway.endpoint;
    await until(async () => expect((await fetch(`${endpoint}/healthz`)).status).toBe(503), 20_000);
    p.die();
    const withheld = await verifiers[0]?.until("eviction.withheld", ({ job: id }) => id === String(jobId));
    expect(withheld?.reason).toMatch(/no new block/);
    const signed = verifiers.flatMap(({ lines }) =>
      lines.filter((line) => line.event === "eviction.signed" && line.job === String(jobId)),
    );
    expect(signed).toEqual([]);
    await network.test.setIntervalMining({ interval: 1 });
    expect((await leaseEnd(jobId, p.fence)).args.cause).toBe(EVICTED);
  }, 90_000);

  it("hand the key of sealed data to whoever replaces a silent seat, with the client gone, and show it to nobody else", async () => {
    const job = await sealedTinyJob();
    const jobId = await postTestJob(network, verifiers, job, { verdictTimeout: 5 });
    const p = await provider();
    await until(() => p.acquire(jobId));
    const { args: seated } = await network.until("CommitteeSeated", ({ args }) => args.jobId === jobId);
    // The newcomer knows nothing of the job but what the chain and the one seat that is left give it.
    const answers: Buffer[] = [];
    const listening: typeof fetch = async (...request) => {
      const answer = await fetch(...request);
      answers.push(Buffer.from(await answer.clone().arrayBuffer()));
      return answer;
    };
    const newcomer = await startVerifier(network, testAccount(4), { deps: { fetch: listening } });
    const [first, left, third] = verifiers.splice(0) as [TestVerifier, TestVerifier, TestVerifier];
    verifiers.push(left, newcomer);
    await newcomer.until("verifier.ready");
    await Promise.all([first.stop(), third.stop()]);
    await p.connect([newcomer]);

    const segment = await p.train(job, "genesis", 10);
    const checkpoint = await p.commit(0n, segment, { store: p.sessions.slice(1, 2) });
    const seat = seated.verifiers.indexOf(first.account.address);
    await until(() => p.call("jobs", "replaceSeat", [jobId, seat]), 20_000);
    const replaced = await network.until("SeatReplaced", ({ args }) => args.jobId === jobId);
    expect(replaced.args).toMatchObject({ previous: first.account.address, verifier: newcomer.account.address });
    await accepted(checkpoint);
    // It measured on the sealed data, so it opened them.
    const measured = ({ checkpoint: id, gate }: { [field: string]: unknown }) =>
      id === String(checkpoint) && gate === "quality";
    expect(await newcomer.until("gate", measured)).toMatchObject({ ok: true });

    const secret = secretsOf(tinyJob({ heldOutSeed: SEALED_SEED }).heldOut, job.heldOutKey);
    expect(answers.length).toBeGreaterThan(3);
    for (const body of answers) expect(revealed(secret, body)).toEqual([]);
    for (const one of verifiers) await expectNothingRevealed(one, secret, checkpoint);
    // Neither a provider nor a seat that was replaced is given the key.
    const replacedSeat = await openSession({ endpoint: newcomer.gateway.endpoint, account: first.account });
    for (const session of [p.sessions.at(-1), replacedSeat])
      await expect(session?.request(`/v1/jobs/${jobId}/key`)).rejects.toMatchObject({ code: "FORBIDDEN" });
  }, 90_000);

  // The last one: from here on there is no committee for a new job.
  it("give a seat back by themselves when they leave, and their unbonding time begins there", async () => {
    const leaver = testAccount(2).address;
    const settled = await network.until("JobSettled", () => true);
    await network.sender(2).send({
      ...{ intent: "leave", address: network.deployment.contracts.registry, abi: registryAbi },
      ...{ functionName: "requestExit", args: [] },
    });
    await network.until("SeatReleased", ({ args }) => args.jobId === settled.args.jobId && args.verifier === leaver);
    const { seats } = await network.client.read.getVerifier({ account: leaver });
    expect(seats).toBeGreaterThan(0);
    const running = network.events.filter(({ eventName }) => eventName === "CommitteeSeated").length - 1;
    expect(seats).toBe(running);
  }, 90_000);
});
