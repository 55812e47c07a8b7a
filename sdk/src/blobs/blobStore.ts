/** Bytes whole, or in pieces from a socket or a file. */
export type BlobSource = Uint8Array | AsyncIterable<Uint8Array>;

export interface PutBlobParameters {
  /** SHA-256 the bytes must have; hexadecimal, with or without `0x`. */
  sha256: string;
  /** Refuses more than this many bytes, before they are all read. */
  maxBytes?: number;
  signal?: AbortSignal;
}

export interface BlobStat {
  /** Lower-case hexadecimal, without `0x`. */
  sha256: string;
  size: number;
}

/**
 * Bytes by their SHA-256. Whatever a store returns has the hash that was asked for; a blob that is only partly written,
 * or whose bytes turned out wrong, is never visible.
 *
 * Errors: BLOB_HASH_INVALID, BLOB_NOT_FOUND, BLOB_HASH_MISMATCH, BLOB_TOO_LARGE, DISK_FULL.
 */
export interface BlobStore {
  /** Stores the bytes; storing what is there already is a success. */
  put(source: BlobSource, parameters: PutBlobParameters): Promise<BlobStat>;
  /** The bytes, checked against the hash. */
  get(sha256: string, options?: { signal?: AbortSignal; maxBytes?: number }): Promise<Uint8Array>;
  /** The bytes as they lie there, unchecked, in pieces: for passing on to somebody who checks them. */
  stream(sha256: string, options?: { signal?: AbortSignal }): Promise<AsyncIterable<Uint8Array>>;
  has(sha256: string): Promise<boolean>;
  /** Size, or undefined when it is not there. */
  stat(sha256: string): Promise<BlobStat | undefined>;
  /** Removes it; true when it was there. */
  delete(sha256: string): Promise<boolean>;
  list(): AsyncIterable<BlobStat>;
}
