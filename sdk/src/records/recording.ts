import { z } from "zod";

/**
 * A recording is one run written down so completely that a page can replay it with no chain, ledger or gateway at hand.
 *
 * Conventions, the same in every field:
 * - `t` is milliseconds since `startedAt`, as the recorder saw it; entries stand in rising order of `t`.
 * - money is a decimal string of base units (USDC has 6 decimals: "50000" is 0.05 USDC);
 *   the `report` alone uses decimal strings with six places, as the demo prints it.
 * - integers that a contract returns as uint64 or wider (ids, amounts, times) are decimal strings; hashes and addresses are 0x-hex.
 * - facts come from the chain (`event`, `block`); everything else says who told it (`provider`, `verifier` or `source`).
 */
export const RECORDING_VERSION = 1;

const hex = z.string().regex(/^0x[0-9a-fA-F]*$/, "expected 0x-hex");
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "expected a 20-byte address");
const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/, "expected a 32-byte hash");
const integer = z.string().regex(/^-?\d+$/, "expected a decimal integer in a string");
const usdc = z.string().regex(/^-?\d+\.\d{6}$/, "expected USDC with six decimals");
const t = z.number().nonnegative();
const step = z.number().int().nonnegative();

/** An event argument as JSON: bigints as decimal strings, bytes and addresses as hex, tuples as objects. */
export type EventArg = string | number | boolean | EventArg[] | { [name: string]: EventArg };
const eventArg: z.ZodType<EventArg> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.array(eventArg), z.record(z.string(), eventArg)]),
);

/** A new head as the recorder saw it. Write each one: the cursor's "at block N" and the auction ramp read them. */
const block = z.object({ kind: z.literal("block"), t, number: z.number().int(), timestamp: z.number().int() });

/** One decoded contract event. The replay derives leases, checkpoints, verdicts and all money from these alone. */
const event = z.object({
  kind: z.literal("event"),
  t,
  /** `Jobs`, `Escrow`, `Registry`, `Court`, `TestUSDC` */
  contract: z.string(),
  name: z.string(),
  args: z.record(z.string(), eventArg),
  block: z.number().int(),
  /** seconds, the block's own */
  timestamp: z.number().int().optional(),
  tx: hash,
  logIndex: z.number().int(),
});

/** One training step, as its provider's daemon reports it (self-reported until the trace binds it). */
const stepEntry = z.object({
  kind: z.literal("step"),
  t,
  provider: address,
  fence: z.number().int(),
  step,
  loss: z.number(),
  lr: z.number().optional(),
  ms: z.number().optional(),
});

/** What a worker is doing. `phase` is the node's own state name: idle, warming, training, committing, draining, exited. */
const phase = z.object({
  kind: z.literal("phase"),
  t,
  party: address,
  phase: z.string(),
  fence: z.number().int().optional(),
  step: step.optional(),
});

/** A verifier's view of a provider's pulse. Write changes, not beats; `lastBeatT` lets the replay draw the silence. */
const pulse = z.object({
  kind: z.literal("pulse"),
  t,
  verifier: address,
  provider: address,
  state: z.enum(["up", "closed", "silent", "gone"]),
  lastBeatT: t.optional(),
});

/** A fault that the recorder injected itself, so that a replay never passes it off as an accident. */
const fault = z.object({
  kind: z.literal("fault"),
  t,
  fault: z.enum(["kill", "junk", "stop", "partition"]),
  party: address,
  step: step.optional(),
  text: z.string().optional(),
});

/** An off-chain signature: a verdict or an eviction leaving a seat. */
const signature = z.object({
  kind: z.literal("signature"),
  t,
  verifier: address,
  of: z.enum(["verdict", "eviction"]),
  fence: z.number().int(),
  checkpoint: integer.optional(),
  outcome: z.enum(["accept", "refuse", "unavailable"]).optional(),
});

/** One gate's finding by one verifier on one checkpoint, with what a person needs to re-run it. */
const gate = z.object({
  kind: z.literal("gate"),
  t,
  verifier: address,
  checkpoint: integer,
  gate: z.enum(["integrity", "replay", "quality"]),
  ok: z.boolean(),
  /** in words, as the verifier says it */
  reason: z.string().optional(),
  interval: z.object({ from: step, to: step }).optional(),
  distance: z.object({ params: z.number(), m: z.number() }).optional(),
  limit: z.object({ params: z.number(), m: z.number() }).optional(),
  committed: hex.optional(),
  replayed: hex.optional(),
  accuracy: z.number().optional(),
  balancedAccuracy: z.number().optional(),
  nll: z.number().optional(),
  examples: z.number().int().optional(),
});

/** One hand-over, measured: milliseconds of each phase in order, steps lost, money that moved because of it. */
const receipt = z.object({
  kind: z.literal("receipt"),
  t,
  cause: z.enum(["released", "expired", "stalled", "evicted", "refused", "unavailable", "jobClosed"]),
  from: address,
  to: address.optional(),
  fence: z.number().int(),
  nextFence: z.number().int().optional(),
  /** in order, e.g. silent, evicted, acquired, firstStep */
  phases: z.array(z.object({ name: z.string(), ms: z.number() })),
  /** last step trained under the old fence, and the step that the next provider started from */
  atStep: step.optional(),
  resumedFrom: step.optional(),
  stepsLost: step.optional(),
  signedBy: z.array(address).optional(),
});

