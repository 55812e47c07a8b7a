import type { Hex } from "../records/bytes.ts";
import { sha256Hex } from "../records/sha256.ts";
import { GatewayError } from "./errors.ts";
import type { GatewaySession } from "./session.ts";
import type { BlobPurpose } from "./wire.ts";

export interface HttpBlobStoreOptions {
  readonly job: bigint;
  /** the uploader's fence; left out by clients, which upload what their spec names */
  readonly fence?: bigint;
  /** default purpose of uploads: `checkpoint` with a fence, else `client` */
  readonly purpose?: BlobPurpose;
  /** largest blob that {@link HttpBlobStore.get} will take, 4 GiB by default */
  readonly maxBytes?: number;
}

export interface HttpPutOptions {
  readonly sha256: Hex;
  readonly purpose?: BlobPurpose;
  /** with purpose `trace`: the Merkle root by which judges look the trace up */
  readonly traceRoot?: Hex;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface HttpBlobStore {
  readonly endpoint: string;
  /** Uploads bytes; resolves once the gateway has them on disk under their hash. Uploading what it has already costs one round trip. */
  put(bytes: Uint8Array, options: HttpPutOptions): Promise<void>;
  /** Fetches and checks a blob. @throws GatewayError `BLOB_NOT_FOUND`, `BLOB_HASH_MISMATCH`, `BLOB_TOO_LARGE`, `UNCOMMITTED` */
  get(sha256: Hex, signal?: AbortSignal): Promise<Uint8Array>;
  has(sha256: Hex, signal?: AbortSignal): Promise<boolean>;
  stat(sha256: Hex, signal?: AbortSignal): Promise<{ size: number } | undefined>;
}

const DEFAULT_MAX = 4 * 2 ** 30;
/** Time allowed for a transfer: a floor, plus what a slow uplink (about 250 kB/s) needs. */
const transferMs = (bytes: number): number => Math.ceil(30_000 + bytes / 250);

/** Blobs at one verifier, over an open session. */
export function createHttpBlobStore(session: GatewaySession, options: HttpBlobStoreOptions): HttpBlobStore {
  const { job, fence } = options;
  const defaultPurpose = options.purpose ?? (fence === undefined ? "client" : "checkpoint");

  const stat = async (sha256: Hex, signal?: AbortSignal) => {
    const response = await session.request(`/v1/blobs/${sha256}`, { method: "HEAD", accept: [404, 403], signal });
    return response.ok ? { size: Number(response.headers.get("content-length")) } : undefined;
  };
  return {
    endpoint: session.endpoint,
    stat,
    has: async (sha256, signal) => (await stat(sha256, signal)) !== undefined,
    get: async (sha256, signal) => {
      const max = options.maxBytes ?? DEFAULT_MAX;
      const response = await session.request(`/v1/blobs/${sha256}`, { signal, timeoutMs: transferMs(max) });
      return readBlob(response, sha256, max);
    },
    put: async (bytes, { sha256, purpose = defaultPurpose, traceRoot, signal, timeoutMs }) => {
      const query = new URLSearchParams({ purpose, job: job.toString() });
      if (fence !== undefined) query.set("fence", fence.toString());
      if (traceRoot !== undefined) query.set("traceRoot", traceRoot);
      await session.request(`/v1/blobs/${sha256}?${query}`, {
        method: "PUT",
        body: bytes as BodyInit,
        headers: { "content-type": "application/octet-stream" },
        signal,
        timeoutMs: timeoutMs ?? transferMs(bytes.length),
      });
    },
  };
}

/** Reads a blob's body with a size cap and checks its hash. */
export async function readBlob(response: Response, sha256: Hex, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new GatewayError("BLOB_TOO_LARGE", `Blob ${sha256} is over the cap of ${maxBytes} bytes.`);
  const declared = Number(response.headers.get("content-length") ?? 0);
  if (declared > maxBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    throw new GatewayError("GATEWAY_UNREACHABLE", `The transfer of ${sha256} broke off after ${size} bytes.`, {
      cause,
    });
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  const actual = sha256Hex(bytes);
  if (actual !== sha256)
    throw new GatewayError("BLOB_HASH_MISMATCH", `${response.url} served ${actual} for ${sha256}.`, {
      hint: "The verifier's disk or a proxy changed the bytes; another verifier is asked instead.",
    });
  return bytes;
}
