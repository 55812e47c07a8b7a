// Tells a run as it happens, in one line an event, for a terminal or a log file.
import type { RecordingEntry } from "@gpuchain/sdk/records";
import { type CheckpointState, emptyRun, type RunState, reduceRun } from "./runState.ts";

export interface NarratorOptions {
  /** what to call an address */
  nameOf: (address: string) => string;
  totalSteps: number;
  /** where lines go, without their line end */
  print: (line: string) => void;
  /** shows or clears the line that changes in place; absent: a line every `STEPS_PER_LINE` steps instead */
  status?: (line: string) => void;
  colour: boolean;
}

const STEPS_PER_LINE = 25;
const PAINT = { good: "\x1b[32m", bad: "\x1b[31m", dim: "\x1b[2m", bold: "\x1b[1m" } as const;
const RESET = "\x1b[0m";
type Tone = keyof typeof PAINT | "plain";

/** Base units as USDC with the places that matter: 0.001, 5, 0.0525. */
export function usdc(amount: bigint): string {
  const text = usdcExact(amount);
  return text.replace(/\.?0+$/, "");
}

/** Base units as USDC with all six places, as the report prints it. */
export function usdcExact(amount: bigint): string {
  const sign = amount < 0n ? "-" : "";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(7, "0");
  return `${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

export class Narrator {
  private readonly run: RunState = emptyRun();
  private readonly options: NarratorOptions;
  private smoothed: number | undefined;

  constructor(options: NarratorOptions) {
    this.options = options;
  }

  take(entry: RecordingEntry): void {
    reduceRun(this.run, entry);
    const line = this.tell(entry);
    if (line) this.say(entry.t, ...line);
  }

  private tell(entry: RecordingEntry): [text: string, tone?: Tone] | undefined {
    switch (entry.kind) {
      case "step":
        return this.step(entry);
      case "fault":
        return this.fault(entry);
      case "signature":
        return this.signature(entry);
      case "gate":
        return entry.ok ? undefined : [`${this.name(entry.verifier)} ${gateText(entry, this.run)}`, "bad"];
      case "event":
        return this.event(entry);
      default:
        return undefined;
    }
  }

  private step(entry: Extract<RecordingEntry, { kind: "step" }>): [string, Tone?] | undefined {
    this.smoothed = this.smoothed === undefined ? entry.loss : this.smoothed * 0.9 + entry.loss * 0.1;
    const lease = this.run.leases.get(entry.fence);
    const first = lease?.firstStep === entry.step && lease.firstStepT === entry.t;
    const kill = this.run.kills.find(({ firstStepMs, t }) => firstStepMs !== undefined && t + firstStepMs === entry.t);
    const who = this.name(entry.provider);
    const progress = `${who} step ${entry.step}/${this.options.totalSteps}, loss ${this.smoothed.toFixed(3)}`;
    this.options.status?.(`${stamp(entry.t)}  ${bar(entry.step / this.options.totalSteps)} ${progress}`);
    if (kill && first) {
      const lost = kill.atStep - (entry.step - 1);
      return [
        `${who} trains on from step ${entry.step - 1}, ${seconds(entry.t - kill.t)} after the kill; ${count(lost, "step")} lost`,
        "good",
      ];
    }
    if (first) return [`${who} trains from step ${entry.step - 1}`];
    if (!this.options.status && entry.step % STEPS_PER_LINE === 0) return [progress, "dim"];
    return undefined;
  }

  private fault(entry: Extract<RecordingEntry, { kind: "fault" }>): [string, Tone?] {
    const who = this.name(entry.party);
    if (entry.fault === "kill") return [`${who} is killed at step ${entry.step} (SIGKILL, by this demo)`, "bad"];
    if (entry.fault === "junk") return [`${who} is made to hand in junk instead of its work (by this demo)`, "bad"];
    return [`${who}: ${entry.text ?? entry.fault} (by this demo)`, "bad"];
  }

  private signature(entry: Extract<RecordingEntry, { kind: "signature" }>): [string, Tone?] | undefined {
    if (entry.of !== "eviction") return undefined;
    const kill = this.run.kills.find(({ fence }) => fence === entry.fence);
    const gone = this.name(this.run.leases.get(entry.fence)?.provider ?? "");
    const after = kill ? `, ${seconds(entry.t - kill.t)} after the kill` : "";
    return [`${this.name(entry.verifier)} signs that ${gone} is gone${after}`];
  }

  private event({ name, args }: Extract<RecordingEntry, { kind: "event" }>): [string, Tone?] | undefined {
    const text = (key: string) => String(args[key]);
    const checkpoint = this.run.checkpoints.get(text("checkpointId"));
    const holder = () => this.name(this.run.leases.get(Number(args.fence))?.provider ?? "");
    switch (name) {
      case "JobPosted": {
        const terms = args.terms as Record<string, string>;
        const budget = usdc(BigInt(terms.budget ?? 0));
        const price = usdc(BigInt(terms.maxPricePerStep ?? 0));
        return [
          `the client posts a job: ${terms.totalSteps} steps at ${price} USDC at most, ${budget} USDC locked`,
          "bold",
        ];
      }
      case "LeaseAcquired":
        return [
          `${holder()} takes the lease at ${usdc(BigInt(text("pricePerStep")))} USDC a step (fence ${text("fence")})`,
          "bold",
        ];
      case "LeaseEnded":
        return this.leaseEnded(Number(args.fence));
      case "CommitteeSeated":
        return [
          `the block hash draws the seats: ${(args.verifiers as string[]).map((one) => this.name(one)).join(", ")}`,
        ];
      case "CheckpointCommitted":
        return [`${holder()} commits step ${text("step")}`];
      case "CheckpointAccepted":
        return checkpoint && [acceptedText(checkpoint, (address) => this.name(address)), "good"];
      case "CheckpointRefused": {
        if (!checkpoint) return undefined;
        const who = this.name(checkpoint.provider);
        return [`${who}'s step ${checkpoint.step} is refused: ${who} gets 0 for it and is barred from this job`, "bad"];
      }
      case "CheckpointUnavailable":
        return checkpoint && [`step ${checkpoint.step} is void: its bytes cannot be had`, "bad"];
      case "CheckpointVoided":
      case "CheckpointOrphaned":
        return (
          checkpoint && [
            `step ${checkpoint.step} of ${this.name(checkpoint.provider)} falls with what it was built on, unpaid`,
            "bad",
          ]
        );
      case "JobCompleted":
        return [
          `the last step is accepted: the job is done${args.metTarget === true ? " and met its target" : ", short of its target"}`,
          "bold",
        ];
      case "CheckpointPaid":
        return [
          `${usdc(BigInt(text("pay")))} USDC credited to ${this.name(text("payout"))} for step ${checkpoint?.step}`,
          "dim",
        ];
      case "RefusalFinal":
        return (
          checkpoint && [
            `the refusal of step ${checkpoint.step} is final: its judges are paid from ${this.name(checkpoint.provider)}'s bond`,
            "dim",
          ]
        );
      case "JobSettled":
        return [`settled: ${usdc(BigInt(text("refund")))} USDC go back to the client`, "bold"];
      case "Withdrawn":
        return [`${this.name(text("account"))} withdraws ${usdc(BigInt(text("amount")))} USDC`, "dim"];
      default:
        return undefined;
    }
  }

  private leaseEnded(fence: number): [string, Tone?] | undefined {
    const lease = this.run.leases.get(fence);
    if (!lease || lease.cause === "released" || lease.cause === "jobClosed") return undefined;
    const kill = this.run.kills.find((one) => one.fence === fence);
    const after = kill?.evictedMs === undefined ? "" : `, ${seconds(kill.evictedMs)} after the kill`;
    return [`${this.name(lease.provider)} loses the lease (${lease.cause})${after}`, "bad"];
  }

  private name(address: string): string {
    return this.options.nameOf(address);
  }

  private say(t: number, text: string, tone: Tone = "plain"): void {
    const painted = this.options.colour && tone !== "plain" ? `${PAINT[tone]}${text}${RESET}` : text;
    this.options.print(`${stamp(t)}  ${painted}`);
  }
}