/** A reading of the escrow: the contract's own reserves, and balances read at the same block. */
const money = z.object({
  kind: z.literal("money"),
  t,
  block: z.number().int(),
  held: integer,
  owed: integer,
  balances: z.record(address, z.object({ claimable: integer, bondFree: integer, bondReserved: integer })).optional(),
});

/** A line of the run's account, in words. */
const log = z.object({
  kind: z.literal("log"),
  t,
  /** a party's name, "chain", or "demo" */
  source: z.string(),
  level: z.enum(["debug", "info", "warn", "error"]).default("info"),
  text: z.string(),
  fence: z.number().int().optional(),
});

export const recordingEntrySchema = z.discriminatedUnion("kind", [
  block,
  event,
  stepEntry,
  phase,
  pulse,
  fault,
  signature,
  gate,
  receipt,
  money,
  log,
]);

/** The demo's own report (`--json`), kept whole inside the recording. Times in ms from the kill, money with six places. */
export const runReportSchema = z.looseObject({
  network: z.object({ chainId: z.number().int(), blockTimeMs: z.number() }),
  job: z.object({ steps: step, checkpointInterval: step, budget: usdc }),
  kill: z
    .object({
      provider: z.string(),
      atStep: step,
      lastCheckpoint: step,
      detectedMs: z.number(),
      evictedMs: z.number(),
      acquiredMs: z.number(),
      firstStepMs: z.number(),
      stepsLost: step,
    })
    .optional(),
  checkpoints: z.array(
    z.looseObject({
      id: z.union([z.string(), z.number()]),
      step,
      provider: z.string(),
      verdict: z.string(),
      gate: z.string().nullish(),
      balancedAccuracy: z.number().nullish(),
      nll: z.number().nullish(),
      commitToVerdictMs: z.number().nullish(),
      votes: z.unknown(),
    }),
  ),
  junk: z.object({ provider: z.string(), refused: z.boolean(), gate: z.string().nullish(), paid: usdc }).optional(),
  final: z.looseObject({
    accuracy: z.number(),
    balancedAccuracy: z.number(),
    nll: z.number(),
    heldOut: z.number().int(),
  }),
  money: z.looseObject({
    budget: usdc,
    providers: z.record(z.string(), usdc),
    verifiers: z.union([usdc, z.record(z.string(), usdc)]),
    fee: usdc,
    refund: usdc,
    reserves: z.object({ held: usdc, owed: usdc }),
  }),
  speed: z.looseObject({ bareStepsPerSecond: z.number(), runStepsPerSecond: z.number() }),
  wallMs: z.number(),
});

export const recordingSchema = z.object({
  version: z.literal(RECORDING_VERSION),
  protocolVersion: z.union([z.string(), z.number()]),
  /** wall clock at t = 0, ISO 8601 */
  startedAt: z.iso.datetime({ offset: true }),
  network: z.object({
    chainId: z.number().int(),
    /** e.g. "Local chain", "Base Sepolia" */
    name: z.string(),
    blockTimeMs: z.number(),
    /** contract name → address */
    contracts: z.record(z.string(), address).optional(),
  }),
  job: z.object({
    id: integer,
    title: z.string(),
    template: z.string(),
    class: z.enum(["native", "canonical"]),
    client: address,
    specHash: hash,
    /** the whole spec as posted, for "download spec"; its canonical bytes hash to `specHash` */
    spec: z.unknown().optional(),
    steps: step,
    checkpointInterval: step,
    traceInterval: step,
    budget: integer,
    /** JobTerms as posted, integers as strings */
    terms: z.record(z.string(), eventArg),
  }),
  parties: z.array(
    z.object({
      role: z.enum(["client", "provider", "verifier", "treasury", "arbiter"]),
      /** the label on the page: A, P, B, Seat 1, … */
      name: z.string(),
      address,
      payout: address.optional(),
      /** base units per step */
      price: integer.optional(),
      /** self-reported, shown as such */
      device: z.string().optional(),
      description: z.string().optional(),
    }),
  ),
  /**
   * What the recorder vouches for beyond what the page derives by itself ("Local chain" from chainId, "Injected fault"
   * from `fault` entries): realGpu, separateMachine, cappedProfile, synthetic, … with a sentence of explanation.
   */
  badges: z.array(z.object({ kind: z.string(), text: z.string().optional() })),
  timeline: z.array(recordingEntrySchema),
  report: runReportSchema.optional(),
});

export type Recording = z.infer<typeof recordingSchema>;
export type RecordingInput = z.input<typeof recordingSchema>;
export type RecordingEntry = z.infer<typeof recordingEntrySchema>;
export type RunReport = z.infer<typeof runReportSchema>;

/**
 * Checks and returns a recording.
 *
 * @throws Error naming the first field that is wrong, or the entry that goes back in time.
 */
export function parseRecording(json: unknown): Recording {
  const result = recordingSchema.safeParse(json);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new Error(`Not a recording: ${issue?.path.join(".") || "(root)"}: ${issue?.message ?? "unknown"}`);
  }
  let last = 0;
  for (const [index, entry] of result.data.timeline.entries()) {
    if (entry.t < last) throw new Error(`Not a recording: timeline.${index}.t: ${entry.t} comes after ${last}`);
    last = entry.t;
  }
  return result.data;
}
