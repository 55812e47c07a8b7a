import type { Logger } from "@gpuchain/sdk/daemon";
import type { Claim } from "./claims.ts";
import type { Keeper } from "./keeper.ts";
import type { KeepingLedger } from "./keepingLedger.ts";

export interface RetentionParameters {
  readonly keeper: Keeper;
  readonly ledger: KeepingLedger;
  /** chain time in seconds */
  readonly chainTime: () => number;
  readonly retentionSeconds: number;
  readonly log: Logger;
  readonly now?: () => number;
}

/** Bytes of a job that this verifier does not know (any more) and uncommitted bytes of a fence that is over wait this long. */
const ORPHAN_MS = 3_600_000;
const UNCOMMITTED_MS = 120_000;
/** Client blobs of a job that seated others: the draw may be seconds old. */
const UNSEATED_MS = 60_000;

/**
 * Why a claim may go, or undefined while it must stay. Everything of a job stays until its retention after settlement is over: a job with
 * an open challenge is not settled, so nothing that an arbiter may ask for is ever dropped.
 */
export function whyDrop(
  claim: Claim,
  {
    ledger,
    chainTime,
    retentionSeconds,
    chainHashesOf,
    now = Date.now,
  }: Omit<RetentionParameters, "keeper" | "log"> & Pick<Keeper["claims"], "chainHashesOf">,
): string | undefined {
  const job = ledger.job(claim.job);
  const age = now() - claim.at;
  if (job === undefined) return age > ORPHAN_MS ? "its job is not on this chain" : undefined;
  if (job.settledAt !== undefined)
    return chainTime() > job.settledAt + retentionSeconds ? "its job was settled long enough ago" : undefined;
  if (claim.purpose === "client")
    return job.seated === false && age > UNSEATED_MS ? "other verifiers were seated" : undefined;
  const isWork = claim.purpose === "checkpoint" || claim.purpose === "trace";
  if (isWork && !chainHashesOf(claim).some((hash) => ledger.isCommitted(claim.job, hash))) {
    const over = ledger.fence(claim.job, claim.fence)?.state !== "live";
    return over && age > UNCOMMITTED_MS ? "it was never committed and its fence is over" : undefined;
  }
  return undefined;
}

/** Drops what nothing asks for any more. @returns how many blobs and bytes went */
export async function collectGarbage(parameters: RetentionParameters): Promise<{ blobs: number; bytes: number }> {
  const { keeper, log } = parameters;
  const { claims, blobs } = keeper;
  let count = 0;
  let bytes = 0;
  for (const claim of claims.all()) {
    const why = whyDrop(claim, { ...parameters, chainHashesOf: claims.chainHashesOf });
    if (why === undefined) continue;
    claims.remove(claim);
    if (claims.of(claim.sha256).length > 0) continue;
    claims.removeTracesOf(claim.sha256);
    if (!(await blobs.delete(claim.sha256))) continue;
    count++;
    bytes += claim.size;
    log.debug({ sha256: claim.sha256, job: String(claim.job), purpose: claim.purpose, why }, "blob dropped");
  }
  if (count > 0) log.info({ event: "garbage", blobs: count, bytes }, "blobs dropped that nothing asks for any more");
  return { blobs: count, bytes };
}
