import type { BlobStore } from "@gpuchain/sdk/blobs";
import type { Journal } from "@gpuchain/sdk/daemon";
import { type BlobPurpose, GatewayError } from "@gpuchain/sdk/gateway";
import {
  type BlobRef,
  createSha256,
  decodeTrace,
  type Hex,
  type JobSpec,
  parseJobSpec,
  toHex,
  traceRoot,
} from "@gpuchain/sdk/records";
import { type Claims, createClaims } from "./claims.ts";
import type { KeepingLedger, KeptJob } from "./keepingLedger.ts";

export interface KeeperLimits {
  /** all blobs of this verifier together */
  readonly quotaBytes: number;
  readonly maxCheckpointBytes: number;
  /** client blobs of one job: a floor, and what each USDC of budget adds */
  readonly clientBytesFloor: number;
  readonly clientBytesPerUsdc: number;
}

export const defaultKeeperLimits: KeeperLimits = {
  quotaBytes: 64 * 2 ** 30,
  maxCheckpointBytes: 4 * 2 ** 30,
  clientBytesFloor: 256 * 2 ** 20,
  clientBytesPerUsdc: 64 * 2 ** 20,
};

const MAX_TRACE_BYTES = 16 * 2 ** 20;
const MAX_SPEC_BYTES = 2 ** 20;
/** Checkpoints that one fence may have uploaded and not committed: its next one, and what a failed commit leaves behind. */
const MAX_UNCOMMITTED = 4;

export interface Upload {
  readonly address: string;
  readonly sha256: Hex;
  readonly purpose: BlobPurpose;
  readonly job: bigint;
  readonly fence?: bigint | undefined;
  readonly traceRoot?: Hex | undefined;
}

export interface KeeperParameters {
  readonly blobs: BlobStore;
  readonly journal: Journal;
  readonly ledger: KeepingLedger;
  readonly limits?: Partial<KeeperLimits>;
  /** own address: the owner of what was fetched from peers */
  readonly self: string;
  readonly now?: () => number;
}

