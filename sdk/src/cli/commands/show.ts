import { getAddress } from "viem";
import {
  checkpointIndexOf,
  getChallenge,
  getCheckpoints,
  getJob,
  getLease,
  getQueue,
  getSeats,
} from "../../chain/index.ts";
import { jobHistory, moneyOf } from "../../client/index.ts";
import { short } from "../describeEvent.ts";
import { table, usdc, when } from "../output.ts";
import { parseJobId } from "../parseId.ts";
import type { Session } from "../session.ts";

/** All about a job: terms, lease, seats, checkpoints, and where every cent is. */
export async function show(session: Session, job: string): Promise<void> {
  const jobId = parseJobId(job);
  const client = await session.connect();
  const found = await getJob(client, { jobId });
  const [lease, seats, queue, checkpoints, history] = await Promise.all([
    getLease(client, { jobId }),
    getSeats(client, { jobId }),
    getQueue(client, { jobId }),
    getCheckpoints(client, { jobId }),
    jobHistory(client, jobId),
  ]);
  const money = moneyOf(history);
  const open = history.findLast((event) => event.eventName === "ChallengeOpened");
  const challenge =
    open?.eventName === "ChallengeOpened"
      ? await getChallenge(client, { checkpointId: open.args.checkpointId })
      : undefined;
  const dispute = open?.eventName === "ChallengeOpened" &&
    challenge?.kind === "Dispute" && {
      checkpoint: checkpointIndexOf(open.args.checkpointId),
      state: challenge.state,
      arbiterUntil: open.args.arbiterUntil,
    };
  const amounts = (parts: Map<string, bigint>) =>
    Object.fromEntries([...parts].map(([account, part]) => [getAddress(account), usdc(part)]));
  const paid = {
    budget: usdc(money.budget),
    providers: amounts(money.providers),
    verifiers: amounts(money.verifiers),
    protocolFee: usdc(money.protocolFee),
    refund: usdc(money.refund),
    locked: usdc(money.locked),
  };
  const value = { job: found, lease, seats, queue, checkpoints, money: paid, ...(dispute && { dispute }) };
  session.output.result(value, () => [
    `job ${jobId}: ${found.draining ? "Draining" : found.status}${found.metTarget ? ", target met" : ""}`,
    `  client ${found.client}, spec ${found.terms.specHash}`,
    `  ${queue.headStep} of ${found.terms.totalSteps} steps accepted, ${queue.pending.length} checkpoints wait for a verdict`,
    `  new leases until ${when(found.deadline)} UTC`,
    lease.live
      ? `  ${short(lease.provider)} works at ${usdc(lease.pricePerStep)} USDC a step, until ${when(lease.expiresAt)} UTC unless it commits`
      : `  nobody holds the lease${lease.fence === 0 ? " yet" : `; the last one ended: ${lease.cause}`}`,
    seats.drawn
      ? `  judged by ${seats.seats.map(({ verifier }) => short(verifier)).join(", ")}`
      : "  its judges are not drawn yet",
    ...(dispute
      ? [
          `  the client contests checkpoint ${dispute.checkpoint} and all after it: ${dispute.state}; the arbiter has until ${when(dispute.arbiterUntil)} UTC`,
        ]
      : []),
    "",
    ...table(
      ["checkpoint", "step", "status", "provider", "pay"],
      checkpoints.map((one) => [String(one.index), String(one.step), one.status, short(one.provider), usdc(one.pay)]),
    ),
    "",
    ...moneyTable(paid),
  ]);
}

function moneyTable(paid: {
  budget: string;
  providers: Record<string, string>;
  verifiers: Record<string, string>;
  protocolFee: string;
  refund: string;
  locked: string;
}): string[] {
  const rows = [
    ...Object.entries(paid.providers).map(([account, part]) => [`provider ${short(account)}`, part]),
    ...Object.entries(paid.verifiers).map(([account, part]) => [`verifier ${short(account)}`, part]),
    ["protocol fee", paid.protocolFee],
    ["back to the client", paid.refund],
    ["still locked", paid.locked],
    ["budget", paid.budget],
  ];
  return table(["money", "USDC"], rows);
}
