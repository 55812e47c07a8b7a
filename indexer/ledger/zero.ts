import { EMPTY_DIGEST } from "./events.ts";
import type { Hex } from "./rows.ts";
import type { Tables } from "./tables.ts";

/** Rows in which nothing has happened yet. */
export function emptyTotal(): Tables["total"] {
  return {
    ...{ id: 1, events: 0, digest: EMPTY_DIGEST, block: 0, timestamp: 0 },
    ...{ locked: 0n, claimable: 0n, bonds: 0n, reserved: 0n, deposited: 0n, withdrawn: 0n },
    ...{ jobs: 0, openJobs: 0, completedJobs: 0, settledJobs: 0, providers: 0, verifiers: 0 },
    ...{ leases: 0, evictions: 0, checkpoints: 0, refusals: 0, stepsAccepted: 0 },
    ...{ providerPay: 0n, verifierFees: 0n, protocolFees: 0n, refunds: 0n, slashed: 0n },
  };
}

export function emptyAccount(address: Hex): Tables["account"] {
  return {
    ...{ address, claimable: 0n, bond: 0n, reserved: 0n, deposited: 0n, earned: 0n, refunded: 0n },
    ...{ slashed: 0n, withdrawn: 0n, firstSeq: 0, block: 0 },
  };
}

export function emptyDay(day: number): Tables["day"] {
  return {
    ...{ day, events: 0, jobsPosted: 0, jobsSettled: 0, checkpoints: 0, stepsAccepted: 0, stepsRefused: 0 },
    ...{ evictions: 0, budgets: 0n, providerPay: 0n, verifierFees: 0n, protocolFees: 0n, refunds: 0n },
    ...{ slashed: 0n, withdrawn: 0n, block: 0 },
  };
}

export function emptyProviderDay(provider: Hex, day: number): Tables["providerDay"] {
  return { provider, day, stepsAccepted: 0, stepsRefused: 0, leases: 0, leaseSeconds: 0, earned: 0n, block: 0 };
}

export function emptyVerifierDay(verifier: Hex, day: number): Tables["verifierDay"] {
  return { verifier, day, votes: 0, disagreements: 0, latencySum: 0, earned: 0n, block: 0 };
}
