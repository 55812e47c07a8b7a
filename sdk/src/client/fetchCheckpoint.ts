import type { LocalAccount } from "viem";
import {
  checkpointIndexOf,
  type GetCommitReturnType,
  type GpuchainClient,
  getCheckpoint,
  getCommit,
  getJob,
  getQueue,
  jobIdOf,
} from "../chain/index.ts";
import { GpuchainError } from "../daemon/errors.ts";
import { fetchBlob, type GatewaySession, openSession } from "../gateway/index.ts";
import { type Hex, type JobSpec, parseJobSpec } from "../records/index.ts";
import { findEndpoints } from "./findEndpoints.ts";
import { ofOtherJob } from "./ofOtherJob.ts";

export interface FetchCheckpointParameters {
  client: GpuchainClient;
  jobId: bigint;
  /** Default: the newest accepted one. */
  checkpointId?: bigint;
  signal?: AbortSignal;
}

export interface FetchCheckpointReturnType {
  spec: JobSpec;
  /** What was committed: step, state hash, trace root, where. */
  commit: GetCommitReturnType;
  /** The checkpoint's bytes; their SHA-256 is `commit.stateHash`. */
  bytes: Uint8Array;
}

/**
 * A checkpoint's bytes from whichever seat has them, checked against the hash on chain, with the job's spec.
 *
 * Errors: NOTHING_ACCEPTED (no checkpoint yet), BLOB_NOT_FOUND, COMMIT_NOT_FOUND, CHECKPOINT_NOT_FOUND, CHECKPOINT_OF_OTHER_JOB, JOB_NOT_FOUND.
 *
 * @example
 * const { bytes, commit } = await fetchCheckpoint({ client, jobId: 1n });
 */
export async function fetchCheckpoint(parameters: FetchCheckpointParameters): Promise<FetchCheckpointReturnType> {
  const { client, jobId, signal } = parameters;
  const checkpointId = parameters.checkpointId ?? (await getQueue(client, { jobId })).headId;
  if (checkpointIndexOf(checkpointId) === 0) {
    await getJob(client, { jobId });
    throw new GpuchainError("NOTHING_ACCEPTED", `job ${jobId} has no accepted checkpoint yet`, {
      hint: "wait for the first one (gpuchain watch), or name a pending one",
    });
  }
  if (jobIdOf(checkpointId) !== jobId) {
    throw ofOtherJob(checkpointId, jobId);
  }
  await getCheckpoint(client, { checkpointId });
  const [commit, spec, endpoints] = await Promise.all([
    getCommit(client, { checkpointId }),
    fetchSpec(client, jobId, signal),
    gatewaysOf(client, jobId),
  ]);
  const bytes = await fetchBlob(commit.stateHash, endpoints, { ...(signal && { signal }) });
  return { spec, commit, bytes };
}

/**
 * A job's spec, by the hash in its terms.
 *
 * @example
 * const { model, data } = await fetchSpec(client, 1n);
 */
export async function fetchSpec(client: GpuchainClient, jobId: bigint, signal?: AbortSignal): Promise<JobSpec> {
  const { terms } = await getJob(client, { jobId });
  const options = { maxBytes: 1 << 20, ...(signal && { signal }) };
  return parseJobSpec(await fetchBlob(terms.specHash, await gatewaysOf(client, jobId), options));
}

/**
 * A blob that everybody may read, e.g. the training data of a posted job.
 *
 * @example
 * const { data } = await fetchSpec(client, 1n);
 * const train = await fetchPublicBlob(client, { jobId: 1n, sha256: data.train.sha256 });
 */
export async function fetchPublicBlob(
  client: GpuchainClient,
  { jobId, sha256, signal }: { jobId: bigint; sha256: Hex; signal?: AbortSignal },
): Promise<Uint8Array> {
  return fetchBlob(sha256, await gatewaysOf(client, jobId), { ...(signal && { signal }) });
}

/**
 * A blob that only certain readers get, e.g. held-out data for the job's client, over sessions of the given key.
 *
 * @example
 * const { data } = await fetchSpec(client, 1n);
 * const sealed = await fetchOwnBlob(client, account, { jobId: 1n, sha256: data.heldOut.sha256 });
 */
export async function fetchOwnBlob(
  client: GpuchainClient,
  account: LocalAccount,
  parameters: { jobId: bigint; sha256: Hex; signal?: AbortSignal },
): Promise<Uint8Array> {
  const { jobId, sha256, signal } = parameters;
  const chainId = client.deployment.chainId;
  const opened = await Promise.allSettled(
    (await gatewaysOf(client, jobId)).map((endpoint) =>
      openSession({ endpoint, account, chainId, ...(signal && { signal }) }),
    ),
  );
  const sessions = opened.flatMap((one): GatewaySession[] => (one.status === "fulfilled" ? [one.value] : []));
  return fetchBlob(sha256, sessions, { ...(signal && { signal }) });
}

/** The job's seats first, then every other verifier: before the draw all of them may hold its bytes. */
async function gatewaysOf(client: GpuchainClient, jobId: bigint): Promise<string[]> {
  const [seats, all] = await Promise.all([findEndpoints(client, { jobId }), findEndpoints(client)]);
  return [...new Set([...seats, ...all].map(({ url }) => url))];
}
