import type { RecordingEntry } from "@gpuchain/sdk/records";
import { formatUsdc } from "../../../format/usdc.ts";
import { type Args, address, big, CREDIT_KINDS, endCause, flag, list, num, outcome, text } from "./args.ts";
import { name, say } from "./say.ts";
import type { CheckpointInfo, CheckpointStatus, KeyEvent, Moment, Party, RunMeta, RunState, Tone } from "./types.ts";

type ChainEvent = Extract<RecordingEntry, { kind: "event" }>;
type Handler = (context: Context, args: Args) => void;

interface Context {
  readonly state: RunState;
  readonly meta: RunMeta;
  readonly at: Moment;
  readonly timestamp: number | undefined;
  readonly who: (address: string) => string;
  readonly mark: (title: string, detail: string, tone?: Tone, rank?: KeyEvent["rank"]) => void;
}

/** Applies one contract event; those of other jobs and those that change no run are passed over. */
export function applyEvent(state: RunState, meta: RunMeta, entry: ChainEvent): void {
  const handler = HANDLERS[entry.name];
  if (!handler || !concerns(meta, entry.args)) return;
  const at: Moment = { t: entry.t, block: entry.block, tx: entry.tx };
  const who = (address: string) => name(meta, address);
  const mark: Context["mark"] = (title, detail, tone = "plain", rank = tone === "plain" ? 1 : 0) => {
    state.events.push({ t: entry.t, title, detail, tone, tx: entry.tx, rank });
    say(state, entry.t, "chain", detail ? `${title}: ${detail}` : title, tone);
  };
  handler({ state, meta, at, timestamp: entry.timestamp, who, mark }, entry.args);
}

/** Whether an event belongs to this job, by its job id or by the job in its checkpoint's id. */
function concerns(meta: RunMeta, args: Args): boolean {
  if (args.jobId !== undefined) return text(args, "jobId") === meta.jobId;
  if (args.checkpointId !== undefined) return String(big(args, "checkpointId") >> 32n) === meta.jobId;
  // Slashes name a fence (job << 32 | fence), a checkpoint or a job.
  if (args.id !== undefined) return String(big(args, "id") >> 32n) === meta.jobId || text(args, "id") === meta.jobId;
  return true;
}

