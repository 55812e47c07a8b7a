import type { ChainEvent } from "../../../chain/chainEvent.ts";
import { address, big, flag, text } from "../../run/model/args.ts";

export interface Balances {
  claimable: bigint;
  bond: bigint;
  reserved: bigint;
}

export interface Books {
  /** job id → what of its budget is not yet credited */
  readonly locked: Map<string, bigint>;
  readonly accounts: Map<string, Balances>;
  readonly events: number;
}

export interface Totals {
  readonly locked: bigint;
  readonly claimable: bigint;
  readonly bonds: bigint;
  readonly owed: bigint;
}

/**
 * Every balance from events alone, by the rules that IEscrow states: locked = BudgetLocked − Credited; claimable =
 * Credited + BondSlashed (to) + BondReturned − Withdrawn; bond = BondDeposited − BondSlashed (from) − BondReturned;
 * reserved = BondReserved − BondReleased − BondSlashed (from, reserved).
 */
export function rebuild(events: Iterable<ChainEvent>): Books {
  const locked = new Map<string, bigint>();
  const accounts = new Map<string, Balances>();
  let count = 0;
  const of = (who: string): Balances => {
    let balances = accounts.get(who);
    if (!balances) {
      balances = { claimable: 0n, bond: 0n, reserved: 0n };
      accounts.set(who, balances);
    }
    return balances;
  };
  for (const { name, args } of events) {
    count++;
    const amount = big(args, "amount");
    switch (name) {
      case "BudgetLocked":
        locked.set(text(args, "jobId"), (locked.get(text(args, "jobId")) ?? 0n) + amount);
        break;
      case "Credited":
        locked.set(text(args, "jobId"), (locked.get(text(args, "jobId")) ?? 0n) - amount);
        of(address(args, "account")).claimable += amount;
        break;
      case "BondDeposited":
        of(address(args, "account")).bond += amount;
        break;
      case "BondReserved":
        of(address(args, "account")).reserved += amount;
        break;
      case "BondReleased":
        of(address(args, "account")).reserved -= amount;
        break;
      case "BondSlashed": {
        const from = of(address(args, "account"));
        from.bond -= amount;
        if (flag(args, "reserved")) from.reserved -= amount;
        of(address(args, "to")).claimable += amount;
        break;
      }
      case "BondReturned":
        of(address(args, "account")).bond -= amount;
        of(address(args, "to")).claimable += amount;
        break;
      case "Withdrawn":
        of(address(args, "account")).claimable -= amount;
        break;
    }
  }
  return { locked, accounts, events: count };
}

export function totals(books: Books): Totals {
  const locked = sum(books.locked.values());
  const claimable = sum([...books.accounts.values()].map((a) => a.claimable));
  const bonds = sum([...books.accounts.values()].map((a) => a.bond));
  return { locked, claimable, bonds, owed: locked + claimable + bonds };
}

function sum(values: Iterable<bigint>): bigint {
  let total = 0n;
  for (const value of values) total += value;
  return total;
}
