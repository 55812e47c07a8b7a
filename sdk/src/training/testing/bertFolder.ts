import type { BertLoraModel } from "../../records/index.ts";
import { readBertConfig } from "../huggingface/bertConfig.ts";
import { huggingFaceName } from "../huggingface/names.ts";
import { bertLora } from "../models/bertLora.ts";
import { layoutOf, tensorView } from "../models/layout.ts";
import { encodeSafetensorsHeader } from "../state/safetensors.ts";
import { noise } from "./checkGradients.ts";

/** A Hugging Face folder of a small model with random weights, as a client would bring one. */
export interface BertFolder {
  readonly config: string;
  readonly weights: Uint8Array;
  readonly tokenizer: string;
}

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];

/** @param words the tokenizer's vocabulary besides special tokens and single letters */
export function bertFolder(
  family: "bert" | "distilbert",
  words: readonly string[],
  width = 32,
  layers = 2,
): BertFolder {
  const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
  const pieces = [...new Set([...SPECIAL, ...words, ...letters, ...letters.map((letter) => `##${letter}`)])];
  const sizes = { vocab_size: pieces.length, max_position_embeddings: 64 };
  const config = JSON.stringify(
    family === "bert"
      ? {
          model_type: "bert",
          hidden_act: "gelu",
          num_hidden_layers: layers,
          hidden_size: width,
          num_attention_heads: 2,
          intermediate_size: 2 * width,
          layer_norm_eps: 1e-12,
          type_vocab_size: 2,
          ...sizes,
        }
      : {
          model_type: "distilbert",
          activation: "gelu",
          n_layers: layers,
          dim: width,
          n_heads: 2,
          hidden_dim: 2 * width,
          ...sizes,
        },
  );
  return { config, weights: randomWeights(config), tokenizer: wordPieces(pieces) };
}

function randomWeights(config: string): Uint8Array {
  const sizes = readBertConfig(config);
  const layout = layoutOf(bertLora.frozen(sizes as BertLoraModel));
  const flat = new Float32Array(layout.size);
  const tensors = layout.entries.map((entry, i) => {
    const values = tensorView(flat, entry);
    const random = noise(entry.size, 1000 + i);
    // Weak queries and keys let the first token look at all the others; strong values carry what it sees.
    const spread = /\.[qk]\.weight$/.test(entry.name) ? 0.03 : /\.[vo]\.weight$/.test(entry.name) ? 0.4 : 0.1;
    const norm = /norm/i.test(entry.name) && entry.name.endsWith("weight");
    for (let j = 0; j < entry.size; j++)
      values[j] = norm ? 1 + 0.1 * (random[j] as number) : spread * (random[j] as number);
    return { name: huggingFaceName(sizes.family, entry.name), dtype: "F32" as const, shape: entry.shape };
  });
  const header = encodeSafetensorsHeader(tensors, { format: "pt" });
  const file = new Uint8Array(header.length + flat.byteLength);
  file.set(header);
  file.set(new Uint8Array(flat.buffer), header.length);
  return file;
}

function wordPieces(pieces: readonly string[]): string {
  const special = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  return JSON.stringify({
    version: "1.0",
    added_tokens: SPECIAL.map((content, id) => ({ id, content, ...special })),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [
        { SpecialToken: { id: "[CLS]", type_id: 0 } },
        { Sequence: { id: "A", type_id: 0 } },
        { SpecialToken: { id: "[SEP]", type_id: 0 } },
      ],
      pair: [],
      special_tokens: {
        "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] },
        "[SEP]": { id: "[SEP]", ids: [3], tokens: ["[SEP]"] },
      },
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
    },
  });
}
