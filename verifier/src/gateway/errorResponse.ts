import { GpuchainError } from "@gpuchain/sdk/daemon";
import { GatewayError } from "@gpuchain/sdk/gateway";

const STATUS: Record<string, number> = {
  BLOB_NOT_FOUND: 404,
  BLOB_HASH_INVALID: 400,
  BLOB_HASH_MISMATCH: 422,
  BLOB_TOO_LARGE: 413,
  DISK_FULL: 503,
};

/** Status and JSON body for a failed request; what is not ours says nothing about our insides. */
export function errorResponse(error: unknown): { status: number; body: string; unexpected: boolean } {
  const known = error instanceof GpuchainError;
  const status =
    (error instanceof GatewayError ? error.status : undefined) ?? (known ? STATUS[error.code] : undefined) ?? 500;
  const shown =
    known && status !== 500
      ? { code: error.code, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) }
      : { code: "INTERNAL", message: "The gateway failed; its log says why." };
  return { status, body: JSON.stringify({ error: shown }), unexpected: status === 500 };
}
