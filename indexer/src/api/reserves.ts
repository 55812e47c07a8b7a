import { db } from "ponder:api";
import schema from "ponder:schema";
import { and, asc, gt, gte, ne, or, sql } from "ponder";
import { contractReserves } from "./chain.ts";
import { positions } from "./checkpoints.ts";

const PAGE = 1000;

/** Proof of reserves: the contract's word, the ledger's sum, and what is left between them. */
export interface Reserves {
  /** both sides are of this block */
  block: number;
  timestamp: number;
  contract: { held: bigint; owed: bigint };
  /** rebuilt from events */
  rebuilt: { locked: bigint; claimable: bigint; bonds: bigint; owed: bigint };
  /** summed up from the rows below, all pages together */
  summed: { jobs: bigint; accounts: bigint };
  /** what the contract owes beyond what was rebuilt: 0 */
  difference: bigint;
  /** held beyond owed: never negative */
  surplus: bigint;
  jobs: { id: bigint; locked: bigint }[];
  accounts: { address: string; claimable: bigint; bond: bigint; owed: bigint }[];
  /** where the next page of each list starts; null at its end */
  next: { job: bigint | null; account: string | null };
}

/** @throws when nothing is indexed yet or the chain does not answer */
export async function readReserves({
  job = 0n,
  account = "",
}: {
  job?: bigint;
  account?: string;
} = {}): Promise<Reserves> {
  // A block may arrive between the two reads; both must be of the same one, so a moved ledger is read again.
  for (let attempt = 0; ; attempt++) {
    const reached = await positions();
    if (!reached) throw new Error("nothing is indexed yet");
    const contract = await contractReserves(reached.indexed.block);
    const rebuilt = await readRebuilt({ job, account });
    const after = await positions();
    if (after?.indexed.block !== reached.indexed.block && attempt < 5) continue;
    const { block, timestamp } = reached.indexed;
    const difference = contract.owed - rebuilt.rebuilt.owed;
    return { block, timestamp, contract, ...rebuilt, difference, surplus: contract.held - contract.owed };
  }
}

async function readRebuilt(from: { job: bigint; account: string }) {
  const { total, job, account } = schema;
  const [sums] = await db.select().from(total);
  const [jobSum] = await db.select({ sum: sql<string>`coalesce(sum(${job.locked}), 0)::text` }).from(job);
  const [accountSum] = await db
    .select({ sum: sql<string>`coalesce(sum(${account.claimable} + ${account.bond}), 0)::text` })
    .from(account);
  const jobs = await db
    .select({ id: job.id, locked: job.locked })
    .from(job)
    .where(and(gt(job.locked, 0n), gte(job.id, from.job)))
    .orderBy(asc(job.id))
    .limit(PAGE + 1);
  const accounts = await db
    .select({ address: account.address, claimable: account.claimable, bond: account.bond })
    .from(account)
    .where(
      and(
        or(ne(account.claimable, 0n), ne(account.bond, 0n)),
        gte(account.address, (from.account || "0x") as `0x${string}`),
      ),
    )
    .orderBy(asc(account.address))
    .limit(PAGE + 1);
  const [locked, claimable, bonds] = [sums?.locked ?? 0n, sums?.claimable ?? 0n, sums?.bonds ?? 0n];
  return {
    rebuilt: { locked, claimable, bonds, owed: locked + claimable + bonds },
    summed: { jobs: BigInt(jobSum?.sum ?? 0), accounts: BigInt(accountSum?.sum ?? 0) },
    jobs: jobs.slice(0, PAGE),
    accounts: accounts.slice(0, PAGE).map((row) => ({ ...row, owed: row.claimable + row.bond })),
    next: { job: jobs[PAGE]?.id ?? null, account: accounts[PAGE]?.address ?? null },
  };
}
