import { z } from "zod";
import { hashSchema } from "./blobRef.ts";

/**
 * What a checkpoint says of itself, beside its tensors. Batches are a pure function of (seed, step), so `cursor` and `rngCounter` can be
 * recomputed; they stand here so that any reader can go on without knowing how, and decoding checks them.
 */
export const checkpointMetaSchema = z.strictObject({
  /** the job, by the hash of its spec */
  specHash: hashSchema,
  graphHash: hashSchema,
  /** steps done; 0 is genesis */
  step: z.int().min(0),
  /** examples consumed so far */
  cursor: z.int().min(0),
  /** draws taken so far from the training stream of the counter-based RNG (0 where the model has no dropout) */
  rngCounter: z.int().min(0),
});

export type CheckpointMeta = z.infer<typeof checkpointMetaSchema>;
