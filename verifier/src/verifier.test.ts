import { sha256Hex, type TraceLeaf } from "@gpuchain/sdk/records";
import { createProgram, decodeCheckpoint, encodeCheckpoint } from "@gpuchain/sdk/training";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startNetwork, type TestNetwork, testAccount } from "./testing/network.ts";
import { postTestJob, until } from "./testing/testClient.ts";
import { TestProvider } from "./testing/testProvider.ts";
import { startVerifier, type TestVerifier } from "./testing/testVerifier.ts";
import { tinyJob } from "./testing/tinyJob.ts";

/** Three verifiers in this process, a real anvil, real sockets, real judging children; providers do by hand what a node does. */
describe("three verifiers on one job", () => {
  let network: TestNetwork;
  const verifiers: TestVerifier[] = [];
  const providers: TestProvider[] = [];
  const provider = async (index: number, price = 1_000n): Promise<TestProvider> => {
    const created = new TestProvider(network, index);
    providers.push(created);
    await created.register(price);
    await created.connect(verifiers);
    return created;
  };
  const lastState = ({ leaves, files }: Awaited<ReturnType<TestProvider["train"]>>): Uint8Array =>
    files.get((leaves.at(-1) as TraceLeaf).stateHash) ?? new Uint8Array();

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

  it("accept honest work, evict the dead, refuse junk, see the run through, and pay it out", async () => {
    const job = tinyJob({ replayedIntervals: 2 });
    const jobId = await postTestJob(network, verifiers, job);
    const [a, p, b] = [await provider(4), await provider(5), await provider(6)];

    // A trains and is killed between two checkpoints.
    await until(() => a.acquire(jobId));
    await network.until("CommitteeSeated");
    const first = await a.train(job, "genesis", 10);
    const firstId = await a.commit(0n, first);
    const accepted = await network.until("CheckpointAccepted", ({ args }) => args.checkpointId === firstId);
    expect(accepted.args.step).toBe(10);
    a.die();
    const evicted = await network.until("LeaseEnded", ({ args }) => BigInt(args.fence) === a.fence);
    expect(evicted.args.cause).toBe(4);

    // P commits noise in the place of training.
    await until(() => p.acquire(jobId));
    const junk = await p.train(job, lastState(first), 20);
    const program = createProgram(job.spec);
    const last = junk.leaves.at(-1) as TraceLeaf;
    const state = decodeCheckpoint(program, lastState(junk));
    const forged = encodeCheckpoint(program, {
      ...state,
      params: state.params.map((value, i) => value + 0.1 * Math.sin(i)),
    });
    const junkId = await p.commit(firstId, {
      leaves: [...junk.leaves.slice(0, -1), { ...last, stateHash: sha256Hex(forged) }],
      files: new Map([...junk.files, [sha256Hex(forged), forged]]),
    });
    const refused = await network.until("CheckpointRefused", ({ args }) => args.checkpointId === junkId);
    expect(refused.args.provider.toLowerCase()).toBe(p.address);

    // B goes on from A's checkpoint to the end.
    await until(() => b.acquire(jobId));
    let parent = { id: firstId, state: lastState(first) };
    for (const step of [20, 30, 40]) {
      const segment = await b.train(job, parent.state, step);
      parent = { id: await b.commit(parent.id, segment), state: lastState(segment) };
    }
    const completed = await network.until("JobCompleted");
    expect(completed.args).toMatchObject({ checkpointId: parent.id, metTarget: true });
    const settled = await network.until("JobSettled");
    expect(settled.args.providerPay).toBe(40n * 1_000n);
    await network.until("RefusalFinal");
  }, 90_000);
});
