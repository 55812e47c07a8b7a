import type { Hex } from "@gpuchain/sdk/records";

/** What keeping asks of the chain's state; the projection of events in `chain/` answers it. */
export interface KeepingLedger {
  job(id: bigint): KeptJob | undefined;
  /** A registered verifier that has not left: may read held-out data and send signatures. */
  isVerifier(address: string): boolean;
  /** Who holds or held a fence, and whether it may still upload: `live`, `pending` (over, but with a checkpoint to judge) or `over`. */
  fence(job: bigint, fence: bigint): { provider: string; state: "live" | "pending" | "over" } | undefined;
  /** Whether a state hash or trace root stands on chain as committed for this job. */
  isCommitted(job: bigint, hash: Hex): boolean;
}

export interface KeptJob {
  readonly client: string;
  readonly specHash: Hex;
  readonly genesisHash: Hex;
  readonly budget: bigint;
  /** seconds of chain time, once settled */
  readonly settledAt: number | undefined;
  /** `undefined` until the committee is drawn */
  readonly seated: boolean | undefined;
}
