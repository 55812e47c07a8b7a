// The demo's report, made from what the recorder holds and from what the chain says at the end.
import type { RunReport } from "@gpuchain/sdk/records";
import { usdcExact } from "./narrator.ts";
import { type CheckpointState, CREDIT_KINDS, type RunState, same } from "./runState.ts";

export interface ReportInput {
  run: RunState;
  chainId: number;
  blockTimeMs: number;
  steps: number;
  checkpointInterval: number;
  /** base units */
  budget: bigint;
  nameOf: (address: string) => string;
  /** the provider whose work was replaced, if the run had one */
  junkProvider?: string;
  providers: readonly string[];
  verifiers: readonly string[];
  final: { accuracy: number; balancedAccuracy: number; nll: number; heldOut: number };
  reserves: { held: bigint; owed: bigint };
  speed: { bareStepsPerSecond: number; runStepsPerSecond: number };
  wallMs: number;
  /** greatest memory of all processes together, in bytes, where it can be measured */
  peakPssBytes?: number | undefined;
}

export function makeReport(input: ReportInput): RunReport {
  const { run, nameOf } = input;
  const [kill] = run.kills;
  const killLease = kill && run.leases.get(kill.fence);
  const lastCheckpoint = kill ? lastCommitBefore(run, kill.fence, kill.t) : 0;
  const junk = input.junkProvider;
  const junkCheckpoints = [...run.checkpoints.values()].filter(({ provider }) => junk && same(provider, junk));
  const refused = junkCheckpoints.find(({ verdict }) => verdict === "refused");
  return {
    network: { chainId: input.chainId, blockTimeMs: input.blockTimeMs },
    job: { steps: input.steps, checkpointInterval: input.checkpointInterval, budget: usdcExact(input.budget) },
    ...(kill &&
      killLease && {
        kill: {
          provider: nameOf(kill.provider),
          atStep: kill.atStep,
          lastCheckpoint,
          detectedMs: measured(kill.detectedMs, "two seats never signed"),
          evictedMs: measured(kill.evictedMs, "the lease never ended"),
          acquiredMs: measured(kill.acquiredMs, "nobody took over"),
          firstStepMs: measured(kill.firstStepMs, "nobody trained on"),
          stepsLost: kill.atStep - (kill.resumedFrom ?? lastCheckpoint),
        },
      }),
    checkpoints: [...run.checkpoints.values()].map((checkpoint) => checkpointRow(checkpoint, nameOf)),
    ...(junk && {
      junk: {
        provider: nameOf(junk),
        refused: refused !== undefined,
        gate: refused ? (failedGate(refused) ?? null) : null,
        paid: usdcExact(creditedTo(run, junk, CREDIT_KINDS.providerPay)),
      },
    }),
    final: input.final,
    money: moneyOf(input),
    speed: input.speed,
    wallMs: Math.round(input.wallMs),
    ...(input.peakPssBytes !== undefined && { peakPssBytes: input.peakPssBytes }),
  };
}

/** What everybody got. Each figure is summed from the escrow's own events, not from the terms. */
function moneyOf({ run, budget, nameOf, providers, verifiers, reserves }: ReportInput): RunReport["money"] {
  const paid = (address: string) => usdcExact(creditedTo(run, address, CREDIT_KINDS.providerPay));
  const sum = (kind: number) =>
    run.credits.filter((one) => one.kind === kind).reduce((all, { amount }) => all + amount, 0n);
  const fromBonds = run.slashes.reduce((all, { amount }) => all + amount, 0n);
  return {
    budget: usdcExact(budget),
    providers: Object.fromEntries(providers.map((address) => [nameOf(address), paid(address)])),
    verifiers: usdcExact(sum(CREDIT_KINDS.verifierFee)),
    verifiersEach: Object.fromEntries(
      verifiers.map((address) => [nameOf(address), usdcExact(creditedTo(run, address, CREDIT_KINDS.verifierFee))]),
    ),
    fee: usdcExact(sum(CREDIT_KINDS.protocolFee)),
    refund: usdcExact(sum(CREDIT_KINDS.refund)),
    slashedFromBonds: usdcExact(fromBonds),
    reserves: { held: usdcExact(reserves.held), owed: usdcExact(reserves.owed) },
  };
}

function checkpointRow(
  checkpoint: CheckpointState,
  nameOf: (address: string) => string,
): RunReport["checkpoints"][number] {
  const quality = checkpoint.gates.find(({ balancedAccuracy }) => balancedAccuracy !== undefined);
  const { decidedT, committedT } = checkpoint;
  return {
    id: checkpoint.id,
    step: checkpoint.step,
    provider: nameOf(checkpoint.provider),
    verdict: checkpoint.verdict,
    gate: failedGate(checkpoint) ?? null,
    balancedAccuracy: quality?.balancedAccuracy ?? null,
    nll: quality?.nll ?? null,
    commitToVerdictMs: decidedT === undefined ? null : decidedT - committedT,
    votes: checkpoint.votes.map(({ verifier, outcome, score }) => ({
      verifier: nameOf(verifier),
      outcome,
      score: score / 1e6,
    })),
  };
}

/** The gate that refused, as the seats that voted so name it. A drop in quality alone refuses nothing. */
function failedGate(checkpoint: CheckpointState): string | undefined {
  if (checkpoint.verdict !== "refused") return undefined;
  return checkpoint.gates.find(({ gate, ok }) => !ok && gate !== "quality")?.gate;
}

/** The newest step that a lease, or those before it, had committed by a time. */
function lastCommitBefore(run: RunState, fence: number, t: number): number {
  const steps = [...run.checkpoints.values()]
    .filter((one) => one.fence <= fence && one.committedT <= t)
    .map(({ step }) => step);
  return Math.max(0, ...steps);
}

function creditedTo(run: RunState, account: string, kind: number): bigint {
  return run.credits
    .filter((one) => one.kind === kind && same(one.account, account))
    .reduce((sum, { amount }) => sum + amount, 0n);
}

function measured(value: number | undefined, problem: string): number {
  if (value === undefined) throw new Error(`the run is not complete: after the kill, ${problem}`);
  return Math.round(value);
}

/** The table of where every cent went; its last line says whether it adds up. */
export function moneyTable(report: RunReport): string {
  const rows: [string, string][] = [["budget locked by the client", report.money.budget]];
  const { verifiers } = report.money;
  for (const [name, amount] of Object.entries(report.money.providers)) rows.push([`  provider ${name}`, amount]);
  rows.push(["  verifiers", typeof verifiers === "string" ? verifiers : ""]);
  rows.push(["  protocol fee (8 % of pay)", report.money.fee], ["  back to the client", report.money.refund]);
  const parts = rows.slice(1).reduce((sum, [, amount]) => sum + baseUnits(amount), 0n);
  const difference = baseUnits(report.money.budget) - parts;
  rows.push(["difference", usdcExact(difference)]);
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  return rows.map(([label, amount]) => `  ${label.padEnd(width)}${amount.padStart(12)}`).join("\n");
}

/** A six-place decimal string as base units. */
export function baseUnits(text: string): bigint {
  if (!/^-?\d+\.\d{6}$/.test(text)) throw new Error(`not an amount with six places: ${text}`);
  return BigInt(text.replace(".", ""));
}
