import { checkpointIndexOf, endCauses, enumName, type GpuchainEvent, outcomes } from "../chain/index.ts";
import { usdc } from "./output.ts";

/** One line about an event for a person; undefined for those that say nothing new beside another. */
export function describeEvent(event: GpuchainEvent): string | undefined {
  switch (event.eventName) {
    case "JobPosted":
      return `posted, ${usdc(event.args.terms.budget)} USDC locked, ${event.args.terms.totalSteps} steps`;
    case "CommitteeSeated":
      return `three verifiers sit: ${event.args.verifiers.map(short).join(", ")}`;
    case "LeaseAcquired":
      return `${short(event.args.provider)} takes the lease at ${usdc(event.args.pricePerStep)} USDC a step (fence ${event.args.fence})`;
    case "EvictionCast":
      return `${short(event.args.verifier)} signs the eviction of fence ${event.args.fence}`;
    case "LeaseEnded":
      return `the lease of ${short(event.args.provider)} ended: ${enumName(endCauses, event.args.cause)}`;
    case "CheckpointCommitted":
      return `checkpoint ${checkpointIndexOf(event.args.checkpointId)} at step ${event.args.step} is committed`;
    case "VerdictCast":
      return `${short(event.args.verifier)} votes ${enumName(outcomes, event.args.outcome)} on checkpoint ${checkpointIndexOf(event.args.checkpointId)}, score ${(event.args.score / 1e6).toFixed(4)}`;
    case "CheckpointAccepted":
      return `checkpoint ${checkpointIndexOf(event.args.checkpointId)} is accepted: ${usdc(event.args.pay)} USDC owed to ${short(event.args.provider)}`;
    case "CheckpointRefused":
      return `checkpoint ${checkpointIndexOf(event.args.checkpointId)} is refused: ${short(event.args.provider)} gets nothing and is barred`;
    case "CheckpointUnavailable":
      return `checkpoint ${checkpointIndexOf(event.args.checkpointId)} cannot be had: not paid`;
    case "CheckpointVoided":
      return `checkpoint ${checkpointIndexOf(event.args.checkpointId)} is void`;
    case "CheckpointOrphaned":
      return `checkpoint ${checkpointIndexOf(event.args.checkpointId)} is orphaned`;
    case "CheckpointPaid":
      return `checkpoint ${checkpointIndexOf(event.args.checkpointId)} is paid: ${usdc(event.args.pay)} USDC`;
    case "JobCancelled":
      return "cancelled by the client: it is being wound up";
    case "JobClosing":
      return "closing: no more leases or commits";
    case "JobCompleted":
      return event.args.metTarget
        ? "completed, and the target is met"
        : "completed, but the target is missed: no protocol fee";
    case "JobSettled":
      return `settled: providers ${usdc(event.args.providerPay)}, verifiers ${usdc(event.args.verifierFees)}, protocol ${usdc(event.args.protocolFee)}, back to the client ${usdc(event.args.refund)} USDC`;
    default:
      return undefined;
  }
}

/** An address short enough for a line. */
export function short(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