/** Blobs with the reasons they are kept for: who may upload, who may read, how much. */
export interface Keeper {
  readonly blobs: BlobStore;
  readonly claims: Claims;
  /** Checks an upload before its body is read; returns the most bytes it may have. @throws GatewayError */
  admit(upload: Upload, declaredBytes?: number): Promise<number>;
  /** Stores an admitted upload's body, hashing every byte even where the blob is here already. @throws GatewayError */
  store(upload: Upload, body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<{ size: number; created: boolean }>;
  /** Keeps bytes that this verifier fetched or computed itself. */
  keepOwn(
    claim: { sha256: Hex; job: bigint; purpose: BlobPurpose; fence?: bigint; traceRoot?: Hex },
    bytes: Uint8Array,
  ): Promise<void>;
  /** Whether `address` (undefined: anyone) may read the blob; `stat` allows an uploader to see that its own bytes arrived. @throws GatewayError */
  mayRead(sha256: Hex, address: string | undefined, stat?: boolean): void;
  /** Opens the door for trace states that an audit asks for; `close` shuts it. */
  expectStates(job: bigint, fence: bigint, hashes: readonly Hex[]): { close(): void };
  /** The job's spec, once it is here. */
  spec(job: bigint): Promise<JobSpec | undefined>;
}

/** Hashes that a spec names, with their sizes. */
export function specBlobs(spec: JobSpec): (BlobRef & { restricted: boolean })[] {
  const refs: (BlobRef & { restricted: boolean })[] = [
    { sha256: spec.data.train.sha256, bytes: spec.data.train.bytes, restricted: false },
    { sha256: spec.data.heldOut.sha256, bytes: spec.data.heldOut.bytes, restricted: true },
  ];
  const { tokenizer } = spec.data;
  if (tokenizer.name === "huggingface") refs.push({ ...tokenizer.file, restricted: false });
  if (spec.model.architecture === "bert-lora") refs.push({ ...spec.model.baseWeights, restricted: false });
  return refs;
}

export function createKeeper(parameters: KeeperParameters): Keeper {
  const { blobs, journal, ledger, self, now = Date.now } = parameters;
  const limits = { ...defaultKeeperLimits, ...parameters.limits };
  const claims = createClaims(journal);
  const specs = new Map<bigint, JobSpec>();
  const expected = new Map<string, number>();
  const expectedKey = (job: bigint, fence: bigint, sha256: Hex) => `${job}/${fence}/${sha256}`;

  const loadSpec = async (job: bigint): Promise<JobSpec | undefined> => {
    const known = specs.get(job);
    if (known) return known;
    const specHash = ledger.job(job)?.specHash;
    if (specHash === undefined || !(await blobs.has(specHash))) return undefined;
    const spec = parseJobSpec(await blobs.get(specHash, { maxBytes: MAX_SPEC_BYTES }));
    specs.set(job, spec);
    return spec;
  };

  const admitClient = (upload: Upload, job: KeptJob): number => {
    if (job.client.toLowerCase() !== upload.address)
      throw new GatewayError("FORBIDDEN", `Job ${upload.job} belongs to ${job.client}.`, { status: 403 });
    if (upload.sha256 === job.specHash) return MAX_SPEC_BYTES;
    const spec = specs.get(upload.job);
    if (spec === undefined)
      throw new GatewayError("BAD_REQUEST", `The spec of job ${upload.job} is not here yet.`, {
        status: 409,
        hint: "Upload the spec first; it names the other blobs.",
      });
    const ref = specBlobs(spec).find(({ sha256 }) => sha256 === upload.sha256);
    if (ref === undefined && upload.sha256 !== job.genesisHash)
      throw new GatewayError("FORBIDDEN", `The spec of job ${upload.job} names no blob ${upload.sha256}.`, {
        status: 403,
      });
    const quota = limits.clientBytesFloor + (limits.clientBytesPerUsdc * Number(job.budget)) / 1e6;
    const max = ref?.bytes ?? limits.maxCheckpointBytes;
    if (
      !claims.of(upload.sha256).some((claim) => claim.job === upload.job) &&
      claims.bytesOf(upload.job, "client") + max > quota
    )
      throw new GatewayError(
        "QUOTA_EXCEEDED",
        `Job ${upload.job} may keep ${Math.floor(quota)} bytes here by its budget.`,
        {
          status: 507,
          hint: "A larger budget carries more data.",
        },
      );
    return max;
  };

  const admitProvider = (upload: Upload): number => {
    const { job, address, sha256, purpose } = upload;
    const fence = upload.fence ?? 0n;
    const held = ledger.fence(job, fence);
    if (held === undefined)
      throw new GatewayError("STALE_FENCE", `Job ${job} has given out no fence ${fence} that this verifier knows of.`, {
        status: 409,
        hint: "If the lease is seconds old, try again: this verifier may be a block behind.",
      });
    if (held.provider.toLowerCase() !== address)
      throw new GatewayError("FORBIDDEN", `Fence ${fence} of job ${job} belongs to ${held.provider}.`, { status: 403 });
    if (held.state === "over")
      throw new GatewayError("STALE_FENCE", `Fence ${fence} of job ${job} is over and has nothing left to judge.`, {
        status: 409,
      });
    if (purpose === "state") {
      if (!expected.has(expectedKey(job, fence, sha256)))
        throw new GatewayError("FORBIDDEN", `Nobody here asked for state ${sha256}.`, {
          status: 403,
          hint: "Trace states are uploaded only as the answer to an audit's request.",
        });
      return limits.maxCheckpointBytes;
    }
    const waiting = claims
      .ofFence(job, fence, purpose)
      .filter(
        (claim) =>
          claim.sha256 !== sha256 && !claims.chainHashesOf(claim).some((hash) => ledger.isCommitted(job, hash)),
      );
    if (waiting.length >= MAX_UNCOMMITTED)
      throw new GatewayError("QUOTA_EXCEEDED", `Fence ${fence} has ${waiting.length} uncommitted ${purpose}s here.`, {
        status: 507,
        hint: "Commit one of them, or wait for the lease to end.",
      });
    return purpose === "trace" ? MAX_TRACE_BYTES : limits.maxCheckpointBytes;
  };

  const isRestricted = (upload: Pick<Upload, "job" | "sha256" | "purpose">): boolean => {
    const spec = specs.get(upload.job);
    return spec !== undefined && specBlobs(spec).some((ref) => ref.restricted && ref.sha256 === upload.sha256);
  };

  const record = (upload: Upload, size: number): void =>
    claims.add({
      sha256: upload.sha256,
      job: upload.job,
      purpose: upload.purpose,
      fence: upload.purpose === "client" ? 0n : (upload.fence ?? 0n),
      owner: upload.address,
      size,
      restricted: isRestricted(upload),
      at: now(),
    });

  /** A trace is looked up by its Merkle root, which must be the one its leaves give. */
  const indexTrace = (upload: Upload, bytes: Uint8Array): void => {
    const root = traceRoot(decodeTrace(bytes));
    if (upload.traceRoot !== undefined && root !== upload.traceRoot)
      throw new GatewayError("BLOB_HASH_MISMATCH", `The trace has root ${root}, not ${upload.traceRoot}.`, {
        status: 422,
      });
    claims.setTrace(root, upload.sha256);
  };

  const afterStore = async (upload: Upload): Promise<void> => {
    try {
      if (upload.purpose === "trace") indexTrace(upload, await blobs.get(upload.sha256, { maxBytes: MAX_TRACE_BYTES }));
      if (upload.purpose === "client" && upload.sha256 === ledger.job(upload.job)?.specHash) await loadSpec(upload.job);
    } catch (cause) {
      if (claims.of(upload.sha256).length === 0) await blobs.delete(upload.sha256);
      if (cause instanceof GatewayError) throw cause;
      throw new GatewayError("BAD_REQUEST", cause instanceof Error ? cause.message : String(cause), {
        status: 422,
        cause,
      });
    }
  };

  return {
    blobs,
    claims,
    spec: loadSpec,
    async admit(upload, declaredBytes) {
      await loadSpec(upload.job);
      const job = ledger.job(upload.job);
      if (job === undefined)
        throw new GatewayError("UNKNOWN_JOB", `This verifier knows of no job ${upload.job}.`, {
          status: 404,
          hint: "If it was posted seconds ago, try again.",
        });
      if (job.settledAt !== undefined)
        throw new GatewayError("FORBIDDEN", `Job ${upload.job} is settled; nothing more is kept for it.`, {
          status: 403,
        });
      const max = upload.purpose === "client" ? admitClient(upload, job) : admitProvider(upload);
      if (declaredBytes !== undefined && declaredBytes > max)
        throw new GatewayError("BLOB_TOO_LARGE", `${declaredBytes} bytes are over the cap of ${max}.`, { status: 413 });
      if (claims.totalBytes() + (declaredBytes ?? 0) > limits.quotaBytes)
        throw new GatewayError("QUOTA_EXCEEDED", "This verifier's disk quota is used up.", {
          status: 507,
          hint: "Another verifier may have room.",
        });
      return max;
    },
    async store(upload, body, maxBytes) {
      const known = await blobs.stat(upload.sha256);
      let size: number;
      if (known === undefined) size = (await blobs.put(body, { sha256: upload.sha256, maxBytes })).size;
      else {
        // Saying a hash is no proof of having its bytes: without this a leaseholder could claim another's work in transit.
        size = await checkBody(upload.sha256, body, maxBytes);
      }
      await afterStore(upload);
      record(upload, size);
      return { size, created: known === undefined };
    },
    async keepOwn({ sha256, job, purpose, fence, traceRoot: root }, bytes) {
      const upload: Upload = { address: self, sha256, job, purpose, fence, traceRoot: root };
      await loadSpec(job);
      await blobs.put(bytes, { sha256 });
      await afterStore(upload);
      record(upload, bytes.length);
    },
    mayRead(sha256, address, stat = false) {
      const reasons = claims.of(sha256);
      if (reasons.length === 0)
        throw new GatewayError("BLOB_NOT_FOUND", `Blob ${sha256} is not here.`, { status: 404 });
      if (address !== undefined && ledger.isVerifier(address) && reasons.some(({ purpose }) => purpose === "client"))
        return;
      if (reasons.some(({ restricted }) => restricted)) {
        const clients = reasons.map(({ job }) => ledger.job(job)?.client.toLowerCase());
        if (address !== undefined && clients.includes(address)) return;
        throw new GatewayError("FORBIDDEN", "Held-out data is for the job's verifiers and client only.", {
          status: 403,
        });
      }
      const open = reasons.some(
        ({ purpose, job }) =>
          purpose === "client" || purpose === "state" || (purpose === "checkpoint" && ledger.isCommitted(job, sha256)),
      );
      if (open || (stat && address !== undefined && reasons.some(({ owner }) => owner === address))) return;
      throw new GatewayError("UNCOMMITTED", `Blob ${sha256} belongs to work that is not committed yet.`, {
        status: 403,
        hint: "Uncommitted work is served to nobody, so that it cannot be stolen in transit.",
      });
    },
    expectStates(job, fence, hashes) {
      const keys = hashes.map((hash) => expectedKey(job, fence, hash));
      for (const key of keys) expected.set(key, (expected.get(key) ?? 0) + 1);
      return {
        close: () => {
          for (const key of keys) {
            const left = (expected.get(key) ?? 1) - 1;
            if (left === 0) expected.delete(key);
            else expected.set(key, left);
          }
        },
      };
    },
  };
}

async function checkBody(sha256: Hex, body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number> {
  const hash = createSha256();
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes)
      throw new GatewayError("BLOB_TOO_LARGE", `The body is over the cap of ${maxBytes} bytes.`, { status: 413 });
    hash.update(chunk);
  }
  const actual = toHex(hash.digest());
  if (actual !== sha256)
    throw new GatewayError("BLOB_HASH_MISMATCH", `The body's SHA-256 is ${actual}, not ${sha256}.`, { status: 422 });
  return size;
}
