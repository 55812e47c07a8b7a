// What a run's entries add up to: leases, checkpoints, the kill, the money. One reducer for the live account, the report and the benches.
import type { RecordingEntry } from "@gpuchain/sdk/records";

type Entry<Kind extends RecordingEntry["kind"]> = Extract<RecordingEntry, { kind: Kind }>;
export type GateEntry = Entry<"gate">;

export interface LeaseState {
  fence: number;
  provider: string;
  /** base units per step */
  price: bigint;
  acquiredT: number;
  endedT?: number;
  cause?: string;
  /** newest step seen under this lease, and when the first came */
  lastStep?: number;
  firstStepT?: number;
  firstStep?: number;
}

export interface VoteState {
  verifier: string;
  outcome: string;
  /** the metric in 1e-6 */
  score: number;
}

export interface CheckpointState {
  id: string;
  fence: number;
  provider: string;
  parentId: string;
  step: number;
  committedT: number;
  decidedT?: number;
  verdict: "pending" | "accepted" | "refused" | "unavailable" | "void" | "orphaned";
  votes: VoteState[];
  gates: GateEntry[];
  /** base units owed when accepted */
  pay: bigint;
}

export interface KillState {
  provider: string;
  t: number;
  atStep: number;
  fence: number;
  /** times after the kill, in ms */
  signedMs: number[];
  signers: Set<string>;
  detectedMs?: number;
  evictedMs?: number;
  acquiredMs?: number;
  firstStepMs?: number;
  resumedFrom?: number;
  successor?: string;
}

export interface RunState {
  jobId?: string;
  leases: Map<number, LeaseState>;
  checkpoints: Map<string, CheckpointState>;
  kills: KillState[];
  /** steps done so far under any lease, lost and refused ones included */
  stepsTrained: number;
  firstStepT?: number;
  lastStepT?: number;
  completed: boolean;
  settled?: { providerPay: bigint; verifierFees: bigint; protocolFee: bigint; refund: bigint };
  /** base units credited, by account and kind */
  credits: { account: string; kind: number; amount: bigint }[];
  /** base units of a bond that went to somebody else */
  slashes: { account: string; to: string; kind: number; amount: bigint }[];
  /** refused checkpoints that are past appeal */
  final: Set<string>;
  withdrawals: { account: string; to: string; amount: bigint }[];
}

/** Outcome and cause numbers as the contracts' enums define them. */
export const OUTCOMES = ["none", "accept", "refuse", "unavailable"] as const;
export const END_CAUSES = [
  "none",
  "released",
  "expired",
  "stalled",
  "evicted",
  "refused",
  "unavailable",
  "jobClosed",
] as const;
export const CREDIT_KINDS = { providerPay: 0, verifierFee: 1, cancelFee: 2, protocolFee: 3, refund: 4 } as const;

export function emptyRun(): RunState {
  return {
    leases: new Map(),
    checkpoints: new Map(),
    kills: [],
    stepsTrained: 0,
    completed: false,
    credits: [],
    slashes: [],
    final: new Set(),
    withdrawals: [],
  };
}

/** Folds one entry into the state, in the order in which the recorder heard of them. */
export function reduceRun(run: RunState, entry: RecordingEntry): void {
  if (entry.kind === "step") onStep(run, entry);
  else if (entry.kind === "fault" && entry.fault === "kill") onKill(run, entry);
  else if (entry.kind === "signature" && entry.of === "eviction") onEvictionSigned(run, entry);
  else if (entry.kind === "gate") run.checkpoints.get(entry.checkpoint)?.gates.push(entry);
  else if (entry.kind === "event") onEvent(run, entry);
}

/** The state of a finished timeline. */
export function runOf(entries: readonly RecordingEntry[]): RunState {
  const run = emptyRun();
  for (const entry of entries) reduceRun(run, entry);
  return run;
}

function onStep(run: RunState, entry: Entry<"step">): void {
  run.stepsTrained++;
  run.firstStepT ??= entry.t;
  run.lastStepT = entry.t;
  const lease = run.leases.get(entry.fence);
  if (lease) {
    lease.lastStep = entry.step;
    lease.firstStepT ??= entry.t;
    lease.firstStep ??= entry.step;
  }
  for (const kill of run.kills) {
    if (kill.firstStepMs !== undefined || entry.fence <= kill.fence) continue;
    kill.firstStepMs = entry.t - kill.t;
    kill.resumedFrom = entry.step - 1;
    kill.successor = entry.provider;
  }
}

