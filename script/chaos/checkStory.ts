import {
  decodeEvent,
  type GpuchainClient,
  type GpuchainEvent,
  type GpuchainEventName,
  getLogsRange,
  jobsAbi,
} from "@gpuchain/sdk/chain";
import { type Hex, toFunctionSelector } from "viem";
import type { Party } from "./arena.ts";
import { STEPS } from "./chaosJob.ts";
import type { Watcher } from "./watcher.ts";

export interface CheckParameters {
  readonly client: GpuchainClient;
  readonly jobId: bigint;
  readonly fromBlock: bigint;
  /** providers that may have been evicted, lower case */
  readonly excused: ReadonlySet<string>;
  readonly watcher: Watcher;
  readonly parties: readonly Party[];
  /** two processes shared a key: the loser's transactions may have failed */
  readonly twins: boolean;
}

export interface Findings {
  readonly leases: number;
  readonly evictions: number;
  readonly checkpoints: number;
  readonly violations: readonly string[];
}

const EVICTED = 4;
/** Calls that may rightly be mined twice with the same bytes: they say "now", not "this"; a seat's replacement is anchored by one and drawn by the next. */
const REPEATABLE = new Set(["acquireLease", "payOut", "seatCommittee", "replaceSeat", "renewLease"]);

/** Holds what the chain says at the end of a story against what must be true whatever happened. */
export async function checkStory(parameters: CheckParameters): Promise<Findings> {
  const { client, jobId, fromBlock, excused, watcher } = parameters;
  const { contracts } = client.deployment;
  const address = [contracts.jobs, contracts.registry, contracts.escrow, contracts.court];
  const logs = await getLogsRange(client.public, { address, fromBlock });
  const events = logs.map((log) => decodeEvent(contracts, log)).filter((event) => event !== undefined);
  const of = <Name extends GpuchainEventName>(name: Name) =>
    events.filter(
      (event): event is Extract<GpuchainEvent, { eventName: Name }> =>
        event.eventName === name && (!("jobId" in event.args) || event.args.jobId === jobId),
    );
  const violations: string[] = [];
  const postings = events.filter(({ eventName }) => eventName === "JobPosted").length;
  if (postings !== 1) violations.push(`the client posted ${postings} jobs where it was asked for one`);
  const demand = (holds: boolean, otherwise: string): void => {
    if (!holds) violations.push(otherwise);
  };

  // No accepted step is lost, none is paid twice.
  const prices = new Map(of("LeaseAcquired").map(({ args }) => [args.fence, args.pricePerStep]));
  const fences = new Map(of("CheckpointCommitted").map(({ args }) => [args.checkpointId, args.fence]));
  const parents = new Map(of("CheckpointCommitted").map(({ args }) => [args.checkpointId, args.parentId]));
  let head = { id: jobId << 32n, step: 0 };
  let owed = 0n;
  for (const { args } of of("CheckpointAccepted")) {
    const parent = parents.get(args.checkpointId);
    demand(
      parent === head.id || (head.step === 0 && parent === 0n),
      `checkpoint ${args.checkpointId} does not follow the head ${head.id}`,
    );
    demand(args.step > head.step, `step ${args.step} was accepted after step ${head.step}`);
    const price = prices.get(fences.get(args.checkpointId) ?? 0) ?? 0n;
    demand(
      args.pay === BigInt(args.step - head.step) * price,
      `steps ${head.step} to ${args.step} are owed ${args.pay}`,
    );
    owed += args.pay;
    head = { id: args.checkpointId, step: args.step };
  }
  demand(head.step === STEPS, `accepted up to step ${head.step} of ${STEPS}`);
  const paid = of("CheckpointPaid").filter(({ args }) => fences.has(args.checkpointId));
  demand(new Set(paid.map(({ args }) => args.checkpointId)).size === paid.length, "a checkpoint was paid twice");
  const pay = paid.reduce((sum, { args }) => sum + args.pay, 0n);
  demand(pay === owed, `${pay} was paid where ${owed} was earned`);
  for (const name of ["CheckpointRefused", "CheckpointUnavailable"] as const)
    demand(
      of(name).length === 0,
      `${name} on honest work: ${of(name)
        .map(({ args }) => args.checkpointId)
        .join(", ")}`,
    );

  // Nobody's money is stuck: what was locked is paid out to the last unit.
  const settled = of("JobSettled").at(-1)?.args;
  const posted = of("JobPosted").at(-1)?.args;
  if (settled === undefined || posted === undefined) violations.push("the job was not settled");
  else {
    const out = settled.providerPay + settled.verifierFees + settled.protocolFee + settled.refund;
    demand(settled.providerPay === owed, `settled with ${settled.providerPay} for providers, who earned ${owed}`);
    demand(out === posted.terms.budget, `${posted.terms.budget} was locked and ${out} paid out`);
    const { locked } = await client.read.getBudget({ jobId });
    demand(locked === 0n, `${locked} is still locked`);
  }
  const { held, owed: promised } = await client.read.getReserves();
  demand(held === promised, `the escrow holds ${held} and owes ${promised}`);

  // No second verdict of a seat on a checkpoint, on chain or signed.
  const votes = of("VerdictCast").filter(({ args }) => fences.has(args.checkpointId));
  const voters = votes.map(({ args }) => `${args.checkpointId} by ${args.verifier}`);
  for (const vote of repeated(voters)) violations.push(`two verdicts on chain: ${vote}`);
  const words = watcher.signed.filter(({ line }) => line.event === "verdict.signed");
  const said = new Set(words.map(({ verifier, line }) => `${line.checkpoint} by ${verifier}: ${line.outcome}`));
  for (const vote of repeated([...said].map((text) => text.slice(0, text.lastIndexOf(":")))))
    violations.push(`two verdicts signed: ${vote}`);

  // No living, connected provider was evicted.
  const evicted = of("LeaseEnded").filter(({ args }) => args.cause === EVICTED);
  for (const { args } of evicted)
    demand(
      excused.has(args.provider.toLowerCase()),
      `${args.provider} was evicted from lease ${args.fence} while it lived`,
    );

  violations.push(...(await doubleTransactions(parameters)));
  return { leases: prices.size, evictions: evicted.length, checkpoints: of("CheckpointAccepted").length, violations };
}

/** Transactions of the daemons that were executed twice. */
async function doubleTransactions({ client, fromBlock, parties, twins }: CheckParameters): Promise<string[]> {
  const names = new Map(parties.map(({ address, name }) => [address, name]));
  const seen: string[] = [];
  const last = await client.public.getBlockNumber({ cacheTime: 0 });
  for (let number = fromBlock + 1n; number <= last; number++) {
    const { transactions } = await client.public.getBlock({ blockNumber: number, includeTransactions: true });
    for (const { from, input, hash } of transactions) {
      const name = names.get(from.toLowerCase());
      if (name === undefined) continue;
      const call = callName(input);
      if (call === undefined || REPEATABLE.has(call)) continue;
      const { status } = await client.public.getTransactionReceipt({ hash });
      // A failed call moved nothing; its repetition under the same intent would show as two of either kind.
      if (status === "success") seen.push(`${call} by ${name}: ${input}`);
      else if (!twins) seen.push(`failed ${call} by ${name}: ${input}`);
    }
  }
  return repeated(seen).map((text) => `mined twice: ${text.slice(0, 80)}`);
}

function repeated(items: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([item]) => item);
}

const SELECTORS = new Map(
  jobsAbi.filter((item) => item.type === "function").map((item) => [toFunctionSelector(item), item.name]),
);
const callName = (input: Hex): string | undefined => SELECTORS.get(input.slice(0, 10) as Hex);
