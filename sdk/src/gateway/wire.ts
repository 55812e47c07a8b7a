import { z } from "zod";
import { hashSchema } from "../records/blobRef.ts";
import type { Hex } from "../records/bytes.ts";

/** Version of the gateway's HTTP and pulse protocol; part of every path and of the WebSocket subprotocol. */
export const GATEWAY_VERSION = 1;
export const PULSE_SUBPROTOCOL = `gpuchain.pulse.v${GATEWAY_VERSION}`;
/** Largest pulse frame in bytes, either way. States travel as blobs, never in frames. */
export const MAX_PULSE_FRAME = 256 * 1024;

const hex = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`), `expected 0x and ${2 * bytes} hex digits`)
    .transform((value) => value.toLowerCase() as Hex);
const anyHex = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/)
  .max(2048)
  .transform((value) => value as Hex);
/** Unsigned integers of the chain travel as decimal strings: JSON numbers lose bits above 2^53. */
const uint = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,77})$/, "expected a decimal string")
  .transform((value) => BigInt(value));
const uint32 = z.int().min(0).max(0xffffffff);
const millis = z.number().nonnegative();

export const addressSchema = hex(20);
export { hashSchema };

// Sessions ----------------------------------------------------------------------------------------------------------------------------

export const challengeRequestSchema = z.strictObject({ address: addressSchema });
export const challengeResponseSchema = z.object({ message: z.string().max(4096), expiresAt: millis });
export const sessionRequestSchema = z.strictObject({ message: z.string().max(4096), signature: anyHex });
export const sessionResponseSchema = z.object({
  token: z.string().max(256),
  address: addressSchema,
  expiresAt: millis,
});

export const errorBodySchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
});

// Blobs -------------------------------------------------------------------------------------------------------------------------------

/**
 * Why a blob is uploaded: a provider's `checkpoint`, its `trace` (with `traceRoot`, by which judges look it up), a trace `state` that an
 * audit asked for, or a `client`'s job blob that its spec names.
 */
export const PURPOSES = ["checkpoint", "trace", "state", "client"] as const;
export type BlobPurpose = (typeof PURPOSES)[number];
export const uploadQuerySchema = z.object({
  purpose: z.enum(PURPOSES),
  job: uint,
  fence: uint.optional(),
  traceRoot: hex(32).optional(),
});

// Pulse -------------------------------------------------------------------------------------------------------------------------------

/** What a node says of itself with each beat. */
export const pulseStatusSchema = z.object({
  jobId: uint.optional(),
  fence: uint.optional(),
  step: z.int().nonnegative().optional(),
  standby: z.boolean(),
});
/** What a beat carries: `standby` while the node holds no lease. */
export interface PulseStatus {
  readonly jobId?: bigint;
  readonly fence?: bigint;
  readonly step?: number;
  readonly standby: boolean;
}

/** One training step as a node reports it; bound to the trace by `step` at commit. */
export const stepSampleSchema = z.object({
  step: z.int().nonnegative(),
  loss: z.number(),
  lr: z.number(),
  ms: z.number().nonnegative(),
  at: millis,
  microBatch: z.int().positive().optional(),
  tokensPerSecond: z.number().nonnegative().optional(),
  memoryMb: z.number().nonnegative().optional(),
});
export type StepSample = z.infer<typeof stepSampleSchema>;
export const logLineSchema = z.object({
  at: millis,
  level: z.enum(["debug", "info", "warn", "error"]),
  message: z.string().max(2000),
});
export type LogLine = z.infer<typeof logLineSchema>;

/** Node to gateway. */
export const pulseUpSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("beat"), n: z.int().nonnegative(), status: pulseStatusSchema }),
  z.object({
    type: z.literal("telemetry"),
    jobId: uint,
    fence: uint,
    steps: z.array(stepSampleSchema).max(500).default([]),
    logs: z.array(logLineSchema).max(100).default([]),
  }),
  /** Answer to `states`: what was uploaded, and what the node no longer has (or could not upload). */
  z.object({
    type: z.literal("statesDone"),
    id: z.string().max(64),
    uploaded: z.array(hashSchema).max(64),
    missing: z.array(hashSchema).max(64),
  }),
]);
export type PulseUp = z.infer<typeof pulseUpSchema>;

/** Gateway to node. */
export const pulseDownSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ack"), n: z.int().nonnegative(), at: millis }),
  z.object({
    type: z.literal("states"),
    id: z.string().max(64),
    jobId: uint,
    fence: uint,
    checkpointId: uint,
    stateHashes: z.array(hashSchema).max(64),
  }),
  /** The seat has signed an eviction of this fence; a node that is alive renews its lease on chain at once. */
  z.object({ type: z.literal("evicting"), jobId: uint, fence: uint, attestedAt: uint }),
  z.object({ type: z.literal("goodbye"), reason: z.string().max(500) }),
  z.object({ type: z.literal("error"), code: z.string().max(64), message: z.string().max(500) }),
]);
export type PulseDown = z.infer<typeof pulseDownSchema>;

// Signatures between peers ------------------------------------------------------------------------------------------------------------

/** An interval of the trace: the state after `fromStep` replayed to `toStep`. */
export const intervalSchema = z.strictObject({ fromStep: z.int().nonnegative(), toStep: z.int().positive() });
export type Interval = z.infer<typeof intervalSchema>;

/** A signed verdict as `signVerdict` of the chain room gives it, for a peer. */
export const signedVerdictSchema = z.strictObject({
  kind: z.literal("verdict"),
  verifier: addressSchema,
  jobId: uint,
  fence: uint32,
  checkpointId: uint,
  contentDigest: hex(32),
  outcome: z.enum(["Accept", "Refuse", "Unavailable"]),
  metTarget: z.boolean(),
  score: uint32,
  evidenceHash: hex(32),
  r: hex(32),
  vs: hex(32),
  /** a refusal names the interval that failed, so that peers replay it before they sign */
  refusedInterval: intervalSchema.optional(),
});
export type SignedVerdictMessage = z.infer<typeof signedVerdictSchema>;

export const signedEvictionSchema = z.strictObject({
  kind: z.literal("eviction"),
  verifier: addressSchema,
  jobId: uint,
  fence: uint32,
  /** milliseconds of chain time */
  attestedAt: uint,
  r: hex(32),
  vs: hex(32),
});
export type SignedEvictionMessage = z.infer<typeof signedEvictionSchema>;

export const signatureMessageSchema = z.discriminatedUnion("kind", [signedVerdictSchema, signedEvictionSchema]);
export type SignatureMessage = z.infer<typeof signatureMessageSchema>;

/** Verdicts on one checkpoint that a verifier knows of, its own and its peers'. */
export const knownVerdictsSchema = z.object({ verdicts: z.array(signedVerdictSchema).max(16) });

/** The key of a job's sealed held-out data, sealed to its reader's registered key (80 bytes). */
export const sealedKeySchema = z.strictObject({ sealedKey: hex(80) });

// Evidence ----------------------------------------------------------------------------------------------------------------------------

/** Language models have no accuracies. */
const metricsSchema = z.object({
  accuracy: z.number().optional(),
  balancedAccuracy: z.number().optional(),
  nll: z.number(),
});

const gateResultSchema = z.object({
  gate: z.enum(["integrity", "replay", "quality"]),
  ok: z.boolean(),
  /** what was found, in words a person understands */
  reason: z.string(),
  ms: z.number().nonnegative(),
  interval: intervalSchema.optional(),
  distance: z.object({ params: z.number(), moment: z.number() }).optional(),
  replayedHash: hashSchema.optional(),
  claimedHash: hashSchema.optional(),
  /** where the two states of a replay came from */
  source: z.enum(["provider", "recomputed"]).optional(),
  metrics: metricsSchema.optional(),
  /** the same of the state before it */
  baseline: metricsSchema.optional(),
  subsetSize: z.int().optional(),
});
export type GateResult = z.infer<typeof gateResultSchema>;

/** Why a verifier signed what it signed, re-runnable with `gpuchain-verifier judge <checkpoint>`. */
export const evidenceSchema = z.object({
  checkpointId: z.string(),
  jobId: z.string(),
  fence: z.string(),
  step: z.int(),
  stateHash: hashSchema,
  traceRoot: hashSchema,
  parentHash: hashSchema,
  commitBlock: z.string(),
  commitBlockHash: hashSchema,
  verifier: addressSchema,
  outcome: z.enum(["Accept", "Refuse", "Unavailable"]),
  metTarget: z.boolean(),
  score: z.int(),
  predictionsRoot: hashSchema,
  evidenceHash: hashSchema,
  gates: z.array(gateResultSchema),
  judgedAt: millis,
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** JSON with bigints as decimal strings, the form in which every message travels. */
export const encodeWire = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item));
