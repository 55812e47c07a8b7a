import type { ChainEvent } from "../../../chain/chainEvent.ts";
import { plural } from "../../../format/number.ts";
import { address, big, num, text } from "../../run/model/args.ts";

export interface OpenClaims {
  /** accepted and not yet credited, base units */
  readonly owed: bigint;
  /** handed in and not paid so far, whatever the reason */
  readonly unpaidSteps: number;
  /** why, in words */
  readonly reasons: readonly string[];
}

/** What an account (a provider, or the wallet that its pay goes to) has earned or lost and not been paid for. */
export function openClaims(events: readonly ChainEvent[], account: string): OpenClaims {
  const wanted = account.toLowerCase();
  const mine = new Set([wanted]);
  const holders = new Map<string, string>();
  const open = new Map<string, { steps: number; state: string; pay: bigint; to: number }>();
  const steps = new Map<string, number>();
  for (const { name, args } of events) {
    const id = text(args, "checkpointId");
    switch (name) {
      case "ProviderRegistered":
      case "PayoutChanged":
        if (address(args, "payout") === wanted) mine.add(address(args, "provider"));
        break;
      case "LeaseAcquired":
        holders.set(`${text(args, "jobId")}/${num(args, "fence")}`, address(args, "provider"));
        break;
      case "CheckpointCommitted": {
        const to = num(args, "step");
        const count = to - (steps.get(text(args, "parentId")) ?? 0);
        steps.set(id, to);
        const holder = holders.get(`${text(args, "jobId")}/${num(args, "fence")}`) ?? "";
        if (mine.has(holder)) open.set(id, { steps: count, state: "waiting for a verdict", pay: 0n, to });
        break;
      }
      case "CheckpointAccepted":
        change(open, id, "waiting for its dispute window to end", big(args, "pay"));
        break;
      case "CheckpointPaid":
        open.delete(id);
        break;
      case "CheckpointRefused":
        change(open, id, "refused");
        break;
      case "CheckpointUnavailable":
        change(open, id, "bytes not to be had");
        break;
      case "CheckpointVoided":
        change(open, id, "built on refused work");
        break;
      case "CheckpointOrphaned":
        change(open, id, "another’s work came first");
        break;
    }
  }
  const byReason = new Map<string, number>();
  for (const { state, steps } of open.values()) byReason.set(state, (byReason.get(state) ?? 0) + steps);
  return {
    owed: [...open.values()].reduce((sum, c) => sum + c.pay, 0n),
    unpaidSteps: [...open.values()].reduce((sum, c) => sum + c.steps, 0),
    reasons: [...byReason].map(([reason, n]) => `${plural(n, "step")} ${reason}`),
  };
}

function change(
  open: Map<string, { steps: number; state: string; pay: bigint; to: number }>,
  id: string,
  state: string,
  pay = 0n,
): void {
  const claim = open.get(id);
  if (claim) open.set(id, { ...claim, state, pay });
}
