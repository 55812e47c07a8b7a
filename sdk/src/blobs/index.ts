export type { BlobSource, BlobStat, BlobStore, PutBlobParameters } from "./blobStore.ts";
export { blobHashMismatch, blobNotFound, blobTooLarge } from "./errors.ts";
export { FileBlobStore } from "./fileBlobStore.ts";
export { normalizeSha256, sha256Hex } from "./sha256.ts";
