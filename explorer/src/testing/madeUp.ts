// Who takes part in the made-up run, at which price and on which terms.

const hex = (n: number, bytes: number) => `0x${n.toString(16).padStart(bytes * 2, "0")}` as const;
export const hash = (n: number) => {
  // Spread the bits, so that shortened hashes differ in a test's picture as real ones do.
  let out = "";
  let x = (n * 2_654_435_761) >>> 0;
  while (out.length < 64) {
    x = (Math.imul(x ^ (x >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    out += x.toString(16).padStart(8, "0");
  }
  return `0x${out}`;
};
export const wallet = (n: number) => `0x${hash(n).slice(2, 42)}`;

export const PRICES = { A: 1_000n, P: 2_000n, B: 3_000n } as const;
export type Name = keyof typeof PRICES;
export const ADDRESS: Readonly<Record<string, string>> = {
  client: wallet(1),
  treasury: wallet(2),
  A: wallet(11),
  P: wallet(12),
  B: wallet(13),
  "Seat 1": wallet(21),
  "Seat 2": wallet(22),
  "Seat 3": wallet(23),
};
export const SEATS = ["Seat 1", "Seat 2", "Seat 3"].map((s) => ADDRESS[s] as string);
export const FEE = 10_000n;
/** Enough for any run of this shape: 5 USDC for the demo's 400 steps. */
export const BUDGET_PER_STEP = 12_500n;
export const JOB = 1n;

/** The made-up job's size. */
export interface Shape {
  readonly steps: number;
  readonly interval: number;
  readonly budget: bigint;
}

/** The job's terms, as its event tells them. */
export function terms({ steps, interval, budget }: Shape) {
  return {
    templateId: 0,
    specHash: hash(99),
    genesisHash: hash(98),
    eligibilityRoot: hex(0, 32),
    totalSteps: steps,
    checkpointInterval: interval,
    maxPricePerStep: "3000",
    verifierFee: String(FEE),
    leaseDuration: 30,
    segmentTimeout: 120,
    pulseTimeoutMs: 500,
    auctionRamp: 6,
    verdictTimeout: 30,
    deadline: String(1_762_264_800 + 3600),
    gracePeriod: 120,
    disputeWindow: 2,
    budget: String(budget),
  };
}

/** Something between −1 and 1 that looks like chance and never changes. */
export const wobble = (n: number) => Math.sin(n * 12.9898) * Math.cos(n * 4.1414);