const HANDLERS: Readonly<Record<string, Handler>> = {
  BudgetLocked({ state }, args) {
    state.money.budget = big(args, "amount");
  },
  JobPosted({ state, meta, at, timestamp, mark }, args) {
    state.status = "open";
    state.client = address(args, "client");
    state.openSince = timestamp ?? state.timestamp;
    mark("Posted", `${formatUsdc(meta.budget, 2)} USDC locked`);
    state.money.budget ||= meta.budget;
    state.t = at.t;
  },
  JobCancelled({ state, mark }) {
    state.status = "draining";
    mark("Cancelled by the client", "one last commit, then the rest goes back", "bad");
  },
  JobClosing({ state, mark }) {
    state.status = "closing";
    mark("Closing", "no more leases or commits; what is handed in is still judged");
  },
  JobCompleted({ state, mark }, args) {
    state.status = "completed";
    state.metTarget = flag(args, "metTarget");
    mark("Final step accepted", state.metTarget ? "target met" : "target not met, no protocol fee", "good");
  },
  JobSettled({ state, mark }, args) {
    state.status = "settled";
    mark("Paid out", `${formatUsdc(big(args, "refund"), 3)} USDC back to the client`, "good");
  },
  EvictionCast({ state, at, who }, args) {
    say(state, at.t, who(address(args, "verifier")), `signs the eviction of fence ${num(args, "fence")}`, "bad");
  },
  CommitteeSeated({ state, mark }, args) {
    state.seats = list(args, "verifiers");
    mark("Three seats drawn", "by a block hash nobody chose", "plain", 2);
  },
  SeatReplaced({ state, who, mark }, args) {
    const seat = num(args, "seat");
    state.seats = state.seats.map((verifier, i) => (i === seat ? address(args, "verifier") : verifier));
    mark(`Seat ${seat + 1} replaced`, `${who(address(args, "previous"))} by ${who(address(args, "verifier"))}`, "bad");
  },
  LeaseAcquired({ state, at, who, mark }, args) {
    const provider = address(args, "provider");
    state.openSince = undefined;
    state.leases.push({
      fence: num(args, "fence"),
      provider,
      price: big(args, "pricePerStep"),
      start: at,
      expiresAt: num(args, "expiresAt"),
      end: undefined,
      lastCommitT: undefined,
    });
    mark(
      `${who(provider)} takes it`,
      `${formatUsdc(big(args, "pricePerStep"), 4)} a step, fence ${num(args, "fence")}`,
    );
    closeReceipt(state, at.t, provider, num(args, "fence"));
  },
  LeaseRenewed({ state }, args) {
    const lease = state.leases.find((l) => l.fence === num(args, "fence"));
    if (lease) lease.expiresAt = num(args, "expiresAt");
  },
  LeaseEnded({ state, at, who, mark }, args) {
    const lease = state.leases.find((l) => l.fence === num(args, "fence"));
    const cause = endCause(num(args, "cause"));
    if (lease) lease.end = { ...at, cause };
    const headless = state.status === "open" || state.status === "draining";
    state.openSince = headless ? num(args, "openSince") || undefined : undefined;
    const provider = address(args, "provider");
    if (cause === "evicted") mark(`${who(provider)} evicted`, "two seats signed; takes no money", "bad");
    else if (cause === "expired" || cause === "stalled")
      mark(`${who(provider)}’s lease ${cause}`, `fence ${num(args, "fence")}`, "bad");
    else say(state, at.t, "chain", `${who(provider)}’s lease ends: ${cause}`);
    if (headless && lease) openReceipt(state, at.t, provider, lease.fence, cause);
  },
  ProviderCooling({ state }, args) {
    // Never again is written as the largest time there is.
    if (big(args, "until") >= 2n ** 40n - 1n) state.barred.add(address(args, "provider"));
  },
  CheckpointCommitted({ state, at, who }, args) {
    const fence = num(args, "fence");
    const lease = state.leases.find((l) => l.fence === fence);
    const parentId = String(big(args, "parentId"));
    const parent = state.checkpoints.find((c) => c.id === parentId);
    const id = big(args, "checkpointId");
    state.checkpoints.push({
      id: String(id),
      index: Number(id & 0xffff_ffffn),
      parentId,
      step: num(args, "step"),
      from: parent?.step ?? 0,
      fence,
      provider: lease?.provider ?? "",
      stateHash: text(args, "stateHash"),
      traceRoot: text(args, "traceRoot"),
      committed: at,
      status: "pending",
      votes: [],
      findings: [],
      decided: undefined,
      pay: 0n,
      paid: undefined,
      appealUntil: undefined,
    });
    if (lease) {
      lease.expiresAt = num(args, "expiresAt") || lease.expiresAt;
      lease.lastCommitT = at.t;
    }
    say(state, at.t, lease ? who(lease.provider) : "chain", `hands in step ${num(args, "step")}`);
  },
  VerdictCast({ state, at, who }, args) {
    const checkpoint = byId(state, args);
    const vote = outcome(num(args, "outcome"));
    const verifier = address(args, "verifier");
    checkpoint?.votes.push({
      verifier,
      seat: num(args, "seat"),
      outcome: vote,
      metTarget: flag(args, "metTarget"),
      score: num(args, "score"),
      evidenceHash: text(args, "evidenceHash"),
      at,
    });
    say(
      state,
      at.t,
      who(verifier),
      `votes ${vote} on step ${checkpoint?.step ?? "?"}`,
      vote === "accept" ? "plain" : "bad",
    );
  },
  CheckpointAccepted({ state, at, mark, who }, args) {
    const checkpoint = decide(state, args, at, "accepted");
    if (!checkpoint) return;
    checkpoint.pay = big(args, "pay");
    state.headStep = checkpoint.step;
    mark(
      `Step ${checkpoint.step} accepted`,
      `${who(checkpoint.provider)} is owed ${formatUsdc(checkpoint.pay, 3)}`,
      "good",
      2,
    );
  },
  CheckpointRefused({ state, at, mark, who }, args) {
    const checkpoint = decide(state, args, at, "refused");
    state.barred.add(address(args, "provider"));
    if (!checkpoint) return;
    checkpoint.appealUntil = num(args, "appealUntil");
    const votes = checkpoint.votes.filter((v) => v.outcome === "refuse").length;
    mark(`${who(checkpoint.provider)} refused`, `step ${checkpoint.step}, ${votes} of 3; nothing owed`, "bad");
  },
  CheckpointUnavailable({ state, at, mark }, args) {
    const checkpoint = decide(state, args, at, "unavailable");
    if (checkpoint) mark(`Step ${checkpoint.step} unavailable`, "its bytes were not to be had", "bad");
  },
  CheckpointVoided: ({ state, at }, args) => void decide(state, args, at, "void"),
  CheckpointOrphaned: ({ state, at }, args) => void decide(state, args, at, "orphaned"),
  CheckpointPaid({ state, at }, args) {
    const checkpoint = byId(state, args);
    if (!checkpoint) return;
    checkpoint.status = "paid";
    checkpoint.paid = at;
    say(
      state,
      at.t,
      "chain",
      `step ${checkpoint.step} matured: ${formatUsdc(big(args, "pay"), 3)} USDC credited`,
      "good",
    );
  },
  RefusalFinal: ({ state }, args) => setStatus(state, args, "final"),
  RefusalOverturned({ state, mark }, args) {
    setStatus(state, args, "overturned");
    const checkpoint = byId(state, args);
    if (!checkpoint) return;
    state.barred.delete(checkpoint.provider);
    mark(`Refusal of step ${checkpoint.step} overturned`, "by the arbiter", "good");
  },
  ChainContested({ mark }) {
    mark("Disputed by the client", "what is not matured waits for the arbiter", "bad");
  },
  ChainUpheld({ mark }) {
    mark("Dispute over", "the accepted chain stands", "good");
  },
  ChainCut({ state, mark }, args) {
    const [from, head] = [big(args, "fromId"), String(big(args, "headId"))];
    for (const c of state.checkpoints) if (BigInt(c.id) >= from && c.status === "accepted") c.status = "cut";
    state.headStep = state.checkpoints.find((c) => c.id === head)?.step ?? 0;
    state.status = "closing";
    mark("Cut by the arbiter", `the model ends at step ${state.headStep}`, "bad");
  },
  Credited({ state }, args) {
    const kind = CREDIT_KINDS[num(args, "kind")];
    const amount = big(args, "amount");
    if (!kind) return;
    const { credited, byAccount } = state.money;
    const account = address(args, "account");
    credited[kind] += amount;
    byAccount.set(account, (byAccount.get(account) ?? 0n) + amount);
  },
  BondSlashed({ state, at, who }, args) {
    const amount = big(args, "amount");
    const [account, to] = [address(args, "account"), address(args, "to")];
    state.money.slashed.push({ account, to, amount, kind: num(args, "kind"), at });
    say(state, at.t, "chain", `${formatUsdc(amount, 3)} of ${who(account)}’s bond goes to ${who(to)}`, "bad");
  },
  Withdrawn({ state, at, meta, who }, args) {
    const party: Party | undefined = meta.parties.get(address(args, "account"));
    if (party)
      say(state, at.t, "chain", `${who(party.address)} withdraws ${formatUsdc(big(args, "amount"), 3)} USDC`, "good");
  },
};

