import { Tokenizer } from "@huggingface/tokenizers";
import { TrainingError } from "../errors.ts";

/** Turns texts into ids and back, by a Hugging Face `tokenizer.json`. */
export interface TextTokenizer {
  /** ids with the tokenizer's own special tokens, cut to `sequence` so that the closing one stays */
  encode(text: string, sequence?: number): number[];
  decode(ids: readonly number[]): string;
}

/**
 * @param tokenizerJson content of `tokenizer.json`
 * @throws TrainingError `BAD_MODEL`
 */
export function createTextTokenizer(tokenizerJson: string): TextTokenizer {
  let tokenizer: Tokenizer;
  try {
    tokenizer = new Tokenizer(JSON.parse(tokenizerJson) as object, {});
  } catch (cause) {
    throw new TrainingError("BAD_MODEL", "tokenizer.json cannot be read.", { cause });
  }
  return {
    encode(text, sequence = Number.POSITIVE_INFINITY) {
      const { ids } = tokenizer.encode(text);
      return ids.length <= sequence ? ids : [...ids.slice(0, sequence - 1), ids.at(-1) as number];
    },
    decode: (ids) => (ids.length === 0 ? "" : tokenizer.decode([...ids], { skip_special_tokens: true })),
  };
}
