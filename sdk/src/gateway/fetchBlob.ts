import type { Hex } from "../records/bytes.ts";
import { GatewayError } from "./errors.ts";
import { readBlob } from "./httpBlobStore.ts";
import { type GatewaySession, gatewayRequest } from "./session.ts";

/** A place to fetch from: a public endpoint, or a session where the blob is for certain readers only (held-out data). */
export type BlobSource = string | GatewaySession;

export interface FetchBlobOptions {
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/**
 * Fetches a blob by hash from the first source that has it; a source that is down, lacks it or serves other bytes is passed over.
 *
 * @throws GatewayError `BLOB_NOT_FOUND` when no source has it; its cause lists what each one answered
 */
export async function fetchBlob(
  sha256: Hex,
  sources: readonly BlobSource[],
  options: FetchBlobOptions = {},
): Promise<Uint8Array> {
  const { maxBytes = 4 * 2 ** 30, signal, timeoutMs = 60_000 } = options;
  const failures: unknown[] = [];
  for (const source of sources) {
    try {
      const path = `/v1/blobs/${sha256}`;
      const response =
        typeof source === "string"
          ? await gatewayRequest(source, path, { signal, timeoutMs, fetch: options.fetch })
          : await source.request(path, { signal, timeoutMs });
      return await readBlob(response, sha256, maxBytes);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      failures.push(error);
    }
  }
  throw new GatewayError("BLOB_NOT_FOUND", `None of ${sources.length} verifiers has blob ${sha256}.`, {
    hint: "It may not have been uploaded yet, or its retention is over.",
    cause: new AggregateError(failures, failures.map(String).join("; ")),
  });
}
