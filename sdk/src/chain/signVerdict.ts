import {
  type Account,
  compactSignatureToSignature,
  encodeAbiParameters,
  type Hex,
  keccak256,
  type LocalAccount,
  parseSignature,
  recoverTypedDataAddress,
  serializeSignature,
  signatureToCompactSignature,
} from "viem";
import type { Deployment } from "./deployment.ts";
import { enumValue, type Outcome, outcomes } from "./enums.ts";
import { evictionTypes, jobsDomain, verdictTypes } from "./typedData.ts";

/** What a verifier says of a checkpoint. */
export interface Verdict {
  jobId: bigint;
  fence: number;
  checkpointId: bigint;
  /** `contentDigestOf(stateHash, traceRoot)`: after a reorg no signature judges other bytes. */
  contentDigest: Hex;
  outcome: Outcome;
  /** Counts only for an Accept of the last step. */
  metTarget: boolean;
  /** The template's metric in 1e-6. */
  score: number;
  /** `evidenceHashOf(…)`. */
  evidenceHash: Hex;
}

/** A compact (EIP-2098) signature, as the contracts take it. */
export interface CompactSignature {
  r: Hex;
  vs: Hex;
}

export type SignedVerdict = Verdict & CompactSignature;

/** "This lease's holder is gone", as of `attestedAt`: milliseconds of chain time. */
export interface Eviction {
  jobId: bigint;
  fence: number;
  attestedAt: bigint;
}

export type SignedEviction = Eviction & CompactSignature;

/** Digest of a checkpoint's content as verdicts name it. */
export function contentDigestOf(stateHash: Hex, traceRoot: Hex): Hex {
  return keccak256(encodeAbiParameters([{ type: "bytes32" }, { type: "bytes32" }], [stateHash, traceRoot]));
}

/** What binds a verifier to its own predictions. */
export function evidenceHashOf(predictionsRoot: Hex, verifier: Hex, checkpointId: bigint): Hex {
  const types = [{ type: "bytes32" }, { type: "address" }, { type: "uint256" }] as const;
  return keccak256(encodeAbiParameters(types, [predictionsRoot, verifier, checkpointId]));
}

/** Signs a verdict with a local key. */
export async function signVerdict(
  deployment: Deployment,
  account: LocalAccount,
  verdict: Verdict,
): Promise<SignedVerdict> {
  const signature = await account.signTypedData(verdictTypedData(deployment, verdict));
  return { ...verdict, ...compact(signature) };
}

/** Who signed a verdict. A bad signature gives some address that holds no seat, or throws. */
export function recoverVerdict(deployment: Deployment, verdict: SignedVerdict): Promise<Account["address"]> {
  return recoverTypedDataAddress({ ...verdictTypedData(deployment, verdict), signature: expand(verdict) });
}

/** Signs an eviction with a local key. */
export async function signEviction(
  deployment: Deployment,
  account: LocalAccount,
  eviction: Eviction,
): Promise<SignedEviction> {
  const signature = await account.signTypedData(evictionTypedData(deployment, eviction));
  return { ...eviction, ...compact(signature) };
}

/** Who signed an eviction. */
export function recoverEviction(deployment: Deployment, eviction: SignedEviction): Promise<Account["address"]> {
  return recoverTypedDataAddress({ ...evictionTypedData(deployment, eviction), signature: expand(eviction) });
}

function verdictTypedData(deployment: Deployment, verdict: Verdict) {
  const { jobId, fence, checkpointId, contentDigest, metTarget, score, evidenceHash } = verdict;
  const outcome = enumValue(outcomes, verdict.outcome);
  const message = { jobId, fence, checkpointId, contentDigest, outcome, metTarget, score, evidenceHash };
  return { domain: jobsDomain(deployment), types: verdictTypes, primaryType: "Verdict", message } as const;
}

function evictionTypedData(deployment: Deployment, { jobId, fence, attestedAt }: Eviction) {
  const message = { jobId, fence, attestedAt };
  return { domain: jobsDomain(deployment), types: evictionTypes, primaryType: "Eviction", message } as const;
}

function compact(signature: Hex): CompactSignature {
  const { r, yParityAndS } = signatureToCompactSignature(parseSignature(signature));
  return { r, vs: yParityAndS };
}

function expand({ r, vs }: CompactSignature): Hex {
  return serializeSignature(compactSignatureToSignature({ r, yParityAndS: vs }));
}
