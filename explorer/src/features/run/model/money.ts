import type { RunMeta, RunState } from "./types.ts";

const SEATS = 3n;
const FEE_BPS = 800n;

export interface EscrowSplit {
  /** past its dispute window, credited */
  readonly paid: bigint;
  /** accepted, window still open */
  readonly owed: bigint;
  /** the worst case that the rest of the run can cost */
  readonly locked: bigint;
  /** what can't be needed any more */
  readonly refundable: bigint;
  /** already back with the client */
  readonly refunded: bigint;
}

/** Splits a job's budget. The five parts always add up to it exactly. */
export function splitEscrow(state: RunState, meta: RunMeta): EscrowSplit {
  const { budget, credited } = state.money;
  const paid = credited.providerPay + credited.verifierFee + credited.cancelFee + credited.protocolFee;
  if (state.status === "settled") return { paid, owed: 0n, locked: 0n, refundable: 0n, refunded: credited.refund };
  const accepted = state.checkpoints.filter((c) => c.status === "accepted");
  const owedPay = accepted.reduce((sum, c) => sum + c.pay, 0n);
  const votes = accepted.reduce((sum, c) => sum + BigInt(c.votes.filter((v) => v.outcome === "accept").length), 0n);
  const owed = owedPay + votes * meta.verifierFee;
  const left = budget - paid - owed - credited.refund;
  const locked = min(left, worstCase(state, meta, credited.providerPay + owedPay, accepted.length, votes));
  return { paid, owed, locked, refundable: left - locked, refunded: credited.refund };
}

function worstCase(state: RunState, meta: RunMeta, earned: bigint, accepted: number, votes: bigint): bigint {
  const open = state.status === "open" || state.status === "draining" || state.status === "closing";
  const steps = open ? BigInt(Math.max(0, meta.steps - state.headStep)) : 0n;
  const interval = BigInt(Math.max(1, meta.interval));
  const rounds = (steps + interval - 1n) / interval;
  const pay = steps * meta.maxPrice;
  const thirdVotes = (BigInt(accepted) * SEATS - votes) * meta.verifierFee;
  const fee = state.metTarget === false ? 0n : ((earned + pay) * FEE_BPS) / 10_000n;
  return pay + fee + rounds * SEATS * meta.verifierFee + max(0n, thirdVotes);
}

const min = (a: bigint, b: bigint) => (a < b ? a : b);
const max = (a: bigint, b: bigint) => (a > b ? a : b);
