import type { PulseUp } from "@gpuchain/sdk/gateway";
import type { KeepingLedger } from "../keeping/keepingLedger.ts";

/**
 * Whether a node may report on a fence: only its holder, only while the fence may still commit or be judged. A node cannot write into
 * another's curve, nor into its own past.
 */
export function acceptsTelemetry(
  ledger: KeepingLedger,
  address: string,
  { jobId, fence }: Extract<PulseUp, { type: "telemetry" }>,
): boolean {
  const held = ledger.fence(jobId, fence);
  return held !== undefined && held.provider.toLowerCase() === address && held.state !== "over";
}
