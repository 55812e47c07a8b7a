import { z } from "zod";
import type { BertLoraModel } from "../../records/index.ts";
import { TrainingError } from "../errors.ts";

/** The sizes that a base model fixes; the client adds sequence, classes and adapters. */
export type BertSizes = Pick<
  BertLoraModel,
  "family" | "layers" | "width" | "heads" | "feedForward" | "vocabulary" | "positions" | "layerNormEpsilon"
>;

const bertSchema = z.object({
  model_type: z.literal("bert"),
  hidden_act: z.string().default("gelu"),
  position_embedding_type: z.string().default("absolute"),
  num_hidden_layers: z.int(),
  hidden_size: z.int(),
  num_attention_heads: z.int(),
  intermediate_size: z.int(),
  vocab_size: z.int(),
  max_position_embeddings: z.int(),
  layer_norm_eps: z.number().default(1e-12),
});

const distilbertSchema = z.object({
  model_type: z.literal("distilbert"),
  activation: z.string().default("gelu"),
  n_layers: z.int(),
  dim: z.int(),
  n_heads: z.int(),
  hidden_dim: z.int(),
  vocab_size: z.int(),
  max_position_embeddings: z.int(),
});

const bad = (message: string, cause?: unknown) => new TrainingError("BAD_MODEL", message, { cause });

/**
 * Reads a Hugging Face `config.json`.
 *
 * @throws TrainingError `BAD_MODEL` when it is not a BERT or DistilBERT that our graphs can express
 */
export function readBertConfig(json: string): BertSizes {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw bad("config.json is no JSON.", cause);
  }
  const result = z.discriminatedUnion("model_type", [bertSchema, distilbertSchema]).safeParse(value);
  if (!result.success)
    throw bad(`config.json is not that of a BERT or DistilBERT model: ${z.prettifyError(result.error)}`, result.error);
  const config = result.data;
  const activation = config.model_type === "bert" ? config.hidden_act : config.activation;
  if (activation !== "gelu") throw bad(`The activation "${activation}" is not supported: only gelu is.`);
  if (config.model_type === "distilbert")
    return {
      family: "distilbert",
      layers: config.n_layers,
      width: config.dim,
      heads: config.n_heads,
      feedForward: config.hidden_dim,
      vocabulary: config.vocab_size,
      positions: config.max_position_embeddings,
      // Fixed in DistilBERT's own code.
      layerNormEpsilon: 1e-12,
    };
  if (config.position_embedding_type !== "absolute")
    throw bad(
      `Position embeddings of the type "${config.position_embedding_type}" are not supported: only absolute ones are.`,
    );
  return {
    family: "bert",
    layers: config.num_hidden_layers,
    width: config.hidden_size,
    heads: config.num_attention_heads,
    feedForward: config.intermediate_size,
    vocabulary: config.vocab_size,
    positions: config.max_position_embeddings,
    layerNormEpsilon: config.layer_norm_eps,
  };
}
