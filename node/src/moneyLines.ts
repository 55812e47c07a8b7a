import { formatUsdc } from "@gpuchain/sdk/daemon";
import { formatEther } from "viem";
import type { Earnings } from "./journal/nodeJournal.ts";

/** Amounts as they come from the daemon's socket: decimal strings, or numbers of this process. */
type Amount = bigint | string;

export interface MoneyState {
  readonly address: string;
  readonly earnings: { readonly [Name in keyof Earnings]: Earnings[Name] | string };
  readonly net?: Amount;
  readonly gas?: { readonly balance: Amount; readonly needed: Amount };
}

/** What the node earned, what its transactions cost, and whether it has the native coin to go on; a line each. */
export function moneyLines({ address, earnings, net, gas }: MoneyState): string[] {
  const lines = [
    `earned     ${formatUsdc(BigInt(earnings.accepted))} USDC in ${earnings.acceptedSteps} accepted steps`,
    `gas paid   ${formatEther(BigInt(earnings.gas))} native coin`,
  ];
  lines.push(
    net === undefined
      ? "net        set --coin-price to see what is left after gas"
      : `net        ${formatUsdc(BigInt(net))} USDC after gas`,
  );
  if (gas === undefined) return lines;
  const [balance, needed] = [BigInt(gas.balance), BigInt(gas.needed)];
  const enough = balance >= needed;
  lines.push(
    `gas here   ${formatEther(balance)} native coin; a lease takes about ${formatEther(needed)}${
      enough ? "" : `: TOO LITTLE, send at least ${formatEther(4n * needed)} to ${address}`
    }`,
  );
  return lines;
}
