import { parseDevice } from "@gpuchain/sdk/records";
import type { ChainEvent } from "../../chain/chainEvent.ts";
import { plainText } from "../../format/plain.ts";
import { address, big, CREDIT_KINDS, endCause, flag, list, num, outcome, struct, text } from "../run/model/args.ts";

export interface ProviderRecord {
  readonly address: string;
  name: string;
  price: bigint;
  payout: string;
  accepting: boolean;
  exiting: boolean;
  metadata: string;
  leases: number;
  /** leases that ended by eviction, expiry or stalling */
  dropped: number;
  refused: number;
  stepsAccepted: number;
  stepsRefused: number;
  earned: bigint;
  bond: bigint;
  slashed: bigint;
  lastBlock: number;
}

export interface VerifierRecord {
  readonly address: string;
  readonly id: number;
  endpoint: string;
  minFee: bigint;
  status: "active" | "suspended" | "exiting" | "left";
  votes: number;
  /** votes that did not match the decision */
  disagreements: number;
  seats: number;
  earned: bigint;
  bond: bigint;
  slashed: bigint;
}

export interface Registry {
  readonly providers: ProviderRecord[];
  readonly verifiers: VerifierRecord[];
}

/** Everybody's record, from events alone: nothing here is anybody's word but names, devices and endpoints. */
export function registryRecords(events: readonly ChainEvent[]): Registry {
  const providers = new Map<string, ProviderRecord>();
  const verifiers = new Map<string, VerifierRecord>();
  const votes = new Map<string, { verifier: string; outcome: string }[]>();
  const steps = new Map<string, { from: number; to: number }>();
  const accepted = new Map<string, ProviderRecord>();
  const refused = new Map<string, ProviderRecord>();
  const fences = new Map<string, string>();
  const dropped = new Set<string>();
  for (const event of events) {
    const { name, args, block } = event;
    const provider = providers.get(address(args, "provider"));
    if (provider) provider.lastBlock = block;
    switch (name) {
      case "ProviderRegistered":
      case "ProviderUpdated": {
        const profile = struct(args, "profile");
        const who = address(args, "provider");
        const known = providers.get(who) ?? emptyProvider(who);
        known.name = plainText(text(profile, "name"));
        known.price = big(profile, "pricePerStep");
        known.metadata = text(profile, "metadata");
        known.lastBlock = block;
        if (args.payout !== undefined) known.payout = address(args, "payout");
        // Whoever registers anew is no longer leaving.
        if (name === "ProviderRegistered") [known.exiting, known.accepting] = [false, true];
        providers.set(who, known);
        break;
      }
      case "PayoutChanged":
        if (provider) provider.payout = address(args, "payout");
        break;
      case "AcceptingSet":
        if (provider) provider.accepting = flag(args, "accepting");
        break;
      case "LeaseAcquired":
        if (provider) provider.leases++;
        break;
      case "LeaseEnded":
        if (provider && ["evicted", "expired", "stalled"].includes(endCause(num(args, "cause")))) {
          provider.dropped++;
          dropped.add(`${text(args, "jobId")}/${num(args, "fence")}`);
        }
        break;
      case "CheckpointCommitted":
        fences.set(text(args, "checkpointId"), `${text(args, "jobId")}/${num(args, "fence")}`);
        steps.set(text(args, "checkpointId"), {
          from: steps.get(text(args, "parentId"))?.to ?? 0,
          to: num(args, "step"),
        });
        break;
      case "CheckpointAccepted":
        if (provider) {
          provider.stepsAccepted += length(steps.get(text(args, "checkpointId")));
          accepted.set(text(args, "checkpointId"), provider);
        }
        judge(verifiers, votes.get(text(args, "checkpointId")), "accept");
        break;
      case "CheckpointRefused":
        if (provider) {
          // A lease that was dropped before its work was refused went wrong once.
          if (dropped.has(fences.get(text(args, "checkpointId")) ?? "")) provider.dropped--;
          refused.set(text(args, "checkpointId"), provider);
          provider.refused++;
          provider.stepsRefused += length(steps.get(text(args, "checkpointId")));
        }
        judge(verifiers, votes.get(text(args, "checkpointId")), "refuse");
        break;
      case "RefusalOverturned": {
        const id = text(args, "checkpointId");
        const wronged = refused.get(id);
        refused.delete(id);
        if (!wronged) break;
        wronged.refused--;
        wronged.stepsRefused -= length(steps.get(id));
        if (dropped.has(fences.get(id) ?? "")) wronged.dropped++;
        break;
      }
      case "CheckpointPaid": {
        const earner = accepted.get(text(args, "checkpointId"));
        if (earner) earner.earned += big(args, "pay");
        accepted.delete(text(args, "checkpointId"));
        break;
      }
      case "ChainCut":
        for (const [id, loser] of accepted) {
          if (BigInt(id) >> 32n !== big(args, "jobId") || BigInt(id) < big(args, "fromId")) continue;
          loser.stepsAccepted -= length(steps.get(id));
          accepted.delete(id);
        }
        break;
      case "VerdictCast": {
        const verifier = verifiers.get(address(args, "verifier"));
        if (verifier) verifier.votes++;
        const id = text(args, "checkpointId");
        const cast = { verifier: address(args, "verifier"), outcome: outcome(num(args, "outcome")) };
        votes.set(id, [...(votes.get(id) ?? []), cast]);
        break;
      }
      case "CommitteeSeated":
        for (const who of list(args, "verifiers")) {
          const verifier = verifiers.get(who);
          if (verifier) verifier.seats++;
        }
        break;
      default:
        money(event, providers, verifiers);
    }
  }
  return { providers: [...providers.values()], verifiers: [...verifiers.values()] };
}

