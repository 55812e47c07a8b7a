// What is merged beside the chain: telemetry of every lease from whichever seat answers, hand-overs, the ledger's money.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGpuchainClient, type GpuchainClient } from "../chain/index.ts";
import { startTestChain, type TestChain } from "../chain/testing/anvil.ts";
import { type FaultyProxy, startFaultyProxy } from "../chain/testing/faultyProxy.ts";
import { deployProtocol } from "../chain/testing/protocol.ts";
import { createScenario, type Scenario } from "../chain/testing/scenario.ts";
import { startTestGateway, type TestGateway } from "./testing/testGateway.ts";
import { type JobUpdate, watchJob } from "./watchJob.ts";

let chain: TestChain;
let proxy: FaultyProxy;
let client: GpuchainClient;
let watcher: GpuchainClient;
let scene: Scenario;
let gateways: TestGateway[];
const controller = new AbortController();
const { signal } = controller;

beforeAll(async () => {
  chain = await startTestChain();
  proxy = await startFaultyProxy(chain.port);
  const deployment = await deployProtocol(chain);
  const common = { deployment, pollingInterval: 50, signal };
  client = createGpuchainClient({ rpc: chain.ws, ...common });
  watcher = createGpuchainClient({
    rpc: `ws://127.0.0.1:${proxy.port}`,
    patienceMs: Number.POSITIVE_INFINITY,
    ...common,
  });
  gateways = await Promise.all([1, 2, 3].map(() => startTestGateway()));
  scene = await createScenario(
    chain,
    client,
    signal,
    gateways.map(({ url }) => url),
  );
});
afterAll(async () => {
  controller.abort(new Error("over"));
  client.close();
  watcher.close();
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await proxy.close();
  await chain.stop();
});

/** Each seat holds the same telemetry, as nodes tell all of them. */
function report(fence: number, from: number, to: number): void {
  for (const { steps } of gateways) {
    const told = steps.get(fence) ?? [];
    for (let step = from; step <= to; step++) told.push({ step, loss: 1 / step });
    steps.set(fence, told);
  }
}

it("misses and doubles nothing while the chain and the seats come and go, and ends with the job", async () => {
  const ledger = await startLedger();
  const { jobId } = await scene.post();
  const seen: JobUpdate[] = [];
  const watching = (async () => {
    const options = { client: watcher, jobId, signal, ledger: ledger.url, everyMs: 20 };
    for await (const update of watchJob(options)) seen.push(update);
  })();
  const steps = () => seen.flatMap((one) => (one.type === "step" ? [[one.step.fence, one.step.step]] : []));
  const first = await scene.acquire(jobId);
  await scene.seat(jobId);
  report(first, 1, 7);
  await expect.poll(steps, { timeout: 10_000 }).toHaveLength(7);

  // The chain's connection breaks, a seat dies for good, and the others drop connections; meanwhile the lease moves.
  proxy.refuse();
  await gateways[0]?.close();
  gateways[1]?.failQueries(3);
  report(first, 8, 13);
  const { checkpointId } = await scene.commit(jobId, first, 10);
  await scene.release(jobId, first);
  await scene.judge(checkpointId, "Accept", false);
  await scene.pass(130);
  const second = await scene.acquire(jobId);
  report(second, 11, 15);
  for (const { receipts } of gateways) receipts.push(receipt(first, second));
  proxy.heal();
  await expect.poll(steps, { timeout: 20_000 }).toHaveLength(18);

  // The last steps are reported in the moment in which the job ends.
  const last = await scene.commit(jobId, second, 20, checkpointId);
  await scene.judge(last.checkpointId, "Accept", true);
  await scene.pass(61);
  report(second, 16, 20);
  await scene.payOut(jobId);
  await watching;

  const expected = [...range(1, 13).map((step) => [first, step]), ...range(11, 20).map((step) => [second, step])];
  expect(steps()).toEqual(expected);
  const names = seen.flatMap((one) => (one.type === "event" ? [one.event.eventName] : []));
  expect(names.filter((name) => name === "LeaseAcquired")).toHaveLength(2);
  expect(names.filter((name) => name === "CheckpointAccepted")).toHaveLength(2);
  expect(names).toContain("JobSettled");
  expect(seen.filter(({ type }) => type === "handOver")).toMatchObject([{ receipt: { fence: first, stepsLost: 3 } }]);
  const money = seen.flatMap((one) => (one.type === "money" ? [one.money.locked] : []));
  expect(money).toEqual([...new Set(money)]);
  expect(money.length).toBeGreaterThan(0);
  await ledger.close();
});

it("ends although every gateway and the ledger are gone, and when it is told to", async () => {
  const { jobId } = await scene.post();
  await scene.cancel(jobId);
  await scene.close(jobId);
  await scene.pass(3_700);
  await scene.payOut(jobId);
  await Promise.all(gateways.map((gateway) => gateway.close()));
  const types = new Set<string>();
  for await (const { type } of watchJob({ client: watcher, jobId, signal, ledger: "http://127.0.0.1:1" }))
    types.add(type);
  expect([...types]).toEqual(["event"]);

  const open = await scene.post();
  const stop = new AbortController();
  for await (const _ of watchJob({ client: watcher, jobId: open.jobId, signal: stop.signal })) stop.abort();
  expect(stop.signal.aborted).toBe(true);
});

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const receipt = (fence: number, nextFence: number) => ({
  ...{ fence, nextFence, from: scene.provider.address, to: scene.provider.address, cause: "Released" },
  ...{ silentToEndedMs: 100, endedToAcquiredMs: 200, acquiredToFirstStepMs: 300, stepsLost: 3, resumedFrom: 10 },
  ...{ verifier: scene.verifiers[0]?.address, signedJson: "{}", signature: "0x" },
});

/** Answers like the ledger, with less locked at every question, and fails every other time. */
async function startLedger() {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (asked % 2 === 0) return void request.socket.destroy();
    const zero = { providerPay: "0", verifierFees: "0", protocolFee: "0", refund: "0", owedPay: "0", owedFees: "0" };
    const locked = `${5_000_000 - Math.floor(asked / 4)}`;
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data: { job: { locked, ...zero } } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
