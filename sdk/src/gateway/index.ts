export { GatewayError, type GatewayErrorCode } from "./errors.ts";
export { type BlobSource, type FetchBlobOptions, fetchBlob } from "./fetchBlob.ts";
export { fetchTrace } from "./fetchTrace.ts";
export { getHeldOutKey, putHeldOutKey } from "./heldOutKey.ts";
export {
  createHttpBlobStore,
  type HttpBlobStore,
  type HttpBlobStoreOptions,
  type HttpPutOptions,
} from "./httpBlobStore.ts";
export { getEvidence, getKnownVerdicts, postSignature } from "./peers.ts";
export { createPulseLink, type PulseLink, type PulseLinkParameters, type StatesRequest } from "./pulseLink.ts";
export {
  type GatewaySession,
  gatewayRequest,
  gatewayUrl,
  type OpenSessionParameters,
  openSession,
  type RequestOptions,
  readJson,
} from "./session.ts";
export * from "./wire.ts";
