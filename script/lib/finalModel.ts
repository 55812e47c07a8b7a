// Fetches the accepted final checkpoint from the verifiers and scores it on every held-out example.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startCompute } from "@gpuchain/sdk/compute";
import { fetchBlob, type GatewaySession, openSession } from "@gpuchain/sdk/gateway";
import { localAccounts } from "./anvil.ts";
import type { Workload } from "./clientParty.ts";
import type { Story } from "./story.ts";

export interface FinalScore {
  accuracy: number;
  balancedAccuracy: number;
  nll: number;
  /** examples scored */
  heldOut: number;
}

/** The spec of a job as it was posted: with sealed held-out data it is another than the one that was given. */
export async function fetchPostedSpec({ client, jobId }: Story, signal: AbortSignal): Promise<Uint8Array> {
  const { terms } = await client.read.getJob({ jobId });
  return fetchBlob(terms.specHash, await openSessions(client, signal), { signal });
}

async function openSessions(client: Story["client"], signal: AbortSignal): Promise<GatewaySession[]> {
  const verifiers = await client.read.listVerifiers();
  return Promise.all(verifiers.map(({ endpoint }) => openSession({ endpoint, account: localAccounts.client, signal })));
}

/** Downloads the last accepted state as the client would, checks its hash, and evaluates it. */
export async function evaluateFinal(
  story: Story,
  workload: Workload,
  directory: string,
  signal: AbortSignal,
): Promise<FinalScore> {
  const { client, jobId } = story;
  const { headId } = await client.read.getQueue({ jobId });
  const commit = await client.read.getCommit({ checkpointId: headId });
  const state = await fetchBlob(commit.stateHash, await openSessions(client, signal), { signal });
  mkdirSync(directory, { recursive: true });
  const paths = {
    specPath: path.join(directory, "spec.json"),
    heldOutPath: path.join(directory, "held-out.bin"),
    statePath: path.join(directory, "state.safetensors"),
  };
  writeFileSync(paths.specPath, await fetchPostedSpec(story, signal));
  writeFileSync(paths.heldOutPath, workload.heldOut);
  writeFileSync(paths.statePath, state);
  const compute = await startCompute({ runtime: "native", threads: 2, signal });
  try {
    await compute.open({ specPath: paths.specPath, heldOutPath: paths.heldOutPath });
    const { accuracy, balancedAccuracy, nll, examples } = await compute.evaluate({ statePath: paths.statePath });
    if (accuracy === undefined || balancedAccuracy === undefined) throw new Error("this job's model has no accuracy");
    return { accuracy, balancedAccuracy, nll, heldOut: examples };
  } finally {
    await compute.close();
  }
}