function money(
  { name, args }: ChainEvent,
  providers: Map<string, ProviderRecord>,
  verifiers: Map<string, VerifierRecord>,
): void {
  const amount = big(args, "amount");
  const who = address(args, "account");
  const holder = providers.get(who) ?? verifiers.get(who);
  const verifier = verifiers.get(address(args, "verifier"));
  switch (name) {
    case "VerifierRegistered": {
      const profile = struct(args, "profile");
      const account = address(args, "verifier");
      verifiers.set(account, {
        address: account,
        id: num(args, "verifierId"),
        endpoint: plainText(text(profile, "endpoint"), 120),
        minFee: big(profile, "minFee"),
        status: "active",
        votes: 0,
        disagreements: 0,
        seats: 0,
        earned: 0n,
        bond: 0n,
        slashed: 0n,
      });
      break;
    }
    case "VerifierUpdated":
      if (verifier) {
        verifier.endpoint = plainText(text(struct(args, "profile"), "endpoint"), 120);
        verifier.minFee = big(struct(args, "profile"), "minFee");
      }
      break;
    case "VerifierSuspended":
      if (verifier) verifier.status = "suspended";
      break;
    case "VerifierResumed":
      if (verifier) verifier.status = "active";
      break;
    case "ExitRequested": {
      const leaving = verifiers.get(who);
      if (leaving) leaving.status = "exiting";
      const provider = providers.get(who);
      if (provider) provider.exiting = true;
      break;
    }
    case "Exited": {
      const left = verifiers.get(who);
      if (left) left.status = "left";
      const gone = providers.get(who);
      if (gone) [gone.exiting, gone.accepting] = [false, false];
      break;
    }
    case "BondDeposited":
      if (holder) holder.bond += amount;
      break;
    case "BondSlashed":
      if (holder) {
        holder.bond -= amount;
        holder.slashed += amount;
      }
      break;
    case "BondReturned":
      if (holder) holder.bond -= amount;
      break;
    case "Credited": {
      const kind = CREDIT_KINDS[num(args, "kind")];
      // A provider's pay is counted by its checkpoints: several nodes may share one wallet.
      const earner = verifiers.get(who);
      if (earner && (kind === "verifierFee" || kind === "cancelFee")) earner.earned += amount;
      break;
    }
  }
}

function judge(
  verifiers: Map<string, VerifierRecord>,
  cast: { verifier: string; outcome: string }[] | undefined,
  decided: string,
): void {
  for (const vote of cast ?? []) {
    const verifier = verifiers.get(vote.verifier);
    if (verifier && vote.outcome !== decided) verifier.disagreements++;
  }
}

const length = (s: { from: number; to: number } | undefined) => (s ? s.to - s.from : 0);

function emptyProvider(who: string): ProviderRecord {
  return {
    address: who,
    name: "",
    price: 0n,
    payout: who,
    accepting: true,
    exiting: false,
    metadata: "",
    leases: 0,
    dropped: 0,
    refused: 0,
    stepsAccepted: 0,
    stepsRefused: 0,
    earned: 0n,
    bond: 0n,
    slashed: 0n,
    lastBlock: 0,
  };
}

/** Leases that ended in the provider's own way, as a share; undefined without a lease. */
export function reliability(p: ProviderRecord): number | undefined {
  return p.leases === 0 ? undefined : (p.leases - p.dropped - p.refused) / p.leases;
}

/** The device as the provider describes it, from its registered metadata. Text only, and short. */
export function deviceOf(metadata: string): string | undefined {
  const device = parseDevice(metadata);
  if (device === undefined) return undefined;
  const cores = device.kind === "gpu" ? "" : `, ${device.threads} of ${device.cores} cores`;
  return `${plainText(device.model, 60)}${cores}, on ${plainText(device.runtime, 20)}`;
}
