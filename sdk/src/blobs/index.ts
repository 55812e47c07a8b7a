export type { BlobSource, BlobStat, BlobStore, PutBlobParameters } from "./blobStore.ts";
export { blobHashMismatch, blobNotFound, blobTooLarge } from "./errors.ts";
export { FileBlobStore } from "./fileBlobStore.ts";
export { S3BlobStore, type S3BlobStoreParameters } from "./s3BlobStore.ts";
export { normalizeSha256, sha256Hex } from "./sha256.ts";
