import { join } from "node:path";
import type { FileBlobStore } from "@gpuchain/sdk/blobs";
import type { OpenRequest } from "@gpuchain/sdk/compute";
import { GpuchainError } from "@gpuchain/sdk/daemon";
import { type Hex, type JobSpec, parseJobSpec, providerProof, providersRoot } from "@gpuchain/sdk/records";
import { estimateResources } from "@gpuchain/sdk/training";
import type { JobView } from "../chain/jobView.ts";
import { openStateFiles, type StateFiles } from "./stateFiles.ts";

/** Everything of a job that never changes, on this disk and checked. */
export interface PreparedJob {
  readonly id: bigint;
  readonly spec: JobSpec;
  readonly files: StateFiles;
  readonly request: OpenRequest;
  /** shows the chain that this node may lease the job; empty where anybody may */
  readonly eligibility: readonly Hex[];
}

export interface PrepareParameters {
  readonly blobs: FileBlobStore;
  readonly data: string;
  /** this node's address, lower case */
  readonly self: string;
  /** the most memory that training may take here, in bytes */
  readonly memoryBytes: number;
  /** fetches a blob from whichever gateway has it, checked against its hash */
  readonly fetchBlob: (hash: Hex, maxBytes: number) => Promise<Uint8Array>;
}

const MAX_SPEC_BYTES = 1 << 20;

/**
 * Fetches a job's spec, training data and base weights, and checks that the spec is the one that the terms pay for.
 *
 * @throws GpuchainError `JOB_UNFIT` when this node cannot or must not train it; others when the bytes are not to be had now
 */
export async function prepareJob(job: JobView, parameters: PrepareParameters): Promise<PreparedJob> {
  const { blobs, data, self, fetchBlob } = parameters;
  const local = async (hash: Hex, maxBytes: number): Promise<string> => {
    if (!(await blobs.has(hash))) await blobs.put(await fetchBlob(hash, maxBytes), { sha256: hash, maxBytes });
    return blobs.path(hash);
  };

  const specPath = await local(job.terms.specHash, MAX_SPEC_BYTES);
  const spec = parseSpec(await blobs.get(job.terms.specHash));
  assertFits(job, spec, parameters.memoryBytes);
  const eligibility = proveEligible(job, spec, self);
  const { train } = spec.data;
  const trainPath = await local(train.sha256, train.bytes);
  const base = "baseWeights" in spec.model ? spec.model.baseWeights : undefined;
  const basePath = base === undefined ? undefined : await local(base.sha256, base.bytes);
  return {
    id: job.id,
    spec,
    files: await openStateFiles(join(data, "jobs", job.id.toString(), "states")),
    request: { specPath, trainPath, ...(basePath === undefined ? {} : { basePath }) },
    eligibility,
  };
}

function parseSpec(bytes: Uint8Array): JobSpec {
  try {
    return parseJobSpec(bytes);
  } catch (cause) {
    throw unfit("its spec cannot be read", cause);
  }
}

/** A spec that does not say what the terms say would be refused by every judge: that work is not worth starting. */
function assertFits({ terms }: JobView, spec: JobSpec, memoryBytes: number): void {
  if (spec.training.steps !== terms.totalSteps)
    throw unfit(`its spec trains ${spec.training.steps} steps, its terms pay for ${terms.totalSteps}`);
  if (spec.checkpoint.interval !== terms.checkpointInterval)
    throw unfit(
      `its spec has a checkpoint every ${spec.checkpoint.interval} steps, its terms every ${terms.checkpointInterval}`,
    );
  // What the client says of it would be the client's word: this is our own estimate, for the fewest examples that may run at once.
  const least = { ...spec.training, microBatchCap: spec.class === "canonical" ? spec.grain : 1 };
  const needed = estimateResources({ model: spec.model, training: least }).memoryBytes + spec.data.train.bytes;
  if (needed > memoryBytes)
    throw unfit(`it needs about ${toMiB(needed)} MiB of memory; training may take ${toMiB(memoryBytes)} here`);
}

/** A job for named providers: its spec holds their list, the chain the list's root. */
function proveEligible({ terms }: JobView, { providers }: JobSpec, self: string): readonly Hex[] {
  const root = terms.eligibilityRoot;
  if (root === undefined) return [];
  if (providers === undefined) throw unfit("it is for named providers, and its spec does not say for which");
  if (providersRoot(providers) !== root)
    throw unfit("it is for named providers, and its spec's list of them is not the one whose root is on chain");
  const proof = providerProof(providers, self);
  if (proof === undefined)
    throw unfit(
      `it is for ${providers.length} named provider${providers.length === 1 ? "" : "s"}, and ${self} is none of them`,
    );
  return proof;
}

const toMiB = (bytes: number) => Math.ceil(bytes / 2 ** 20);
const unfit = (why: string, cause?: unknown) =>
  new GpuchainError("JOB_UNFIT", `this job is left to others: ${why}`, cause === undefined ? {} : { cause });
