import type { Address } from "viem";
import { eventArgs, getAccount, write } from "../chain/index.ts";
import type { ClientContext } from "./clientContext.ts";

export interface WithdrawParameters {
  /** Where the money goes. Default: the key's own address. */
  to?: Address;
  /** Names this call: the same one again withdraws nothing more. Default: a new one. */
  intent?: string;
}

export interface WithdrawReturnType {
  /** What was paid, base units; 0: nothing was claimable and nothing was sent. */
  amount: bigint;
  hash?: `0x${string}`;
}

/**
 * Pays out all that the key may claim: refunds, pay, fees.
 *
 * @example
 * const { amount } = await withdraw(context);
 */
export async function withdraw(
  { client, account, sender }: ClientContext,
  { to = account.address, intent = `withdraw:${crypto.randomUUID()}` }: WithdrawParameters = {},
): Promise<WithdrawReturnType> {
  const { claimable } = await getAccount(client, { account: account.address });
  if (claimable === 0n) return { amount: 0n };
  const { hash, events } = await write(sender, client.deployment, "escrow", "withdraw", [to], { intent });
  return { amount: eventArgs(events, "Withdrawn").amount, hash };
}
