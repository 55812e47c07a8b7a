import type { OpenRequest } from "@gpuchain/sdk/compute";
import type { Logger } from "@gpuchain/sdk/daemon";
import type { JobSpec } from "@gpuchain/sdk/records";
import type { BookJob } from "../chain/jobBook.ts";
import type { Keeper } from "../keeping/keeper.ts";
import type { BlobAccess } from "./blobAccess.ts";

export interface JobInputs {
  readonly spec: JobSpec;
  readonly open: OpenRequest;
}

/** Turns a sealed held-out blob into a file in the clear, for this verifier alone; undefined while it has no key. */
export type OpenSealed = (job: BookJob, spec: JobSpec, sealedPath: string) => Promise<string | undefined>;

const MAX_SPEC_BYTES = 2 ** 20;

/**
 * Brings a job's blobs here and names their files. Held-out data that is not to be had is left out: that is the client's doing, and costs
 * it the quality gate, not the provider its pay.
 *
 * @throws GatewayError `BLOB_NOT_FOUND` while spec, training data or base weights are nowhere to be had
 */
export async function loadJobInputs(
  {
    job,
    keeper,
    blobs,
    openSealed,
    log,
  }: { job: BookJob; keeper: Keeper; blobs: BlobAccess; openSealed?: OpenSealed; log: Logger },
  signal: AbortSignal,
): Promise<JobInputs> {
  const client = { job, purpose: "client" as const };
  const specPath = await blobs.file({ ...client, sha256: job.terms.specHash, maxBytes: MAX_SPEC_BYTES }, signal);
  const spec = await keeper.spec(job.id);
  if (spec === undefined) throw new Error(`the spec of job ${job.id} vanished after it was stored`);
  const { train, heldOut } = spec.data;
  const trainPath = await blobs.file({ ...client, sha256: train.sha256, maxBytes: train.bytes }, signal);
  const base = spec.model.architecture === "bert-lora" ? spec.model.baseWeights : undefined;
  const basePath = base && (await blobs.file({ ...client, sha256: base.sha256, maxBytes: base.bytes }, signal));
  const heldOutPath = await blobs
    .file({ ...client, sha256: heldOut.sha256, maxBytes: heldOut.bytes }, signal)
    .then((path) => (heldOut.sealed ? openSealed?.(job, spec, path) : path))
    .catch((error: unknown) => {
      if (signal.aborted) throw error;
      log.warn({ err: error, job: String(job.id) }, "held-out data is not to be had; quality is not measured");
      return undefined;
    });
  return {
    spec,
    open: {
      specPath,
      trainPath,
      ...(heldOutPath === undefined ? {} : { heldOutPath }),
      ...(basePath === undefined ? {} : { basePath }),
    },
  };
}
