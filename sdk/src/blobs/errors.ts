import { GpuchainError } from "../daemon/errors.ts";

export const blobNotFound = (sha256: string) =>
  new GpuchainError("BLOB_NOT_FOUND", `no blob ${sha256} here`, { hint: "ask another holder", data: { sha256 } });

export const blobHashMismatch = (sha256: string, actual: string) =>
  new GpuchainError("BLOB_HASH_MISMATCH", `bytes have SHA-256 ${actual}, not ${sha256}`, {
    hint: "the copy is damaged or false: take it from another holder",
    data: { sha256, actual },
  });

export const blobTooLarge = (sha256: string, maxBytes: number) =>
  new GpuchainError("BLOB_TOO_LARGE", `blob ${sha256} is larger than the ${maxBytes} bytes allowed`, {
    data: { sha256, maxBytes },
  });

/** Turns "no space left" and "quota exceeded" of the file system into DISK_FULL; passes everything else on. */
export function fromFileError(error: unknown, path: string): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  return new GpuchainError("DISK_FULL", `no room left to write ${path}`, {
    hint: "free disk space; nothing half written was kept",
    cause: error,
    retryable: true,
  });
}
