import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FileBlobStore } from "@gpuchain/sdk/blobs";
import type { Logger } from "@gpuchain/sdk/daemon";
import { type BlobPurpose, type BlobSource, fetchBlob, fetchTrace } from "@gpuchain/sdk/gateway";
import { decodeTrace, type Hex, sha256Hex, type TraceLeaf } from "@gpuchain/sdk/records";
import type { BookJob, JobBook } from "../chain/jobBook.ts";
import type { Keeper } from "../keeping/keeper.ts";
import type { Peers } from "../votes/peers.ts";

export interface BlobAccess {
  /** Path of the blob as a local file, fetched from other verifiers where it is not here. @throws GatewayError `BLOB_NOT_FOUND` */
  file(request: BlobRequest, signal: AbortSignal): Promise<string>;
  /** Path of a blob that is here already, or undefined. */
  local(sha256: Hex): Promise<string | undefined>;
  trace(job: BookJob, fence: bigint, root: Hex, signal: AbortSignal): Promise<TraceLeaf[]>;
}

export interface BlobRequest {
  readonly job: BookJob;
  readonly sha256: Hex;
  readonly purpose: BlobPurpose;
  readonly fence?: bigint;
  readonly maxBytes?: number;
}

const MAX_TRACE_BYTES = 16 * 2 ** 20;

/** This verifier's blobs, and what its peers have. */
export function createBlobAccess(parameters: {
  readonly keeper: Keeper;
  readonly book: JobBook;
  readonly peers: Peers;
  /** where blobs of a remote store become files */
  readonly cacheDir: string;
  readonly log: Logger;
}): BlobAccess {
  const { keeper, book, peers, cacheDir, log } = parameters;
  const { blobs } = keeper;

  /** Seats of the job first, then every other verifier; only those that answer. */
  const sources = async (job: BookJob): Promise<BlobSource[]> => {
    const seats = book.peersOf(job).map(({ endpoint }) => endpoint);
    const others = [...book.verifiers.values()]
      .filter(({ address }) => address !== book.self)
      .map(({ endpoint }) => endpoint);
    const sessions = await Promise.allSettled(
      [...new Set([...seats, ...others])].map((endpoint) => peers.session(endpoint)),
    );
    return sessions.flatMap((session) => (session.status === "fulfilled" ? [session.value] : []));
  };

  const local = async (sha256: Hex): Promise<string | undefined> => {
    if (!(await blobs.has(sha256))) return undefined;
    if (blobs instanceof FileBlobStore) return blobs.path(sha256);
    const path = join(cacheDir, sha256.slice(2));
    await mkdir(cacheDir, { recursive: true });
    await writeFile(path, await blobs.get(sha256));
    return path;
  };

  return {
    local,
    async file(request, signal) {
      const { job, sha256, purpose, fence, maxBytes } = request;
      const here = await local(sha256);
      if (here !== undefined) return here;
      const bytes = await fetchBlob(sha256, await sources(job), { signal, ...(maxBytes ? { maxBytes } : {}) });
      await keeper.keepOwn({ sha256, job: job.id, purpose, ...(fence === undefined ? {} : { fence }) }, bytes);
      log.debug({ job: String(job.id), sha256, purpose, bytes: bytes.length }, "blob fetched from another verifier");
      const path = await local(sha256);
      if (path === undefined) throw new Error(`blob ${sha256} vanished after it was stored`);
      return path;
    },
    async trace(job, fence, root, signal) {
      const known = keeper.claims.trace(root);
      if (known !== undefined && (await blobs.has(known)))
        return decodeTrace(await blobs.get(known, { maxBytes: MAX_TRACE_BYTES }));
      const { leaves, bytes } = await fetchTrace(root, await sources(job), { signal });
      const sha256 = sha256Hex(bytes);
      await keeper.keepOwn({ sha256, job: job.id, purpose: "trace", fence, traceRoot: root }, bytes);
      return leaves;
    },
  };
}
