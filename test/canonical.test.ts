// A canonical job that was killed and moved ends in the same bits as one that nothing disturbed.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startCompute } from "@gpuchain/sdk/compute";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_TERMS } from "../script/lib/clientParty.ts";
import { fetchPostedSpec } from "../script/lib/finalModel.ts";
import { type LocalNetwork, startNetwork } from "../script/lib/network.ts";
import { Recorder } from "../script/lib/recorder.ts";
import { playStory } from "../script/lib/story.ts";
import { spamWorkload } from "../script/workloads/spam.ts";

const STEPS = 12;
const workload = spamWorkload({ steps: STEPS, class: "canonical", checkpoint: { interval: 3, traceInterval: 3 } });
const ended = new AbortController();
let network: LocalNetwork;

beforeAll(async () => {
  network = await startNetwork({ blockTime: 1, verifiers: 3 });
});

afterAll(async () => {
  ended.abort();
  await network?.close();
});

/** The state after the last step of a run that nobody disturbed, one thread. */
async function undisturbed(spec: Uint8Array): Promise<string> {
  const directory = mkdtempSync(path.join(tmpdir(), "gpuchain-test-"));
  const compute = await startCompute({ runtime: "wasm", threads: 1 });
  try {
    const specPath = path.join(directory, "spec.json");
    const trainPath = path.join(directory, "train.bin");
    writeFileSync(specPath, spec);
    writeFileSync(trainPath, workload.train);
    await compute.open({ specPath, trainPath });
    return (await compute.replay({ fromPath: "genesis", toStep: STEPS })).stateHash;
  } finally {
    await compute.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

test("same bits, killed or not, one thread or two", async () => {
  const story = await playStory({
    ...{ network, recorder: new Recorder(), workload, signal: ended.signal },
    terms: { ...DEMO_TERMS, auctionRamp: 0, segmentTimeout: 300 },
    providers: [
      { name: "A", price: "0.001", runtime: "wasm", threads: 2, killAtStep: 4, killUnattended: true },
      { name: "B", price: "0.002", runtime: "wasm", threads: 2, after: "A" },
    ],
  });
  const { headId, headStep } = await story.client.read.getQueue({ jobId: story.jobId });
  const { stateHash } = await story.client.read.getCommit({ checkpointId: headId });
  const expected = await undisturbed(await fetchPostedSpec(story, ended.signal));
  story.close();
  expect(story.run.kills[0]?.successor).toBe(story.providers[1]?.account.address);
  expect(headStep).toBe(STEPS);
  expect(stateHash).toBe(expected);
});
