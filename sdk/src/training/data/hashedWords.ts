/** Ids below this are reserved: 0 padding, 1 start of text. */
const RESERVED = 2;
export const START = 1;

/** FNV-1a over UTF-16 code units with a finishing mix: integer arithmetic only. */
function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/**
 * Lower-case words, one mark for every number, and the marks that tell something of a text's tone. Commas and the like are left out: they
 * would take the places of words in a short sequence.
 *
 * @param most words after which it stops
 */
export function splitWords(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const plain = text.toLowerCase().replace(/\p{Nd}+/gu, "0");
  const words: string[] = [];
  // One by one: of a text of any length only its first words are looked for.
  for (const [word] of plain.matchAll(/[\p{L}\p{M}]+|0|[!?$€£%]/gu)) {
    if (words.length >= most) break;
    words.push(word);
  }
  return words;
}

/**
 * Tokenises by hashing each word into one of `vocabulary` buckets: there is no vocabulary file to ship, agree on or leak.
 *
 * @returns at most `sequence` ids, the first being the start of text
 */
export function hashedWords(text: string, vocabulary: number, sequence: number): number[] {
  const ids = splitWords(text, sequence - 1).map((word) => RESERVED + (hashWord(word) % (vocabulary - RESERVED)));
  return [START, ...ids];
}
