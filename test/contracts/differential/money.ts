// Accounts of the model: every movement of money, and nothing else.
import type { Account, State } from "./state.ts";

/** The rules forbid it: the contracts must revert. */
export class Refused extends Error {}

export function need(condition: boolean, why: string): asserts condition {
  if (!condition) throw new Refused(why);
}

export function account(s: State, name: string): Account {
  const found = s.accounts[name] ?? { wallet: 0n, claimable: 0n, bond: 0n, reserved: 0n };
  s.accounts[name] = found;
  return found;
}

export function free(s: State, name: string): bigint {
  const { bond, reserved } = account(s, name);
  return bond - reserved;
}

export function payIn(s: State, from: string, amount: bigint): void {
  need(account(s, from).wallet >= amount, "wallet too small");
  account(s, from).wallet -= amount;
}

export function reserve(s: State, name: string, amount: bigint): void {
  need(free(s, name) >= amount, "bond too small");
  account(s, name).reserved += amount;
}

/** Takes at most `amount` of the free bond. @returns what was there to take */
export function slashFree(s: State, name: string, to: string, amount: bigint): bigint {
  const taken = amount < free(s, name) ? amount : free(s, name);
  account(s, name).bond -= taken;
  account(s, to).claimable += taken;
  return taken;
}

export function slashReserved(s: State, name: string, to: string, amount: bigint): void {
  const from = account(s, name);
  if (from.reserved < amount) throw new Error(`${name} holds ${from.reserved} in reserve, ${amount} are due`);
  from.reserved -= amount;
  from.bond -= amount;
  account(s, to).claimable += amount;
}

/** Money from outside: the test token's faucet. */
export function mint(s: State, name: string, amount: bigint): void {
  account(s, name).wallet += amount;
}
