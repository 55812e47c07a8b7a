import type { Address, PublicClient } from "viem";
import { escrowAbi } from "./abi.ts";
import type { Finding } from "./auditor.ts";
import type { MemoryStore } from "./memoryStore.ts";

/** Calls in flight at once. */
const PARALLEL = 16;

/**
 * Holds what was rebuilt from logs up to `block` against what the escrow itself says at that block.
 * @param accounts, jobs keys to check; all by default
 * @returns one finding per kind of figure
 * @throws when the RPC does not answer, or no longer has that block's state
 */
export async function compareWithChain({
  client,
  escrow,
  store,
  block,
  accounts = store.all("account").map(({ address }) => address),
  jobs = store.all("job").map(({ id }) => id),
}: {
  client: PublicClient;
  escrow: Address;
  store: MemoryStore;
  block: number;
  accounts?: readonly string[];
  jobs?: readonly bigint[];
}): Promise<{ findings: Finding[]; held: bigint; owed: bigint; rebuilt: bigint }> {
  const call = { abi: escrowAbi, address: escrow, blockNumber: BigInt(block) } as const;
  const total = store.get("total", "1");
  const rebuilt = total ? total.locked + total.claimable + total.bonds : 0n;
  const [held, owed] = await client.readContract({ ...call, functionName: "reserves" });
  const solvency = finding("solvency", "The escrow holds at least what it owes");
  solvency.checked = 1;
  if (held < owed) report(solvency, `it holds ${held} and owes ${owed}`);
  const reserves = finding("owed", "What the escrow owes is what the logs add up to");
  reserves.checked = 1;
  if (owed !== rebuilt) report(reserves, `it owes ${owed}, the logs add up to ${rebuilt}: ${owed - rebuilt} apart`);

  const balances = finding("accounts", "Every account's balance in the escrow is the logs'");
  await inParallel(accounts, async (address) => {
    const row = store.get("account", address);
    const mine = row ? row.claimable + row.bond : 0n;
    const theirs = await client.readContract({ ...call, functionName: "owedTo", args: [address as Address] });
    balances.checked += 1;
    if (mine !== theirs) report(balances, `${address}: the escrow owes ${theirs}, the logs say ${mine}`);
  });
  const budgets = finding("jobs", "Every job's budget in the escrow is the logs'");
  await inParallel(jobs, async (id) => {
    const row = store.get("job", String(id));
    const [budget, locked] = await client.readContract({ ...call, functionName: "budgetOf", args: [id] });
    budgets.checked += 1;
    if (budget !== row?.budget || locked !== row?.locked) {
      report(budgets, `job ${id}: ${locked} of ${budget} locked, the logs say ${row?.locked} of ${row?.budget}`);
    }
  });
  return { findings: [solvency, reserves, balances, budgets], held, owed, rebuilt };
}

function finding(id: string, title: string): Finding {
  return { id, title, checked: 0, violations: [], violated: 0 };
}

function report(to: Finding, text: string): void {
  to.violated += 1;
  if (to.violations.length < 20) to.violations.push(text);
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}