function acceptedText(checkpoint: CheckpointState, name: (address: string) => string): string {
  const judges = checkpoint.votes.filter(({ outcome }) => outcome === "accept");
  const score = judges[0] ? (judges[0].score / 1e6).toFixed(4) : "?";
  const who = judges.map(({ verifier }) => name(verifier)).join(" and ");
  const took = seconds((checkpoint.decidedT ?? checkpoint.committedT) - checkpoint.committedT);
  const owed = `${usdc(checkpoint.pay)} USDC owed to ${name(checkpoint.provider)}`;
  return `step ${checkpoint.step} accepted by ${who} after ${took}: score ${score}, ${owed}`;
}

function gateText(gate: Extract<RecordingEntry, { kind: "gate" }>, run: RunState): string {
  const step = run.checkpoints.get(gate.checkpoint)?.step;
  if (gate.gate === "quality") {
    return `sees the quality of step ${step} drop: ${gate.reason ?? "it replays the whole segment"}`;
  }
  return `refuses step ${step} at the ${gate.gate} gate: ${gate.reason ?? "no reason given"}`;
}

const stamp = (t: number) => `${(t / 1000).toFixed(1).padStart(7)} s`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
const bar = (share: number) => {
  const filled = Math.round(Math.min(1, share) * 20);
  return `[${"#".repeat(filled)}${"-".repeat(20 - filled)}]`;
};
