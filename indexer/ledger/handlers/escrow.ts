import type { escrowAbi } from "../abi.ts";
import type { Entry } from "../entry.ts";
import { creditKinds, type Hex, slashKinds } from "../rows.ts";
import { type Handlers, nameOf, splitId } from "./handler.ts";

/** Reserved for a lease, as `ReserveKind` counts. */
const RESERVED_FOR_LEASE = 0;

/** All money. No other handler moves any. */
export const escrowHandlers: Handlers<typeof escrowAbi> = {
  async BudgetLocked(entry, { jobId, client, amount }) {
    concern(entry, jobId, client);
    await entry.move("Budget", amount, { bucket: "outside", account: client }, { bucket: "locked" }, jobId);
    await entry.accountChange(client, { deposited: amount });
    entry.total({ deposited: amount });
    entry.today({ budgets: amount });
  },

  async Credited(entry, { jobId, account, kind, amount }) {
    concern(entry, jobId, account);
    const name = nameOf(creditKinds, kind);
    await entry.move(name, amount, { bucket: "locked" }, { bucket: "claimable", account }, jobId);
    if (name === "Refund") {
      await entry.accountChange(account, { refunded: amount });
      await entry.edit("job", { id: jobId }, (job) => ({ refund: job.refund + amount }));
      entry.total({ refunds: amount });
      entry.today({ refunds: amount });
      return;
    }
    await entry.accountChange(account, { earned: amount });
    if (name === "ProviderPay") {
      await entry.edit("job", { id: jobId }, (job) => ({ providerPay: job.providerPay + amount }));
      entry.total({ providerPay: amount });
      entry.today({ providerPay: amount });
    } else if (name === "ProtocolFee") {
      await entry.edit("job", { id: jobId }, (job) => ({ protocolFee: job.protocolFee + amount }));
      entry.total({ protocolFees: amount });
      entry.today({ protocolFees: amount });
    } else {
      const cancel = name === "CancelFee" ? amount : 0n;
      await entry.edit("job", { id: jobId }, (job) => ({
        verifierFees: job.verifierFees + amount - cancel,
        cancelFees: job.cancelFees + cancel,
      }));
      if (name === "CancelFee") await verifierEarned(entry, account, amount);
      entry.total({ verifierFees: amount });
      entry.today({ verifierFees: amount });
    }
  },

  async BondDeposited(entry, { account, payer, amount }) {
    entry.account = account;
    await entry.move("Bond", amount, { bucket: "outside", account: payer }, { bucket: "bond", account }, null);
    await entry.accountChange(payer, { deposited: amount });
    entry.total({ deposited: amount });
    await bondChanged(entry, account, "Deposited", null, amount);
  },

  async BondReserved(entry, { account, kind, id, amount }) {
    const { jobId, low } = splitId(id);
    concern(entry, jobId, account);
    await entry.accountChange(account, { reserved: amount });
    entry.total({ reserved: amount });
    if (kind === RESERVED_FOR_LEASE) {
      entry.fence = low;
      await entry.edit("lease", { jobId, fence: low }, (lease) => ({ bondHeld: lease.bondHeld + amount }));
    } else {
      entry.checkpointId = id;
    }
    await bondChanged(entry, account, "Reserved", jobId, amount);
  },

  async BondReleased(entry, { account, id, amount }) {
    const { jobId } = splitId(id);
    concern(entry, jobId, account);
    await entry.accountChange(account, { reserved: -amount });
    entry.total({ reserved: -amount });
    await bondChanged(entry, account, "Released", jobId, amount);
  },

  async BondSlashed(entry, { account, to, kind, id, amount, reserved }) {
    const name = nameOf(slashKinds, kind);
    // Most ids carry a job in their upper bits; a fault that concerns a whole job names the job itself.
    const split = splitId(id);
    const jobId = split.jobId === 0n ? (id === 0n ? null : id) : split.jobId;
    concern(entry, jobId, account);
    await entry.move(name, amount, { bucket: "bond", account }, { bucket: "claimable", account: to }, jobId);
    await entry.accountChange(account, { slashed: amount, reserved: reserved ? -amount : 0n });
    entry.total({ slashed: amount, reserved: reserved ? -amount : 0n });
    entry.today({ slashed: amount });
    await entry.store.insert("slashing", {
      ...{ seq: entry.seq, account, beneficiary: to, kind: name, jobId, amount, reserved },
      ...{ timestamp: entry.now, block: entry.block },
    });
    await bondChanged(entry, account, "Slashed", jobId, amount);
    if (await entry.store.find("provider", { address: account })) {
      await entry.edit("provider", { address: account }, (row) => ({ bondLost: row.bondLost + amount }));
      const fence =
        name === "Squat" ? split.low : name === "Round" ? (await entry.get("checkpoint", { id })).fence : undefined;
      if (fence !== undefined) {
        await entry.edit("lease", { jobId: split.jobId, fence }, (lease) => ({
          bondLost: lease.bondLost + amount,
          bondHeld: lease.bondHeld - amount,
        }));
      }
    } else if (await entry.store.find("verifier", { address: account })) {
      await entry.edit("verifier", { address: account }, (row) => ({
        bondLost: row.bondLost + amount,
        missedSeats: row.missedSeats + (name === "MissedSeat" ? 1 : 0),
        faults: row.faults + 1,
      }));
    }
    if (name === "Round") {
      entry.checkpointId = id;
      await verifierEarned(entry, to, amount);
    }
  },

  async BondReturned(entry, { account, to, amount }) {
    entry.account = account;
    await entry.move("BondReturned", amount, { bucket: "bond", account }, { bucket: "claimable", account: to }, null);
    await bondChanged(entry, account, "Returned", null, amount);
  },

  async Withdrawn(entry, { account, to, amount }) {
    entry.account = account;
    await entry.move("Withdrawn", amount, { bucket: "claimable", account }, { bucket: "outside", account: to }, null);
    await entry.accountChange(account, { withdrawn: amount });
    entry.total({ withdrawn: amount });
    entry.today({ withdrawn: amount });
    const row = { seq: entry.seq, account, recipient: to, amount, timestamp: entry.now, block: entry.block };
    await entry.store.insert("withdrawal", row);
  },
};

function concern(entry: Entry, jobId: bigint | null, account: Hex): void {
  entry.jobId = jobId;
  entry.account = account;
}

async function bondChanged(
  entry: Entry,
  account: Hex,
  kind: string,
  jobId: bigint | null,
  amount: bigint,
): Promise<void> {
  const { bond, reserved } = await entry.get("account", { address: account });
  await entry.store.insert("bondChange", {
    ...{ seq: entry.seq, account, kind, jobId, amount, bondAfter: bond, reservedAfter: reserved },
    ...{ timestamp: entry.now, block: entry.block },
  });
}

/** A seat's pay that comes with no checkpoint's payout. */
async function verifierEarned(entry: Entry, verifier: Hex, amount: bigint): Promise<void> {
  if (!(await entry.store.find("verifier", { address: verifier }))) return;
  await entry.edit("verifier", { address: verifier }, (row) => ({ earned: row.earned + amount }));
  await entry.verifierToday(verifier, { earned: amount });
}
