import { type Hash, type Hex, isAddressEqual, keccak256, toHex } from "viem";
import { eventArgs, getJob, getUsdcBalance, read, write } from "../chain/index.ts";
import { GpuchainError } from "../daemon/errors.ts";
import { formatUsdc } from "../daemon/parsers.ts";
import type { ClientContext } from "./clientContext.ts";

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
 * Errors: NOT_CLIENT, BALANCE_TOO_LOW, REVERTED (already matured, another dispute is open).
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
  const { escrow } = client.deployment.contracts;
  const [job, bond, balance, allowed] = await Promise.all([
    getJob(client, { jobId }),
    read(client, "court", "disputeBond", [jobId]),
    getUsdcBalance(client, { account: account.address }),
    read(client, "usdc", "allowance", [account.address, escrow]),
  ]);
  // Asked before the approval, which would cost gas for nothing.
  if (!isAddressEqual(job.client, account.address)) {
    throw new GpuchainError("NOT_CLIENT", `job ${jobId} belongs to ${job.client}`, {
      hint: "only the client of a job can dispute: use the key that posted it",
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
