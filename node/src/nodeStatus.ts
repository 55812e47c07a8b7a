import type { Address } from "viem";
import type { Earnings } from "./journal/nodeJournal.ts";
import type { Progress } from "./telemetry.ts";
import type { NodeState } from "./worker.ts";

/** What a node says of itself. */
export interface NodeStatus {
  readonly address: Address;
  readonly name: string;
  readonly state: NodeState;
  readonly paused: boolean;
  /** what is waited for, and until when (chain time, seconds) */
  readonly waitingFor: string;
  readonly waitingUntil?: number;
  readonly job?: bigint;
  readonly fence?: bigint;
  readonly totalSteps?: number;
  readonly progress?: Progress;
  readonly leaseLeftSeconds?: number;
  readonly pulses?: { readonly connected: number; readonly seats: number };
  readonly earnings: Earnings;
  /** what is left of them once gas is paid, in USDC base units; only where the coin's price is set */
  readonly net?: bigint;
  /** native coin for transactions: what is here, and what taking and serving a lease needs about now; wei */
  readonly gas?: { readonly balance: bigint; readonly needed: bigint };
  /** why the owner's limits allow no work now */
  readonly heldOff?: string;
  /** in the Escrow, ready to be withdrawn by the payout wallet */
  readonly claimable?: bigint;
  readonly payout: Address;
  readonly computePid?: number;
}
