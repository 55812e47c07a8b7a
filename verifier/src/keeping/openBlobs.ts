import { join } from "node:path";
import { type BlobStore, FileBlobStore, S3BlobStore } from "@gpuchain/sdk/blobs";
import { GpuchainError } from "@gpuchain/sdk/daemon";
import type { VerifierConfig } from "../config.ts";

/** The store that the settings name: files in the data folder, or a bucket. @throws GpuchainError `CONFIG_INVALID` without its keys */
export function openBlobs(
  config: Pick<VerifierConfig, "data" | "s3" | "s3KeyId" | "s3Secret" | "s3Region">,
): BlobStore {
  const { data, s3, s3KeyId, s3Secret, s3Region } = config;
  if (s3 === undefined) return new FileBlobStore(join(data, "blobs"));
  if (s3KeyId === undefined || s3Secret === undefined)
    throw new GpuchainError("CONFIG_INVALID", "--s3 needs the bucket's keys", {
      hint: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    });
  return new S3BlobStore({
    url: s3,
    accessKeyId: s3KeyId,
    secretAccessKey: s3Secret,
    region: s3Region,
    spool: join(data, "spool"),
  });
}
