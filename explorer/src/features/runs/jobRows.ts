import type { ChainEvent } from "../../chain/chainEvent.ts";
import { address, big, num, struct, text } from "../run/model/args.ts";

export interface JobRow {
  readonly id: string;
  readonly client: string;
  readonly block: number;
  readonly postedAt: number | undefined;
  readonly steps: number;
  readonly budget: bigint;
  readonly maxPrice: bigint;
  accepted: number;
  status: "open" | "draining" | "closing" | "completed" | "settled";
  holder: string | undefined;
  handOvers: number;
}

/** Every job with its state, oldest first, from events alone. */
export function jobRows(events: readonly ChainEvent[]): JobRow[] {
  const rows = new Map<string, JobRow>();
  const steps = new Map<string, number>();
  for (const { name, args, block, timestamp } of events) {
    if (args.jobId === undefined) continue;
    const id = text(args, "jobId");
    if (name === "JobPosted") {
      const terms = struct(args, "terms");
      rows.set(id, {
        id,
        client: address(args, "client"),
        block,
        postedAt: timestamp,
        steps: num(terms, "totalSteps"),
        budget: big(terms, "budget"),
        maxPrice: big(terms, "maxPricePerStep"),
        accepted: 0,
        status: "open",
        holder: undefined,
        handOvers: 0,
      });
      continue;
    }
    const row = rows.get(id);
    if (name === "CheckpointAccepted") steps.set(text(args, "checkpointId"), num(args, "step"));
    if (row && name === "ChainCut") {
      row.accepted = steps.get(text(args, "headId")) ?? 0;
      row.status = "closing";
    } else if (row) apply(row, name, args);
  }
  return [...rows.values()];
}

function apply(row: JobRow, name: string, args: ChainEvent["args"]): void {
  switch (name) {
    case "LeaseAcquired":
      row.holder = address(args, "provider");
      if (num(args, "fence") > 1) row.handOvers++;
      break;
    case "LeaseEnded":
      row.holder = undefined;
      break;
    case "CheckpointAccepted":
      row.accepted = num(args, "step");
      break;
    case "JobCancelled":
      row.status = "draining";
      break;
    case "JobClosing":
      row.status = "closing";
      break;
    case "JobCompleted":
      row.status = "completed";
      row.holder = undefined;
      break;
    case "JobSettled":
      row.status = "settled";
      break;
  }
}
