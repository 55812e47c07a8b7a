// What must always hold (PROTOCOL section 12), as far as logs can tell. Each rule looks at one event with the rows it concerns
// before and after, so the first wrong event is named, not only a wrong sum at the end.
import type { LedgerEvent } from "./events.ts";
import type { MemoryStore } from "./memoryStore.ts";
import type { CheckpointStatus, Hex, JobStatus } from "./rows.ts";
import type { Row } from "./tables.ts";

/** The rows an event concerns, at one moment. */
export interface Moment {
  job: Readonly<Row<"job">> | undefined;
  lease: Readonly<Row<"lease">> | undefined;
  checkpoint: Readonly<Row<"checkpoint">> | undefined;
}

export interface Situation {
  event: LedgerEvent;
  journal: Readonly<Row<"journal">>;
  before: Moment;
  after: Moment;
  postings: Readonly<Row<"posting">>[];
  store: MemoryStore;
}

export interface Invariant {
  id: string;
  title: string;
  /** What is wrong, or nothing; undefined where the rule does not apply to the event. */
  check(situation: Situation): string[] | undefined;
}

const PROTOCOL_FEE_BPS = 800n;

const jobSteps: Record<JobStatus | "None", (JobStatus | "None")[]> = {
  None: ["None", "Open"],
  Open: ["Open", "Closing", "Completed"],
  Closing: ["Closing", "Completed", "Settled"],
  Completed: ["Completed", "Closing", "Settled"],
  Settled: ["Settled"],
};

const checkpointSteps: Record<CheckpointStatus | "None", (CheckpointStatus | "None")[]> = {
  None: ["None", "Pending"],
  Pending: ["Pending", "Accepted", "Refused", "Unavailable", "Void", "Orphaned"],
  Accepted: ["Accepted", "Paid", "Cut"],
  Refused: ["Refused", "Appealed", "Final"],
  Appealed: ["Appealed", "Final", "Overturned"],
  Unavailable: ["Unavailable"],
  Void: ["Void"],
  Orphaned: ["Orphaned"],
  Paid: ["Paid"],
  Cut: ["Cut"],
  Final: ["Final"],
  Overturned: ["Overturned"],
};

