import type { SimConfig } from "./types.ts";

/** Three imaginary providers. Speeds and prices are made up, and the page says so. */
export const DEFAULT_SIM: SimConfig = {
  totalSteps: 200,
  interval: 25,
  budget: 1_000_000n,
  maxPrice: 3_000n,
  verifierFee: 2_000n,
  feeBps: 800n,
  rampMs: 6_000,
  pulseTimeoutMs: 500,
  evictMs: 200,
  verdictMs: 4_000,
  warmMs: 300,
  queue: 8,
  deadlineMs: 10_000,
  providers: [
    { id: "A", name: "garage 3060", price: 2_000n, stepMs: 280 },
    { id: "B", name: "lab spare", price: 2_500n, stepMs: 250 },
    { id: "C", name: "night shift", price: 3_000n, stepMs: 220 },
  ],
};
