import { GpuchainError } from "../daemon/errors.ts";
import { type Hex, type JobSpec, sha256Hex } from "../records/index.ts";

/** Bytes under the hash by which a spec names them. */
export interface NamedBlob {
  sha256: Hex;
  bytes: Uint8Array;
}

/** Blobs that the spec names, checked against the bytes that were given. Throws BLOB_MISSING. */
export function namedBlobs(spec: JobSpec, given: readonly Uint8Array[]): NamedBlob[] {
  const byHash = new Map(given.map((bytes) => [sha256Hex(bytes), bytes]));
  return blobRefs(spec).map(({ sha256, bytes: size, field }) => {
    const bytes = byHash.get(sha256);
    if (bytes === undefined || bytes.length !== size) {
      throw new GpuchainError(
        "BLOB_MISSING",
        `the spec's ${field} names ${sha256} (${size} bytes), which is not among the given blobs`,
        {
          hint: "give the bytes whose hash the spec names, or write the spec anew for these bytes",
        },
      );
    }
    return { sha256, bytes };
  });
}

/**
 * Every reference to a blob in a spec, wherever it stands.
 *
 * @example
 * const needed = blobRefs(spec).map(({ sha256 }) => sha256);
 */
export function blobRefs(value: unknown, field = ""): { field: string; sha256: Hex; bytes: number }[] {
  if (typeof value !== "object" || value === null) return [];
  const own = value as { sha256?: unknown; bytes?: unknown };
  const isRef = typeof own.sha256 === "string" && typeof own.bytes === "number";
  const here = isRef ? [{ field, sha256: own.sha256 as Hex, bytes: own.bytes as number }] : [];
  const below = Object.entries(value).flatMap(([key, part]) => blobRefs(part, field === "" ? key : `${field}.${key}`));
  return [...here, ...below];
}
