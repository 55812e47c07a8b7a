export { type ConnectionConfig, configTable, connectionTable, keystorePath, type VerifierConfig } from "./config.ts";
export type { Gateway } from "./gateway/gateway.ts";
export { runVerifier, type VerifierDependencies } from "./verifier.ts";
