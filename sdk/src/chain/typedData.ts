import type { Deployment } from "./deployment.ts";

/** EIP-712 types of what verifiers sign; part of the stable interface (PROTOCOL section 7 and 5). */
export const verdictTypes = {
  Verdict: [
    { name: "jobId", type: "uint256" },
    { name: "fence", type: "uint32" },
    { name: "checkpointId", type: "uint256" },
    { name: "contentDigest", type: "bytes32" },
    { name: "outcome", type: "uint8" },
    { name: "metTarget", type: "bool" },
    { name: "score", type: "uint32" },
    { name: "evidenceHash", type: "bytes32" },
  ],
} as const;

export const evictionTypes = {
  Eviction: [
    { name: "jobId", type: "uint256" },
    { name: "fence", type: "uint32" },
    { name: "attestedAt", type: "uint64" },
  ],
} as const;

/** The domain that verdicts and evictions are signed in: name "GPUChain", the protocol's version, the `Jobs` contract. */
export function jobsDomain(deployment: Deployment) {
  return {
    name: "GPUChain",
    version: String(deployment.protocolVersion),
    chainId: deployment.chainId,
    verifyingContract: deployment.contracts.jobs,
  } as const;
}
