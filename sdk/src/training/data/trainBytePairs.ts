/**
 * Byte-level byte-pair encoding (Sennrich et al., 2016; the byte alphabet of GPT-2), trained on a text and given as a Hugging Face
 * `tokenizer.json`, so that any tool of the field can use it.
 */

/** GPT-2's printable stand-ins for the 256 bytes. */
export function byteAlphabet(): string[] {
  const printable = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++));
}

/** GPT-2's way of cutting a text into words before merging. */
const WORDS = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

interface Word {
  symbols: string[];
  readonly count: number;
}

/**
 * Learns merges until the vocabulary is full or no pair occurs twice. Ties go to the pair that sorts first, so equal texts give equal
 * tokenizers.
 *
 * @param vocabulary number of tokens, at least 257: the bytes and an end-of-text mark (id 0)
 */
export function trainBytePairs(text: string, vocabulary: number): string {
  const alphabet = byteAlphabet();
  const tokens = new Set(["<|endoftext|>", ...alphabet]);
  const merges: [string, string][] = [];
  const pairs = new PairIndex(wordsOf(text, alphabet));
  while (tokens.size < vocabulary) {
    const best = pairs.best();
    if (best === undefined) break;
    merges.push(best);
    // Two pairs may join to the same token, which then has one id.
    tokens.add(best.join(""));
    pairs.merge(best);
  }
  return JSON.stringify(tokenizerJson([...tokens], merges));
}

function wordsOf(text: string, alphabet: readonly string[]): Word[] {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(WORDS)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const encoder = new TextEncoder();
  return [...counts].map(([word, count]) => ({
    symbols: Array.from(encoder.encode(word), (byte) => alphabet[byte] as string),
    count,
  }));
}

/** Counts of neighbouring symbols, kept up to date by the words that hold them. */
class PairIndex {
  readonly #counts = new Map<string, number>();
  readonly #holders = new Map<string, Set<Word>>();

  constructor(words: readonly Word[]) {
    for (const word of words) this.#count(word, 1);
  }

  #count(word: Word, sign: 1 | -1): void {
    for (let i = 1; i < word.symbols.length; i++) {
      // No symbol holds a space: the byte 32 has another stand-in.
      const pair = `${word.symbols[i - 1]} ${word.symbols[i]}`;
      const count = (this.#counts.get(pair) ?? 0) + sign * word.count;
      if (count > 0) this.#counts.set(pair, count);
      else this.#counts.delete(pair);
      const holders = this.#holders.get(pair) ?? new Set();
      holders.add(word);
      this.#holders.set(pair, holders);
    }
  }

  best(): [string, string] | undefined {
    let best: string | undefined;
    let most = 1;
    for (const [pair, count] of this.#counts)
      if (count > most || (count === most && best !== undefined && pair < best)) [best, most] = [pair, count];
    return best?.split(" ") as [string, string] | undefined;
  }

  merge([left, right]: [string, string]): void {
    const pair = `${left} ${right}`;
    for (const word of this.#holders.get(pair) ?? []) {
      this.#count(word, -1);
      const merged: string[] = [];
      for (let i = 0; i < word.symbols.length; i++) {
        const joins = word.symbols[i] === left && word.symbols[i + 1] === right;
        merged.push(joins ? left + right : (word.symbols[i] as string));
        if (joins) i++;
      }
      word.symbols = merged;
      this.#count(word, 1);
    }
    this.#counts.delete(pair);
    this.#holders.delete(pair);
  }
}

function tokenizerJson(tokens: readonly string[], merges: readonly [string, string][]) {
  const byteLevel = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
  const special = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [{ id: 0, content: tokens[0], ...special }],
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: merges.map((pair) => pair.join(" ")),
    },
  };
}
