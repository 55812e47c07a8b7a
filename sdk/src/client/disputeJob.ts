import { type Hash, type Hex, keccak256, toHex } from "viem";
import {
  checkpointIndexOf,
  eventArgs,
  getCheckpoint,
  getJob,
  getUsdcBalance,
  jobIdOf,
  read,
  write,
} from "../chain/index.ts";
import { GpuchainError } from "../daemon/errors.ts";
import { formatUsdc } from "../daemon/parsers.ts";
import { assertOwn } from "./assertOwn.ts";
import type { ClientContext } from "./clientContext.ts";
import { ofOtherJob } from "./ofOtherJob.ts";

export interface DisputeJobParameters {
  jobId: bigint;
  /** The first checkpoint that is contested, with all accepted after it. */
  checkpointId: bigint;
  /** Why; its keccak-256 goes on chain, the text itself is for the arbiter. */
  reason: string;
  /** Told the bond, base units, before anything is sent. */
  onBond?: (bond: bigint) => void;
}

export interface DisputeJobReturnType {
  hash: Hash;
  /** Paid in with the call, base units: back when the arbiter agrees or stays silent. */
  bond: bigint;
  reasonHash: Hex;
  /** Unix seconds: after that the arbiter's silence counts as letting the verdict stand. */
  arbiterUntil: number;
}

/**
 * Contests an accepted checkpoint that is not yet matured, and all accepted after it, with a bond. The job takes no new leases until the
 * arbiter has decided.
 *
 * Errors: CHECKPOINT_OF_OTHER_JOB, JOB_NOT_FOUND, NOT_CLIENT, CHECKPOINT_NOT_FOUND, CHECKPOINT_NOT_ACCEPTED, BALANCE_TOO_LOW, REVERTED (already matured, another dispute is open).
 *
 * @example
 * const { bond, arbiterUntil } = await disputeJob(context, {
 *   jobId: 1n, checkpointId: checkpointIdOf(1n, 1), reason: "verify fails from step 5 on",
 * });
 */
export async function disputeJob(
  { client, account, sender }: ClientContext,
  { jobId, checkpointId, reason, onBond }: DisputeJobParameters,
): Promise<DisputeJobReturnType> {
  if (jobIdOf(checkpointId) !== jobId) throw ofOtherJob(checkpointId, jobId);
  const { escrow } = client.deployment.contracts;
  const job = await getJob(client, { jobId });
  const [checkpoint, bond, balance, allowed] = await Promise.all([
    getCheckpoint(client, { checkpointId }),
    read(client, "court", "disputeBond", [jobId]),
    getUsdcBalance(client, { account: account.address }),
    read(client, "usdc", "allowance", [account.address, escrow]),
  ]);
  // Asked before the approval, which would cost gas for nothing.
  assertOwn(job, account, "dispute");
  if (checkpoint.status !== "Accepted") {
    const index = checkpointIndexOf(checkpointId);
    throw new GpuchainError("CHECKPOINT_NOT_ACCEPTED", `checkpoint ${index} of job ${jobId} is ${checkpoint.status}`, {
      hint: "only an accepted one can be contested, until it is paid",
    });
  }
  onBond?.(bond);
  if (balance < bond) {
    throw new GpuchainError(
      "BALANCE_TOO_LOW",
      `${account.address} holds less USDC than the bond of ${formatUsdc(bond)}`,
      {
        hint: "get more USDC first (on a test network: the faucet)",
        data: { balance, bond },
      },
    );
  }
  const intent = `dispute:${checkpointId}`;
  if (allowed < bond) {
    const approval = { intent: `${intent}:approve:${bond}` };
    await write(sender, client.deployment, "usdc", "approve", [escrow, bond], approval);
  }
  const reasonHash = keccak256(toHex(reason));
  const args = [checkpointId, reasonHash] as const;
  const { hash, events } = await write(sender, client.deployment, "court", "dispute", args, { intent });
  return { hash, bond, reasonHash, arbiterUntil: Number(eventArgs(events, "ChallengeOpened").arbiterUntil) };
}
