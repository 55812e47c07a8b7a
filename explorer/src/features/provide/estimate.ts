import type { ChainEvent } from "../../chain/chainEvent.ts";
import { big, num, struct, text } from "../run/model/args.ts";

export interface Demand {
  readonly openJobs: number;
  /** steps of open jobs that nobody's accepted work covers yet */
  readonly stepsLeft: number;
  /** those whose top price is at or above the asked one */
  readonly stepsAtPrice: number;
  /** providers that ask less and are accepting */
  readonly cheaper: number;
}

/** Today's demand at a price: jobs that could still be taken, from events. */
export function demandAt(events: readonly ChainEvent[], price: bigint): Demand {
  const jobs = new Map<string, { left: number; steps: number; max: bigint }>();
  const offers = new Map<string, { price: bigint; accepting: boolean }>();
  for (const { name, args } of events) {
    const id = text(args, "jobId");
    const who = text(args, "provider").toLowerCase();
    if (name === "JobPosted") {
      const terms = struct(args, "terms");
      const steps = num(terms, "totalSteps");
      jobs.set(id, { left: steps, steps, max: big(terms, "maxPricePerStep") });
    } else if (name === "CheckpointAccepted") {
      const job = jobs.get(id);
      if (job) job.left = job.steps - num(args, "step");
    } else if (name === "JobCancelled" || name === "JobClosing" || name === "JobCompleted") {
      jobs.delete(id);
    } else if (name === "ProviderRegistered" || name === "ProviderUpdated") {
      offers.set(who, {
        price: big(struct(args, "profile"), "pricePerStep"),
        accepting: offers.get(who)?.accepting ?? true,
      });
    } else if (name === "AcceptingSet") {
      const offer = offers.get(who);
      if (offer) offer.accepting = args.accepting === true;
    }
  }
  const open = [...jobs.values()];
  return {
    openJobs: open.length,
    stepsLeft: open.reduce((n, j) => n + j.left, 0),
    stepsAtPrice: open.filter((j) => j.max >= price).reduce((n, j) => n + j.left, 0),
    cheaper: [...offers.values()].filter((o) => o.accepting && o.price < price).length,
  };
}
