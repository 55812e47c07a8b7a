import { afterAll, beforeAll, expect, it } from "vitest";
import { createGpuchainClient, type GpuchainClient, type GpuchainEvent } from "../chain/index.ts";
import { startTestChain, type TestChain } from "../chain/testing/anvil.ts";
import { deployProtocol } from "../chain/testing/protocol.ts";
import { createScenario, type Scenario } from "../chain/testing/scenario.ts";
import { jobHistory } from "./jobHistory.ts";
import { moneyOf } from "./moneyOf.ts";
import { watchJob } from "./watchJob.ts";

let chain: TestChain;
let client: GpuchainClient;
let scene: Scenario;
const controller = new AbortController();
const { signal } = controller;

beforeAll(async () => {
  chain = await startTestChain();
  client = createGpuchainClient({
    rpc: chain.ws,
    deployment: await deployProtocol(chain),
    pollingInterval: 50,
    signal,
  });
  scene = await createScenario(chain, client, signal);
});
afterAll(async () => {
  controller.abort(new Error("over"));
  client.close();
  await chain.stop();
});

it("tells a job's whole story once, beside another job's, and ends with its settlement", async () => {
  const { jobId } = await scene.post();
  const other = await scene.post();
  const seen: GpuchainEvent[] = [];
  const watching = (async () => {
    for await (const update of watchJob({ client, jobId, signal }))
      if (update.type === "event") seen.push(update.event);
  })();
  const fence = await scene.acquire(jobId);
  await scene.seat(jobId);
  const first = await scene.commit(jobId, fence, 10);
  await scene.judge(first.checkpointId, "Accept", false);
  const last = await scene.commit(jobId, fence, 20, first.checkpointId);
  await scene.judge(last.checkpointId, "Accept", true);
  await scene.pass(61);
  await scene.payOut(jobId);
  await watching;
  const names = seen.map(({ eventName }) => eventName);
  expect(names.at(0)).toBe("BudgetLocked");
  expect(names).toContain("JobSettled");
  expect(names.filter((name) => name === "CheckpointAccepted")).toHaveLength(2);
  const history = await jobHistory(client, jobId);
  const fromJobs = (events: GpuchainEvent[]) =>
    events
      .filter(({ contract }) => contract !== "registry")
      .map(({ transactionHash, logIndex }) => `${transactionHash}:${logIndex}`);
  expect(fromJobs(seen)).toEqual(fromJobs(history));

  const money = moneyOf(history);
  const { budget, locked } = await client.read.getBudget({ jobId });
  expect(money).toMatchObject({ budget, locked, protocolFee: 1_600n });
  expect([...money.providers.values()]).toEqual([20_000n]);
  expect([...money.verifiers.values()].reduce((sum, part) => sum + part, 0n)).toBe(40_000n);
  expect(moneyOf(await jobHistory(client, other.jobId))).toMatchObject({ budget: 5_000_000n, locked: 5_000_000n });
  await expect(jobHistory(client, 99n)).rejects.toMatchObject({ code: "JOB_NOT_FOUND" });
});
