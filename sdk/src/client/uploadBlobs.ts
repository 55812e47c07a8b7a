import { retry } from "../daemon/backoff.ts";
import { GpuchainError } from "../daemon/errors.ts";
import { createHttpBlobStore, GatewayError, openSession, putHeldOutKey } from "../gateway/index.ts";
import type { Hex } from "../records/index.ts";
import type { ClientContext } from "./clientContext.ts";
import type { Endpoint } from "./findEndpoints.ts";

export interface UploadBlobsParameters {
  jobId: bigint;
  /** In this order: the spec first, since a gateway takes only what a spec it knows names. */
  blobs: readonly { sha256: Hex; bytes: Uint8Array }[];
  endpoints: readonly Endpoint[];
  /** Opens the sealed held-out data; each endpoint gets it sealed to its own registered key. */
  heldOutKey?: Uint8Array;
  /** How many endpoints must hold everything. Default 3. */
  atLeast?: number;
  /** Told after each blob that an endpoint confirmed. */
  onProgress?: (progress: { endpoint: Endpoint; done: number; total: number }) => void;
  /** Tries at each endpoint. Default 4. */
  attempts?: number;
}

export interface UploadBlobsReturnType {
  holders: Endpoint[];
  failures: { endpoint: Endpoint; error: unknown }[];
}

/**
 * Uploads a job's blobs to every endpoint side by side and confirms them, then hands over the key of the held-out data. What an endpoint holds already is not sent
 * again, so that an interrupted upload is taken up by calling this again.
 *
 * Throws UPLOAD_INCOMPLETE when fewer than `atLeast` endpoints hold everything in the end.
 *
 * @example
 * const named = blobs.map((bytes) => ({ sha256: sha256Hex(bytes), bytes }));
 * const { holders } = await uploadBlobs(context, {
 *   jobId, blobs: named, endpoints: await findEndpoints(client, { jobId }),
 * });
 */
export async function uploadBlobs(
  context: Pick<ClientContext, "account" | "client" | "log" | "signal">,
  parameters: UploadBlobsParameters,
): Promise<UploadBlobsReturnType> {
  const { endpoints, atLeast = 3 } = parameters;
  const outcomes = await Promise.all(
    endpoints.map(async (endpoint) => {
      try {
        await uploadTo(context, parameters, endpoint);
        return { endpoint, error: undefined };
      } catch (error) {
        context.signal?.throwIfAborted();
        const reason = error instanceof Error ? error.message : String(error);
        context.log?.warn({ endpoint: endpoint.url, reason }, "an upload failed");
        return { endpoint, error };
      }
    }),
  );
  const holders = outcomes.filter(({ error }) => error === undefined).map(({ endpoint }) => endpoint);
  const failures = outcomes.filter(({ error }) => error !== undefined);
  if (holders.length < atLeast) {
    const reasons = failures.map(
      ({ endpoint, error }) => `${endpoint.url}: ${error instanceof Error ? error.message : error}`,
    );
    throw new GpuchainError(
      "UPLOAD_INCOMPLETE",
      `${holders.length} of ${endpoints.length} verifiers hold the job's data, ${atLeast} are needed`,
      {
        hint: `the job is posted and paid for; run the same command again to go on with the upload. ${reasons.join("; ")}`,
        retryable: true,
        data: { jobId: parameters.jobId, holders, failures: reasons },
      },
    );
  }
  return { holders, failures };
}

async function uploadTo(
  { account, client, signal }: Pick<ClientContext, "account" | "client" | "signal">,
  { jobId, blobs, heldOutKey, onProgress, attempts = 4 }: UploadBlobsParameters,
  endpoint: Endpoint,
): Promise<void> {
  const common = { ...(signal && { signal }) };
  await retry(
    async () => {
      const session = await openSession({
        endpoint: endpoint.url,
        account,
        chainId: client.deployment.chainId,
        ...common,
      });
      const store = createHttpBlobStore(session, { job: jobId });
      for (const [index, { sha256, bytes }] of blobs.entries()) {
        if (!(await store.has(sha256, signal))) await store.put(bytes, { sha256, ...common });
        const held = await store.stat(sha256, signal);
        if (held?.size !== bytes.length)
          throw new GpuchainError("UPLOAD_UNCONFIRMED", `${endpoint.url} does not show ${sha256}`, { retryable: true });
        onProgress?.({ endpoint, done: index + 1, total: blobs.length });
      }
      if (heldOutKey !== undefined) {
        await putHeldOutKey(session, { jobId, key: heldOutKey, recipient: endpoint.encryptionKey, ...common });
      }
    },
    { attempts, baseMs: 500, maxMs: 5_000, isRetryable, ...common },
  );
}

/** A gateway that follows the chain may not know a job that was mined a moment ago: only its final refusals end the upload. */
function isRetryable(error: unknown): boolean {
  if (error instanceof GatewayError)
    return !["BLOB_TOO_LARGE", "BLOB_HASH_MISMATCH", "CHALLENGE_SUSPICIOUS"].includes(error.code);
  return error instanceof GpuchainError ? error.retryable : false;
}
