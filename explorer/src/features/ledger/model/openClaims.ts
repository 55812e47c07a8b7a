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
  // Pay goes to the wallet that is named when it is credited, not to the one of when the work was done.
  for (const [provider, payout] of payoutsOf(events)) if (payout === wanted) mine.add(provider);
  const holders = new Map<string, string>();
  const open: Claims = new Map();
  const steps = new Map<string, number>();
  for (const { name, args } of events) {
    const id = text(args, "checkpointId");
    switch (name) {
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
        change(open, id, MATURING, big(args, "pay"));
        break;
      case "CheckpointPaid":
        open.delete(id);
        break;
      case "CheckpointRefused":
        change(open, id, "refused");
        break;
      case "RefusalOverturned":
        change(open, id, "refused; the arbiter overturned that, and the chain had moved on");
        break;
      case "ChainContested":
        for (const [one, claim] of acceptedFrom(open, args)) open.set(one, { ...claim, state: DISPUTED });
        break;
      case "ChainUpheld":
        for (const [one, claim] of acceptedFrom(open, args)) open.set(one, { ...claim, state: MATURING });
        break;
      case "ChainCut":
        for (const [one, claim] of acceptedFrom(open, args)) open.set(one, { ...claim, state: CUT, pay: 0n });
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

const MATURING = "waiting for its dispute window to end";
const DISPUTED = "disputed: waiting for the arbiter";
const CUT = "cut by the arbiter";

interface Claim {
  readonly steps: number;
  readonly state: string;
  readonly pay: bigint;
  readonly to: number;
}
type Claims = Map<string, Claim>;

/** Accepted and not yet paid, from the checkpoint on that a dispute names. */
function acceptedFrom(open: Claims, args: ChainEvent["args"]): [string, Claim][] {
  const [job, from] = [big(args, "jobId"), big(args, "fromId")];
  return [...open].filter(
    ([id, { state }]) => BigInt(id) >> 32n === job && BigInt(id) >= from && (state === MATURING || state === DISPUTED),
  );
}

/** The wallet that each provider's pay goes to now, by the provider's address. */
function payoutsOf(events: readonly ChainEvent[]): Map<string, string> {
  const payouts = new Map<string, string>();
  for (const { name, args } of events) {
    if (args.payout === undefined) continue;
    if (name === "ProviderRegistered" || name === "ProviderUpdated" || name === "PayoutChanged")
      payouts.set(address(args, "provider"), address(args, "payout"));
  }
  return payouts;
}

function change(open: Claims, id: string, state: string, pay = 0n): void {
  const claim = open.get(id);
  if (claim) open.set(id, { ...claim, state, pay });
}
