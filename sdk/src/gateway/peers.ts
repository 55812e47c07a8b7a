import { GatewayError } from "./errors.ts";
import { type GatewaySession, gatewayRequest, readJson } from "./session.ts";
import { type Evidence, encodeWire, evidenceSchema, type SignatureMessage } from "./wire.ts";

/** Sends a signed verdict or eviction to a peer. Idempotent: the peer keeps one per verifier and subject. */
export async function postSignature(
  session: GatewaySession,
  message: SignatureMessage,
  signal?: AbortSignal,
): Promise<void> {
  await session.request("/v1/signatures", { method: "POST", json: encodeWire(message), signal, timeoutMs: 5_000 });
}

/** The evidence behind a verifier's verdict, or undefined while it has none. */
export async function getEvidence(
  endpoint: string,
  checkpointId: bigint,
  options: { signal?: AbortSignal; fetch?: typeof fetch } = {},
): Promise<Evidence | undefined> {
  try {
    const response = await gatewayRequest(endpoint, `/v1/evidence/${checkpointId}`, options);
    return await readJson(response, evidenceSchema);
  } catch (error) {
    if (error instanceof GatewayError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
