import { GatewayError } from "./errors.ts";
import { type GatewaySession, gatewayRequest, readJson } from "./session.ts";
import {
  type Evidence,
  encodeWire,
  evidenceSchema,
  knownVerdictsSchema,
  type SignatureMessage,
  type SignedVerdictMessage,
} from "./wire.ts";

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

/** Verdicts on a checkpoint that a peer knows of: how a verifier with an old journal learns what it has signed already. */
export async function getKnownVerdicts(
  endpoint: string,
  checkpointId: bigint,
  options: { signal?: AbortSignal; timeoutMs?: number; fetch?: typeof fetch } = {},
): Promise<SignedVerdictMessage[]> {
  const response = await gatewayRequest(endpoint, `/v1/verdicts/${checkpointId}`, options);
  return (await readJson(response, knownVerdictsSchema)).verdicts;
}