export const invariants: Invariant[] = [
  {
    id: "reserves",
    title: "What came in and did not go out is locked, claimable or bond; nothing is below zero",
    check({ store, postings }) {
      const total = store.get("total", "1");
      if (!total) return undefined;
      const found: string[] = [];
      const owed = total.locked + total.claimable + total.bonds;
      const held = total.deposited - total.withdrawn;
      if (owed !== held) found.push(`${held} came in and stayed, ${owed} is owed`);
      if (postings.reduce((sum, { amount }) => sum + amount, 0n) !== 0n)
        found.push("the event's postings do not sum to 0");
      for (const { account } of postings) {
        const row = account ? store.get("account", account) : undefined;
        if (row && (row.claimable < 0n || row.bond < 0n)) found.push(`${account} is below zero`);
      }
      return found;
    },
  },
  {
    id: "budgets",
    title: "A job's credits never exceed its budget and equal it once settled",
    check({ event, after: { job } }) {
      if (!job) return undefined;
      const credited = job.providerPay + job.verifierFees + job.cancelFees + job.protocolFee + job.refund;
      const found: string[] = [];
      if (job.locked !== job.budget - credited) {
        found.push(`job ${job.id}: ${job.locked} locked, but ${job.budget} − ${credited} are left`);
      }
      if (job.locked < 0n) found.push(`job ${job.id}: more credited than its budget`);
      if (job.status === "Settled" && job.locked !== 0n) found.push(`job ${job.id}: settled with ${job.locked} locked`);
      if (event.name === "JobSettled") {
        const { providerPay, verifierFees, protocolFee, refund } = event.args;
        const seats = job.verifierFees + job.cancelFees;
        const same =
          providerPay === job.providerPay &&
          verifierFees === seats &&
          protocolFee === job.protocolFee &&
          refund === job.refund;
        if (!same) found.push(`job ${job.id}: the settlement's sums are not those of its credits`);
      }
      return found;
    },
  },
  {
    id: "fences",
    title: "Fences rise by one, at most one lease lives, only its holder commits",
    check({ event, before, after: { job } }) {
      if (event.name === "LeaseAcquired") {
        const found: string[] = [];
        if (event.args.fence !== (before.job?.fence ?? 0) + 1)
          found.push(`job ${job?.id}: fence ${event.args.fence} does not follow`);
        if (before.job?.holder) found.push(`job ${job?.id}: acquired while ${before.job.holder} held it`);
        return found;
      }
      if (event.name === "CheckpointCommitted" || event.name === "LeaseRenewed") {
        if (before.job?.fence !== event.args.fence || !before.job?.holder) {
          return [`job ${job?.id}: ${event.name} under fence ${event.args.fence}, which does not live`];
        }
        return [];
      }
      return undefined;
    },
  },
  {
    id: "chain",
    title: "Accepted checkpoints form one chain from genesis with rising steps",
    check({ event, before: { job }, after: { checkpoint } }) {
      if (event.name !== "CheckpointAccepted" || !checkpoint || !job) return undefined;
      const found: string[] = [];
      if (checkpoint.parentId !== job.headId) found.push(`checkpoint ${checkpoint.id}: its parent is not the head`);
      if (checkpoint.step <= job.headStep)
        found.push(`checkpoint ${checkpoint.id}: step ${checkpoint.step} does not rise`);
      if (checkpoint.step > job.totalSteps) found.push(`checkpoint ${checkpoint.id}: step beyond the job's end`);
      return found;
    },
  },
  {
    id: "verdicts",
    title: "Every decision has two equal votes of seats of the job",
    check({ event, after: { job, checkpoint }, store }) {
      const decision = ["CheckpointAccepted", "CheckpointRefused"].includes(event.name);
      if (event.name === "VerdictCast") {
        const { verifier, seat } = event.args as { verifier: Hex; seat: number };
        return job?.sitting[seat] === verifier ? [] : [`${verifier} voted without seat ${seat} of job ${job?.id}`];
      }
      if (!decision || !checkpoint) return undefined;
      const agreeing = checkpoint.voters.filter((voter) => store.get("vote", `${checkpoint.id}:${voter}`)?.agreed);
      return agreeing.length >= 2 ? [] : [`checkpoint ${checkpoint.id}: decided by ${agreeing.length} votes`];
    },
  },
  {
    id: "pay",
    title: "Only accepted, undisputed, mature work is paid, once, and what was owed for it",
    check({ event, before: { checkpoint }, after: { job, lease } }) {
      if (event.name !== "CheckpointPaid" || !checkpoint) return undefined;
      const found: string[] = [];
      const name = `checkpoint ${checkpoint.id}`;
      if (checkpoint.status !== "Accepted") found.push(`${name}: paid while ${checkpoint.status}`);
      if (checkpoint.contested) found.push(`${name}: paid while contested`);
      if (event.block.timestamp < (checkpoint.maturesAt ?? 0)) found.push(`${name}: paid before it matured`);
      if (event.args.pay !== checkpoint.pay) found.push(`${name}: ${event.args.pay} paid, ${checkpoint.pay} owed`);
      const full = BigInt(checkpoint.steps) * (lease?.pricePerStep ?? 0n);
      const round = checkpoint.offSchedule ? 3n * (job?.verifierFee ?? 0n) : 0n;
      if (checkpoint.pay !== full - round) found.push(`${name}: its pay is not its steps at its lease's price`);
      return found;
    },
  },
  {
    id: "transitions",
    title: "Jobs, leases and checkpoints only move as the protocol allows",
    check({ before, after }) {
      const found: string[] = [];
      const job = [before.job?.status ?? "None", after.job?.status ?? "None"] as const;
      if (!jobSteps[job[0]].includes(job[1])) found.push(`job ${after.job?.id}: ${job.join(" → ")}`);
      const checkpoint = [before.checkpoint?.status ?? "None", after.checkpoint?.status ?? "None"] as const;
      if (!checkpointSteps[checkpoint[0]].includes(checkpoint[1])) {
        found.push(`checkpoint ${after.checkpoint?.id}: ${checkpoint.join(" → ")}`);
      }
      if (before.lease && !before.lease.live && after.lease?.live)
        found.push(`lease ${after.lease.fence} came back to life`);
      return found;
    },
  },
  {
    id: "owners",
    title: "Only a withdrawal lowers a claimable balance, only a named slash or a return lowers a bond",
    check({ event, postings, store }) {
      const found: string[] = [];
      for (const { bucket, amount, account } of postings) {
        if (amount >= 0n || bucket === "outside" || bucket === "locked") continue;
        const allowed = bucket === "claimable" ? ["Withdrawn"] : ["BondSlashed", "BondReturned"];
        if (!allowed.includes(event.name)) found.push(`${event.name} lowered the ${bucket} of ${account}`);
      }
      for (const { account } of postings) {
        const row = account ? store.get("account", account) : undefined;
        if (row && row.reserved > row.bond) found.push(`${account}: more reserved than bonded`);
        if (row && row.reserved < 0n) found.push(`${account}: reserved below zero`);
      }
      return found;
    },
  },
  {
    id: "liabilities",
    title: "What a job owes for accepted work never exceeds what is locked for it",
    check({ after: { job } }) {
      if (!job) return undefined;
      // Pay leaves the budget in batches: checkpoints are marked paid first, the credits follow in the same call.
      const owed = job.owedPay + job.owedFees;
      return owed <= job.locked ? [] : [`job ${job.id}: owes ${owed}, has ${job.locked}`];
    },
  },
  {
    id: "fee",
    title: "The protocol fee is 8 % of the pay, of completed jobs that met their target only",
    check({ event, after: { job } }) {
      if (event.name !== "JobSettled" || !job) return undefined;
      const due = job.completedAt !== null && job.metTarget && job.closingAt === null;
      const expected = (job.providerPay * PROTOCOL_FEE_BPS) / 10_000n;
      if (job.protocolFee === 0n) return due && expected > 0n ? [`job ${job.id}: no fee though it met its target`] : [];
      const found: string[] = [];
      if (job.completedAt === null || !job.metTarget)
        found.push(`job ${job.id}: a fee though it did not meet its target`);
      if (job.protocolFee !== expected) found.push(`job ${job.id}: fee ${job.protocolFee} instead of ${expected}`);
      return found;
    },
  },
];
