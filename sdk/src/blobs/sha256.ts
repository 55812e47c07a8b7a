import { sha256 as digest } from "@noble/hashes/sha2";
import { bytesToHex } from "@noble/hashes/utils";
import { GpuchainError } from "../daemon/errors.ts";

/** SHA-256 of bytes, lower-case hexadecimal without `0x`. */
export function sha256Hex(bytes: Uint8Array): string {
  return bytesToHex(digest(bytes));
}

/** One spelling for a hash: 64 lower-case digits without `0x`. Throws BLOB_HASH_INVALID, so no hash can name a path. */
export function normalizeSha256(sha256: string): string {
  const bare = sha256.startsWith("0x") ? sha256.slice(2) : sha256;
  if (!/^[0-9a-fA-F]{64}$/.test(bare)) {
    throw new GpuchainError("BLOB_HASH_INVALID", `"${sha256.slice(0, 80)}" is no SHA-256`, {
      hint: "give 64 hexadecimal digits",
    });
  }
  return bare.toLowerCase();
}
