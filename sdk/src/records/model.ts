import { z } from "zod";
import { blobRefSchema } from "./blobRef.ts";

const size = (max: number) => z.int().min(1).max(max);

const transformer = {
  layers: size(96),
  width: size(8192),
  heads: size(128),
  /** width of the feed-forward layer */
  feedForward: size(65536),
  vocabulary: size(1_000_000),
  /** tokens per example */
  sequence: size(8192),
};

/** Encoder classifier from scratch: post-norm blocks, mean pooling over unmasked tokens, GELU head. */
export const encoderSchema = z.strictObject({
  architecture: z.literal("encoder"),
  ...transformer,
  classes: size(10_000).min(2),
});

/** A BERT or DistilBERT folder's weights, frozen, with low-rank adapters on some projections and a trained head. */
export const bertLoraSchema = z.strictObject({
  architecture: z.literal("bert-lora"),
  family: z.enum(["bert", "distilbert"]),
  ...transformer,
  /** rows of the position table, at least `sequence` */
  positions: size(8192),
  layerNormEpsilon: z.number().positive().max(1e-3),
  classes: size(10_000).min(2),
  rank: size(256),
  alpha: z.number().positive().max(4096),
  targets: z.array(z.enum(["q", "k", "v", "o"])).min(1),
  /** the flat float32 base weights, a blob in our own layout */
  baseWeights: blobRefSchema,
});

/** Decoder-only language model: pre-norm blocks, tied embeddings. */
export const decoderSchema = z.strictObject({ architecture: z.literal("decoder"), ...transformer });

/** Multi-layer perceptron for tables of numbers: GELU between layers. */
export const mlpSchema = z.strictObject({
  architecture: z.literal("mlp"),
  inputs: size(65536),
  hidden: z.array(size(65536)).max(32),
  classes: size(10_000).min(2),
});

/** Everything from which a model's graphs are built. Sizes are static. */
export const modelSchema = z
  .discriminatedUnion("architecture", [encoderSchema, bertLoraSchema, decoderSchema, mlpSchema])
  .refine((model) => model.architecture === "mlp" || model.width % model.heads === 0, {
    message: "width must be a multiple of heads",
  })
  .refine((model) => model.architecture !== "bert-lora" || model.positions >= model.sequence, {
    message: "positions must be at least sequence",
  });

export type ModelDescription = z.infer<typeof modelSchema>;
export type EncoderModel = z.infer<typeof encoderSchema>;
export type BertLoraModel = z.infer<typeof bertLoraSchema>;
export type DecoderModel = z.infer<typeof decoderSchema>;
export type MlpModel = z.infer<typeof mlpSchema>;
