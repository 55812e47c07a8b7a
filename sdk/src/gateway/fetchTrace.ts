import type { Hex } from "../records/bytes.ts";
import { decodeTrace, type TraceLeaf, traceRoot } from "../records/trace.ts";
import { GatewayError } from "./errors.ts";
import type { BlobSource, FetchBlobOptions } from "./fetchBlob.ts";
import { gatewayRequest } from "./session.ts";

/**
 * Fetches a checkpoint's trace by the Merkle root that stands on chain, from the first source that has it, and checks it against
 * that root. A source that is down or serves something else is passed over.
 *
 * @throws GatewayError `NOT_FOUND` when no source has it
 */
export async function fetchTrace(
  root: Hex,
  sources: readonly BlobSource[],
  options: FetchBlobOptions = {},
): Promise<{ leaves: TraceLeaf[]; bytes: Uint8Array }> {
  const { signal, timeoutMs = 30_000 } = options;
  const failures: unknown[] = [];
  for (const source of sources) {
    try {
      const path = `/v1/traces/${root}`;
      const response =
        typeof source === "string"
          ? await gatewayRequest(source, path, { signal, timeoutMs, fetch: options.fetch })
          : await source.request(path, { signal, timeoutMs });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const leaves = decodeTrace(bytes);
      if (traceRoot(leaves) === root) return { leaves, bytes };
      failures.push(new GatewayError("BLOB_HASH_MISMATCH", `${response.url} served another trace for ${root}.`));
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      failures.push(error);
    }
  }
  throw new GatewayError("NOT_FOUND", `None of ${sources.length} verifiers has the trace with root ${root}.`, {
    cause: new AggregateError(failures, failures.map(String).join("; ")),
  });
}
