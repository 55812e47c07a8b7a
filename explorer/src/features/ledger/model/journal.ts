import type { ChainEvent } from "../../../chain/chainEvent.ts";
import { count } from "../../../format/number.ts";
import { plainText } from "../../../format/plain.ts";
import { address, big, CREDIT_KINDS, endCause, num, struct, text } from "../../run/model/args.ts";

export type JournalKind = "in" | "owed" | "paid" | "refused" | "out" | "other";

/** One movement of money, or a decision that explains why none moved. */
export interface JournalRow {
  readonly key: string;
  readonly kind: JournalKind;
  readonly what: string;
  readonly block: number;
  readonly timestamp: number | undefined;
  readonly job: string | undefined;
  readonly account: string;
  readonly why: string;
  readonly amount: bigint;
  /** + into the account or the escrow, − out of it, nothing for what is only decided */
  readonly sign: "+" | "−" | "";
  readonly tx: string;
  readonly bad: boolean;
}

type Draft = Omit<JournalRow, "key" | "block" | "timestamp" | "tx" | "bad"> & { readonly bad?: boolean };

/** The journal in words, oldest first, rebuilt from events alone. */
export function journal(events: readonly ChainEvent[]): JournalRow[] {
  const checkpoints = new Map<string, { from: number; to: number; provider: string }>();
  const holders = new Map<string, string>();
  const rows: JournalRow[] = [];
  for (const event of events) {
    note(event, checkpoints, holders);
    const draft = describe(event, checkpoints, holders);
    if (!draft) continue;
    const { block, timestamp, tx, logIndex } = event;
    rows.push({ ...draft, key: `${block}-${logIndex}`, block, timestamp, tx, bad: draft.bad ?? false });
  }
  return rows;
}

type Checkpoints = Map<string, { from: number; to: number; provider: string }>;

function note({ name, args }: ChainEvent, checkpoints: Checkpoints, holders: Map<string, string>): void {
  if (name === "LeaseAcquired") holders.set(`${text(args, "jobId")}/${num(args, "fence")}`, address(args, "provider"));
  if (name !== "CheckpointCommitted") return;
  const parent = checkpoints.get(text(args, "parentId"));
  checkpoints.set(text(args, "checkpointId"), {
    from: parent?.to ?? 0,
    to: num(args, "step"),
    provider: holders.get(`${text(args, "jobId")}/${num(args, "fence")}`) ?? "",
  });
}

function describe(
  { name, args }: ChainEvent,
  checkpoints: Checkpoints,
  holders: Map<string, string>,
): Draft | undefined {
  const job = args.jobId === undefined ? undefined : text(args, "jobId");
  const amount = big(args, "amount");
  switch (name) {
    case "BudgetLocked":
      return {
        kind: "in",
        what: "Locked",
        job,
        account: address(args, "client"),
        why: "a job’s budget",
        amount,
        sign: "+",
      };
    case "BondDeposited":
      return {
        kind: "in",
        what: "Bond in",
        job,
        account: address(args, "account"),
        why: "added to its bond",
        amount,
        sign: "+",
      };
    case "CheckpointAccepted": {
      const why = `${stretch(checkpoints.get(text(args, "checkpointId")))} accepted`;
      return {
        kind: "owed",
        what: "Owed",
        job,
        account: address(args, "provider"),
        why,
        amount: big(args, "pay"),
        sign: "",
      };
    }
    case "Credited":
      return credited(args, job, amount);
    case "CheckpointRefused": {
      const why = `${stretch(checkpoints.get(text(args, "checkpointId")))}, nothing owed`;
      return {
        kind: "refused",
        what: "Refused",
        job,
        account: address(args, "provider"),
        why,
        amount: 0n,
        sign: "",
        bad: true,
      };
    }
    case "RefusalOverturned": {
      const checkpoint = checkpoints.get(text(args, "checkpointId"));
      const why = `the arbiter: ${stretch(checkpoint)} should not have been refused; its bond is free`;
      const who = checkpoint?.provider ?? "";
      return { kind: "other", what: "Overturned", job, account: who, why, amount: 0n, sign: "" };
    }
    case "ChainContested":
    case "ChainUpheld":
    case "ChainCut": {
      const from = checkpoints.get(text(args, "fromId"));
      const said = {
        ChainContested: [
          "Disputed",
          `the client: from step ${count((from?.from ?? 0) + 1)} on nothing is paid until the arbiter has ruled`,
        ],
        ChainUpheld: ["Upheld", `the arbiter: what was accepted from step ${count((from?.from ?? 0) + 1)} on stands`],
        ChainCut: ["Cut", `the arbiter: what was accepted from step ${count((from?.from ?? 0) + 1)} on is not paid`],
      } as const;
      const [what, why] = said[name];
      const bad = name === "ChainCut";
      return {
        kind: bad ? "refused" : "other",
        what,
        job,
        account: from?.provider ?? "",
        why,
        amount: 0n,
        sign: "",
        bad,
      };
    }
    case "LeaseEnded": {
      const cause = endCause(num(args, "cause"));
      if (cause !== "evicted" && cause !== "expired" && cause !== "stalled") return undefined;
      const provider = holders.get(`${job}/${num(args, "fence")}`) ?? address(args, "provider");
      const what = cause === "evicted" ? "Evicted" : cause === "expired" ? "Lease expired" : "Lease stalled";
      return {
        kind: "other",
        what,
        job,
        account: provider,
        why: `fence ${num(args, "fence")} ends; takes no money`,
        amount: 0n,
        sign: "",
      };
    }
    case "BondSlashed": {
      const why = SLASHES[num(args, "kind")] ?? "taken from its bond";
      const about = idJob(args);
      return {
        kind: "refused",
        what: "Bond",
        job: about,
        account: address(args, "account"),
        why,
        amount,
        sign: "−",
        bad: true,
      };
    }
    case "BondReturned":
      return {
        kind: "paid",
        what: "Bond back",
        job,
        account: address(args, "account"),
        why: "ready to withdraw",
        amount,
        sign: "+",
      };
    case "Withdrawn": {
      const other = address(args, "to") !== address(args, "account");
      const why = other ? "to another wallet it named" : "to its own wallet";
      return { kind: "out", what: "Withdrawn", job, account: address(args, "account"), why, amount, sign: "−" };
    }
    default:
      return undefined;
  }
}

