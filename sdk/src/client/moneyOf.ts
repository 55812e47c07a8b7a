import { creditKinds, enumName, type GpuchainEvent } from "../chain/index.ts";

/** Where a job's budget went, base units; rebuilt from the Escrow's events alone. */
export interface JobMoney {
  budget: bigint;
  /** Paid to providers, by the wallet that was credited. */
  providers: Map<string, bigint>;
  /** Fees of counted votes and of a cancelled job's seats, by wallet. */
  verifiers: Map<string, bigint>;
  protocolFee: bigint;
  refund: bigint;
  /** Not yet credited to anybody. */
  locked: bigint;
}

/**
 * Adds up a job's events (of `jobHistory` or `watchJob`). All parts and `locked` together are the budget.
 *
 * @example
 * const { locked, refund } = moneyOf(await jobHistory(client, 1n));
 */
export function moneyOf(events: readonly GpuchainEvent[]): JobMoney {
  const money: JobMoney = {
    budget: 0n,
    providers: new Map(),
    verifiers: new Map(),
    protocolFee: 0n,
    refund: 0n,
    locked: 0n,
  };
  const add = (to: Map<string, bigint>, account: string, amount: bigint) =>
    to.set(account.toLowerCase(), (to.get(account.toLowerCase()) ?? 0n) + amount);
  for (const event of events) {
    if (event.eventName === "BudgetLocked") money.budget += event.args.amount;
    if (event.eventName !== "Credited") continue;
    const { account, amount } = event.args;
    const kind = enumName(creditKinds, event.args.kind);
    if (kind === "ProviderPay") add(money.providers, account, amount);
    else if (kind === "ProtocolFee") money.protocolFee += amount;
    else if (kind === "Refund") money.refund += amount;
    else add(money.verifiers, account, amount);
  }
  const sum = (parts: Map<string, bigint>) => [...parts.values()].reduce((total, part) => total + part, 0n);
  money.locked = money.budget - sum(money.providers) - sum(money.verifiers) - money.protocolFee - money.refund;
  return money;
}
