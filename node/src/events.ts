import { endCauses, enumName, type GpuchainEvent } from "@gpuchain/sdk/chain";
import { formatUsdc, type Logger } from "@gpuchain/sdk/daemon";
import type { NodeJournal, Outcome } from "./journal/nodeJournal.ts";

export interface OwnEventsParameters {
  /** this node's address, lower case */
  readonly me: string;
  readonly journal: NodeJournal;
  readonly log: Logger;
}

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  CheckpointAccepted: "accepted",
  CheckpointRefused: "refused",
  CheckpointUnavailable: "unavailable",
  CheckpointVoided: "void",
  CheckpointOrphaned: "orphaned",
};

/**
 * Books what the chain says about this node's own leases and checkpoints, and tells it once.
 *
 * @param isNews false while the node catches up with blocks from before its start: those are booked and not told
 */
export function onOwnEvent({ me, journal, log }: OwnEventsParameters, event: GpuchainEvent, isNews: boolean): void {
  const tell = (fields: object, text: string, level: "info" | "warn" = "info") => {
    if (isNews) log[level](fields, text);
  };
  switch (event.eventName) {
    case "LeaseAcquired": {
      const { jobId, fence, provider, pricePerStep } = event.args;
      if (provider.toLowerCase() !== me) return;
      const fields = { job: jobId.toString(), fence: String(fence), price: formatUsdc(pricePerStep) };
      tell(
        { event: "lease.acquired", ...fields, block: Number(event.blockNumber) },
        `lease ${fence} of job ${jobId} is ours`,
      );
      return;
    }
    case "LeaseEnded": {
      const { jobId, fence, provider, cause } = event.args;
      if (provider.toLowerCase() !== me) return;
      const name = enumName(endCauses, cause);
      journal.leaseEnded(jobId, BigInt(fence), name);
      const fields = { job: jobId.toString(), fence: String(fence), cause: name };
      tell(
        { event: "lease.ended", ...fields, block: Number(event.blockNumber) },
        `lease ${fence} of job ${jobId} ended: ${name}`,
      );
      return;
    }
    case "CheckpointAccepted":
    case "CheckpointRefused":
    case "CheckpointUnavailable":
    case "CheckpointVoided":
    case "CheckpointOrphaned": {
      const outcome = OUTCOMES[event.eventName] ?? "void";
      const pay = event.eventName === "CheckpointAccepted" ? event.args.pay : 0n;
      const own = journal.checkpointDecided(event.args.checkpointId, outcome, pay);
      if (own === undefined) return;
      const fields = {
        job: own.job.toString(),
        fence: own.fence.toString(),
        checkpoint: event.args.checkpointId.toString(),
        step: own.step,
      };
      if (event.eventName === "CheckpointAccepted")
        tell(
          { event: "earned", ...fields, amount: formatUsdc(event.args.pay) },
          `step ${own.step} accepted: ${formatUsdc(event.args.pay)} USDC earned`,
        );
      else tell({ event: `checkpoint.${outcome}`, ...fields }, `checkpoint at step ${own.step} is ${outcome}`, "warn");
      return;
    }
    default:
      return;
  }
}
