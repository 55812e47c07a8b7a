import { type Hash, isAddressEqual } from "viem";
import {
  decodeEvent,
  eventArgs,
  eventsOf,
  type GpuchainEventArgs,
  getJob,
  getLogsRange,
  getUsdcBalance,
  type JobTerms,
  jobsAbi,
  type SendResult,
  write,
} from "../chain/index.ts";
import { GpuchainError } from "../daemon/errors.ts";
import { formatUsdc } from "../daemon/parsers.ts";
import { encodeJobSpec, type Hex, type JobSpec, providerList, sha256Hex, specHash } from "../records/index.ts";
import { createProgram, initialState, stateHash } from "../training/index.ts";
import type { ClientContext } from "./clientContext.ts";
import { type Endpoint, findEndpoints } from "./findEndpoints.ts";
import { type JobTermsInput, jobTerms, worstCase } from "./jobTerms.ts";
import { signPermit } from "./permit.ts";
import { sealJob } from "./sealJob.ts";
import { type UploadBlobsReturnType, uploadBlobs } from "./uploadBlobs.ts";

export interface PostJobParameters {
  /** What is trained; `completeSpec` in the training room makes one from a draft. */
  spec: JobSpec;
  /** The bytes that the spec names: training data, held-out data, tokenizer, base weights. In any order. */
  blobs: readonly Uint8Array[];
  terms: JobTermsInput;
  /** Addresses of the only providers that may train it. Default: those that the spec names, else anybody. */
  providers?: readonly string[];
  /**
   * Seals the held-out data, so that no provider sees what it is tested on: the posted spec then names the sealed bytes. Default true.
   * Data that the caller sealed before (`sealed: true` in the spec) stay as they are.
   */
  seal?: boolean;
  /** Opens held-out data that the caller sealed under a key of its own. */
  heldOutKey?: Uint8Array;
  /**
   * The name of this job for the caller: posting under the same name again, also after a crash, takes up where it
   * stopped instead of posting and paying twice. Default: the hash of the posted spec.
   */
  name?: string;
  /** Told what is being done. */
  onProgress?: (progress: PostJobProgress) => void;
}

export type PostJobProgress =
  | { stage: "checked"; terms: JobTerms; worstCase: bigint }
  | { stage: "posted"; jobId: bigint; hash: Hash; already: boolean }
  | { stage: "uploading"; endpoint: Endpoint; done: number; total: number };

export interface PostJobReturnType extends UploadBlobsReturnType {
  jobId: bigint;
  /** As posted: with sealed held-out data it is not the given one. */
  spec: JobSpec;
  /** The transaction that posted it. */
  hash: Hash;
  terms: JobTerms;
  /** It was posted before, by an earlier call under this name. */
  already: boolean;
}

/**
 * Posts a training job: checks spec and blobs, seals the held-out data, locks the budget (with a permit, so in one transaction), uploads
 * the blobs to every verifier that may be drawn, with the key sealed to each, and confirms that at least three hold them.
 *
 * Errors: BAD_JOB_SPEC, BLOB_MISSING, HELD_OUT_KEY_MISSING, BUDGET_TOO_LOW, BALANCE_TOO_LOW, NO_COMMITTEE (fewer than three verifiers would take
 * it), NAME_TAKEN (by another job of yours), REVERTED, UPLOAD_INCOMPLETE (posted; call again).
 *
 * @example
 * const { jobId } = await postJob({ client, account, sender }, {
 *   spec, blobs: [train, heldOut], terms: { maxPricePerStep: parseUsdc("0.003") },
 * });
 */
