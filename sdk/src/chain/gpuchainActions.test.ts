// The examples in the doc comments of the read actions, run over a plain viem client, and the actions bound to it.
import { readdirSync, readFileSync } from "node:fs";
import { createPublicClient, http } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as chainRoom from "./index.ts";
import { createGpuchainClient, type Deployment, type GpuchainClient, gpuchainActions } from "./index.ts";
import { startTestChain, type TestChain } from "./testing/anvil.ts";
import { deployProtocol } from "./testing/protocol.ts";
import { createScenario, type Scenario } from "./testing/scenario.ts";

let chain: TestChain;
let deployment: Deployment;
let client: GpuchainClient;
let scene: Scenario;
const controller = new AbortController();

beforeAll(async () => {
  chain = await startTestChain();
  deployment = await deployProtocol(chain);
  const viemClient = createPublicClient({ transport: http(chain.rpc), pollingInterval: 50 });
  client = createGpuchainClient({ client: viemClient, deployment, signal: controller.signal });
  scene = await createScenario(chain, client, controller.signal);
  const { jobId } = await scene.post();
  await scene.commit(jobId, await scene.acquire(jobId), 10);
});
afterAll(async () => {
  controller.abort(new Error("over"));
  client.close();
  await chain.stop();
});

it("extends a viem client, as viem's own actions do", async () => {
  const extended = createPublicClient({ transport: http(chain.rpc) }).extend(gpuchainActions(deployment));
  expect(extended.deployment).toBe(deployment);
  expect(await extended.getJobCount()).toBe(1n);
  expect(await extended.getJob({ jobId: 1n })).toMatchObject({ client: scene.owner.address, status: "Open" });
  await expect(extended.getJob({ jobId: 9n })).rejects.toMatchObject({ code: "JOB_NOT_FOUND" });
});

const folder = new URL("./actions/", import.meta.url);

it.each(readdirSync(folder))("the example of %s runs", async (name) => {
  const source = readFileSync(new URL(name, folder), "utf8");
  const example = /^ \* @example\n((?: \* .*\n)+)/m.exec(source)?.[1]?.replaceAll(/^ \* /gm, "");
  expect(example).toBeDefined();
  const scope: Record<string, unknown> = { client, account: scene.owner, ...chainRoom };
  const names = Object.keys(scope).filter((one) => new RegExp(`\\b${one}(?=[(),.])`).test(example ?? ""));
  // A block of its own: an example may give its results names that the room also exports.
  const code = `return (async () => {{ ${example} }})()`;
  await new Function(...names, code)(...names.map((one) => scope[one]));
});
