import { bytesToHex, hexToBytes } from "viem";
import { type EncryptionKeys, openKey, sealKey } from "../crypto/encryptionKeys.ts";
import type { Hex } from "../records/bytes.ts";
import { type GatewaySession, readJson } from "./session.ts";
import { encodeWire, sealedKeySchema } from "./wire.ts";

/**
 * Gives a verifier the key of a job's sealed held-out data, sealed to the verifier's registered key. By the job's client, after its blobs.
 *
 * @param recipient the verifier's encryption key in the registry
 */
export async function putHeldOutKey(
  session: GatewaySession,
  { jobId, key, recipient, signal }: { jobId: bigint; key: Uint8Array; recipient: Hex; signal?: AbortSignal },
): Promise<void> {
  const sealedKey = bytesToHex(await sealKey(key, recipient));
  await session.request(`/v1/jobs/${jobId}/key`, { method: "PUT", json: encodeWire({ sealedKey }), signal });
}

/** Asks another verifier for the key of a job's sealed held-out data. By a verifier that sits on the job, e.g. one drawn later. */
export async function getHeldOutKey(
  session: GatewaySession,
  { jobId, keys, signal }: { jobId: bigint; keys: EncryptionKeys; signal?: AbortSignal },
): Promise<Uint8Array> {
  const response = await session.request(`/v1/jobs/${jobId}/key`, { signal });
  const { sealedKey } = await readJson(response, sealedKeySchema);
  return openKey(hexToBytes(sealedKey), keys);
}
