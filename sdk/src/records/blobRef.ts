import { z } from "zod";
import type { Hex } from "./bytes.ts";

/** A 32-byte hash, `0x` and lower case. */
export const hashSchema = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, "expected 0x and 64 lower-case hex digits")
  .transform((hash) => hash as Hex);

/** A blob by content: its SHA-256 and its size, so that a reader can refuse a larger body before hashing it. */
export const blobRefSchema = z.strictObject({ sha256: hashSchema, bytes: z.int().min(1).max(1e12) });

export type BlobRef = z.infer<typeof blobRefSchema>;