function onKill(run: RunState, entry: Entry<"fault">): void {
  const lease = [...run.leases.values()].reverse().find(({ provider }) => same(provider, entry.party));
  if (!lease) return;
  const atStep = entry.step ?? lease.lastStep ?? 0;
  run.kills.push({ provider: entry.party, t: entry.t, atStep, fence: lease.fence, signedMs: [], signers: new Set() });
}

function onEvictionSigned(run: RunState, entry: Entry<"signature">): void {
  for (const kill of run.kills) {
    // A seat signs anew when the first signature grows old: that is no second seat.
    if (kill.fence !== entry.fence || kill.signers.has(entry.verifier)) continue;
    kill.signers.add(entry.verifier);
    kill.signedMs.push(entry.t - kill.t);
    // Two seats evict; one alone is an opinion.
    if (kill.signedMs.length === 2) kill.detectedMs = Math.max(...kill.signedMs);
  }
}

function onEvent(run: RunState, { name, args, t }: Entry<"event">): void {
  const text = (key: string) => String(args[key]);
  const checkpoint = run.checkpoints.get(text("checkpointId"));
  switch (name) {
    case "JobPosted":
      run.jobId = text("jobId");
      break;
    case "LeaseAcquired": {
      const fence = Number(args.fence);
      const price = BigInt(text("pricePerStep"));
      run.leases.set(fence, { fence, provider: text("provider"), price, acquiredT: t });
      for (const kill of run.kills) if (fence > kill.fence) kill.acquiredMs ??= t - kill.t;
      break;
    }
    case "LeaseEnded": {
      const lease = run.leases.get(Number(args.fence));
      if (!lease) break;
      lease.endedT = t;
      lease.cause = END_CAUSES[Number(args.cause)] ?? "none";
      for (const kill of run.kills) if (kill.fence === lease.fence) kill.evictedMs ??= t - kill.t;
      break;
    }
    case "CheckpointCommitted": {
      const fence = Number(args.fence);
      run.checkpoints.set(text("checkpointId"), {
        id: text("checkpointId"),
        fence,
        provider: run.leases.get(fence)?.provider ?? "",
        parentId: text("parentId"),
        step: Number(args.step),
        committedT: t,
        verdict: "pending",
        votes: [],
        gates: [],
        pay: 0n,
      });
      break;
    }
    case "VerdictCast":
      checkpoint?.votes.push({
        verifier: text("verifier"),
        outcome: OUTCOMES[Number(args.outcome)] ?? "none",
        score: Number(args.score),
      });
      break;
    case "CheckpointAccepted":
      if (checkpoint) checkpoint.pay = BigInt(text("pay"));
      decide(checkpoint, "accepted", t);
      break;
    case "CheckpointRefused":
      decide(checkpoint, "refused", t);
      break;
    case "CheckpointUnavailable":
      decide(checkpoint, "unavailable", t);
      break;
    case "CheckpointVoided":
      decide(checkpoint, "void", t);
      break;
    case "CheckpointOrphaned":
      decide(checkpoint, "orphaned", t);
      break;
    case "JobCompleted":
      run.completed = true;
      break;
    case "Credited":
      run.credits.push({ account: text("account"), kind: Number(args.kind), amount: BigInt(text("amount")) });
      break;
    case "RefusalFinal":
      run.final.add(text("checkpointId"));
      break;
    case "BondSlashed":
      run.slashes.push({
        account: text("account"),
        to: text("to"),
        kind: Number(args.kind),
        amount: BigInt(text("amount")),
      });
      break;
    case "Withdrawn":
      run.withdrawals.push({ account: text("account"), to: text("to"), amount: BigInt(text("amount")) });
      break;
    case "JobSettled":
      run.settled = {
        providerPay: BigInt(text("providerPay")),
        verifierFees: BigInt(text("verifierFees")),
        protocolFee: BigInt(text("protocolFee")),
        refund: BigInt(text("refund")),
      };
      break;
  }
}

function decide(checkpoint: CheckpointState | undefined, verdict: CheckpointState["verdict"], t: number): void {
  if (!checkpoint) return;
  checkpoint.verdict = verdict;
  checkpoint.decidedT = t;
}

export const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