function credited(args: ChainEvent["args"], job: string | undefined, amount: bigint): Draft {
  const account = address(args, "account");
  switch (CREDIT_KINDS[num(args, "kind")]) {
    case "providerPay":
      return { kind: "paid", what: "Paid", job, account, why: "accepted steps, matured", amount, sign: "+" };
    case "verifierFee":
      return { kind: "paid", what: "Seat fee", job, account, why: "a counted vote", amount, sign: "+" };
    case "cancelFee":
      return {
        kind: "paid",
        what: "Cancel fee",
        job,
        account,
        why: "drawn, then cancelled by the client",
        amount,
        sign: "+",
      };
    case "protocolFee":
      return { kind: "paid", what: "Fee", job, account, why: "8 % of provider pay, target met", amount, sign: "+" };
    default:
      return { kind: "paid", what: "Refund", job, account, why: "what was not needed", amount, sign: "+" };
  }
}

const SLASHES = [
  "round of fees after the refusal",
  "leased and handed in nothing",
  "seat silent past its time",
  "voted for work that was cut",
  "voted for a refusal that was overturned",
  "signed two different verdicts",
  "challenge lost",
] as const;

/** A slash's id is a lease (job << 32 | fence), a checkpoint (job << 32 | index) or a job. */
function idJob(args: ChainEvent["args"]): string | undefined {
  const id = big(args, "id");
  if (id === 0n) return undefined;
  return id >> 32n > 0n ? String(id >> 32n) : String(id);
}

const stretch = (c: { from: number; to: number } | undefined) =>
  c ? `steps ${count(c.from + 1)}–${count(c.to)}` : "steps";

/** Names that parties registered for themselves, by address. */
export function selfNames(
  events: readonly ChainEvent[],
): Map<string, { name: string; role: "provider" | "verifier"; payout?: string }> {
  const names = new Map<string, { name: string; role: "provider" | "verifier"; payout?: string }>();
  for (const { name, args } of events) {
    if (name === "ProviderRegistered" || name === "ProviderUpdated") {
      const who = address(args, "provider");
      const payout = args.payout === undefined ? names.get(who)?.payout : address(args, "payout");
      names.set(who, {
        name: plainText(text(struct(args, "profile"), "name")),
        role: "provider",
        ...(payout && { payout }),
      });
    } else if (name === "VerifierRegistered") {
      names.set(address(args, "verifier"), { name: `Verifier ${num(args, "verifierId")}`, role: "verifier" });
    }
  }
  return names;
}

/** A filter as the page has it; empty parts let everything through. */
export interface JournalFilter {
  readonly kind: "all" | JournalKind;
  readonly jobs: readonly string[];
  /** part of an address or of a name */
  readonly account: string;
}

export function filterJournal(
  rows: readonly JournalRow[],
  filter: JournalFilter,
  nameOf: (a: string) => string | undefined,
) {
  const wanted = filter.account.trim().toLowerCase();
  return rows.filter((row) => {
    if (filter.kind !== "all" && row.kind !== filter.kind) return false;
    if (filter.jobs.length > 0 && !filter.jobs.includes(row.job ?? "")) return false;
    return wanted === "" || row.account.includes(wanted) || (nameOf(row.account) ?? "").toLowerCase().includes(wanted);
  });
}