function byId(state: RunState, args: Args): CheckpointInfo | undefined {
  const id = String(big(args, "checkpointId"));
  return state.checkpoints.find((c) => c.id === id);
}

function decide(state: RunState, args: Args, at: Moment, status: CheckpointStatus): CheckpointInfo | undefined {
  const checkpoint = byId(state, args);
  if (!checkpoint) return undefined;
  checkpoint.status = status;
  checkpoint.decided = at;
  return checkpoint;
}

function setStatus(state: RunState, args: Args, status: CheckpointStatus): void {
  const checkpoint = byId(state, args);
  if (checkpoint) checkpoint.status = status;
}

/** Until a worker's own receipt comes, the page makes one from the chain's events alone. */
function openReceipt(
  state: RunState,
  t: number,
  from: string,
  fence: number,
  cause: RunState["receipts"][number]["cause"],
): void {
  state.receipts.push({
    t,
    cause,
    from,
    to: undefined,
    fence,
    nextFence: undefined,
    phases: [],
    atStep: undefined,
    resumedFrom: undefined,
    stepsLost: undefined,
    told: false,
  });
}

function closeReceipt(state: RunState, t: number, to: string, nextFence: number): void {
  state.receipts = state.receipts.map((r) =>
    r.to !== undefined || r.told ? r : { ...r, to, nextFence, phases: [{ name: "open", ms: t - r.t }] },
  );
}