export async function postJob(context: ClientContext, parameters: PostJobParameters): Promise<PostJobReturnType> {
  const { onProgress, providers } = parameters;
  const wanted = { ...parameters.spec, ...(providers && { providers: providerList(providers) }) };
  // Also checks the spec, field by field.
  encodeJobSpec(wanted);
  const { spec, blobs: named, heldOutKey } = await sealJob(context, { ...parameters, spec: wanted });
  const specBytes = encodeJobSpec(spec);
  const blobs = [{ sha256: sha256Hex(specBytes), bytes: specBytes }, ...named];
  const name = parameters.name ?? specHash(spec);
  const known = await findPosted(context, name, specHash(spec));
  // Sent before: the money is on its way or gone, so nothing is to be checked or signed again.
  const before = known ?? (await findSent(context, name));
  const already = before !== undefined;
  const posted = before ?? (await post(context, { ...parameters, spec }, name));
  if (posted.terms.specHash !== specHash(spec)) {
    throw new GpuchainError("NAME_TAKEN", `"${name}" is the name of job ${posted.jobId}, which has another spec`, {
      hint: "give this job another name; nothing was posted or paid",
      data: { jobId: posted.jobId, specHash: posted.terms.specHash },
    });
  }
  onProgress?.({ stage: "posted", jobId: posted.jobId, hash: posted.hash, already });
  const endpoints = await findEndpoints(context.client, { jobId: posted.jobId, terms: posted.terms });
  const uploaded = await uploadBlobs(context, {
    jobId: posted.jobId,
    blobs,
    endpoints,
    ...(heldOutKey !== undefined && { heldOutKey }),
    onProgress: (progress) => onProgress?.({ stage: "uploading", ...progress }),
  });
  return { ...posted, ...uploaded, spec, already };
}

interface Posted {
  jobId: bigint;
  hash: Hash;
  terms: JobTerms;
}

/** The job whose transaction an earlier call under this name has sent, once it is mined. */
async function findSent(context: ClientContext, name: string): Promise<Posted | undefined> {
  const before = await context.sender.find(intentOf(name));
  return before === undefined ? undefined : fromResult(context, before);
}

async function post(
  context: ClientContext,
  { spec, terms: input, onProgress }: PostJobParameters,
  name: string,
): Promise<Posted> {
  const { client, sender } = context;
  const program = createProgram(spec);
  const genesisHash = stateHash(program, initialState(program));
  const terms = await jobTerms({ client, spec, genesisHash, input });
  onProgress?.({ stage: "checked", terms, worstCase: worstCase(terms) });
  await assertAffordable(context, terms.budget);
  const endpoints = await findEndpoints(client, { terms });
  if (endpoints.length < 3) {
    throw new GpuchainError("NO_COMMITTEE", `${endpoints.length} verifiers would judge this job, three are needed`, {
      hint: "raise the verifier fee, choose another template, or wait for verifiers to register",
    });
  }
  const permit = await signPermit(context, terms.budget);
  return fromResult(
    context,
    await write(sender, client.deployment, "jobs", "postJobWithPermit", [terms, permit], { intent: intentOf(name) }),
  );
}

function fromResult({ client, account }: ClientContext, result: SendResult): Posted {
  const { jobId, client: owner, terms } = eventArgs(eventsOf(client.deployment, result), "JobPosted");
  if (!isAddressEqual(owner, account.address)) throw new TypeError("the job was posted by another account");
  return { jobId, hash: result.hash, terms };
}

const intentOf = (name: string) => `post:${name}`;

async function assertAffordable({ client, account }: ClientContext, budget: bigint): Promise<void> {
  const balance = await getUsdcBalance(client, { account: account.address });
  if (balance >= budget) return;
  throw new GpuchainError(
    "BALANCE_TOO_LOW",
    `${account.address} holds ${formatUsdc(balance)} USDC, the budget is ${formatUsdc(budget)}`,
    {
      hint: "get more USDC (on a test network: the faucet), or lower the budget",
      data: { balance, budget },
    },
  );
}

/**
 * The job that an earlier call posted, as the chain tells it (`findSent` knows the key's own intents): an unsettled job of this client
 * with this very spec counts as the same unless the caller names its jobs.
 */
async function findPosted({ client, account }: ClientContext, name: string, hash: Hex): Promise<Posted | undefined> {
  if (name !== hash) return undefined;
  const event = jobsAbi.find((item) => item.type === "event" && item.name === "JobPosted");
  const logs = await getLogsRange(client.public, {
    address: [client.deployment.contracts.jobs],
    event: event as Extract<typeof event, { type: "event" }>,
    args: { client: account.address },
    fromBlock: client.deployment.startBlock,
  });
  for (const log of logs.reverse()) {
    const decoded = decodeEvent(client.deployment.contracts, log);
    if (decoded?.eventName !== "JobPosted") continue;
    const { jobId, terms } = decoded.args as GpuchainEventArgs<"JobPosted">;
    if (terms.specHash !== hash) continue;
    const { status } = await getJob(client, { jobId });
    if (status === "Open") return { jobId, hash: decoded.transactionHash, terms };
  }
  return undefined;
}
