import { describe, expect, it } from "vitest";
import { createTextTokenizer } from "../huggingface/textTokenizer.ts";
import { byteAlphabet, trainBytePairs } from "./trainBytePairs.ts";

const TEXT = "the cat sat on the mat; the other cat, that one, sat there.\n".repeat(20);

describe("trainBytePairs", () => {
  const json = trainBytePairs(TEXT, 280);
  const tokenizer = createTextTokenizer(json);

  it("learns pairs in order of frequency, ties by order, the same each time", () => {
    expect(trainBytePairs(TEXT, 280)).toBe(json);
    const { merges, vocab } = JSON.parse(json).model as { merges: string[]; vocab: Record<string, number> };
    expect(merges.slice(0, 3)).toEqual(["a t", "t h", "th e"]);
    // Every word is one token before the vocabulary is full; ids have no gap.
    const ids = Object.values(vocab).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: 276 }, (_, id) => id));
  });

  it.each(["the cat sat", "Grüße, 東京 🚀\n\tx", ""])("encodes any text without loss: %j", (text) => {
    expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
  });

  it("takes fewer tokens than bytes", () => {
    expect(tokenizer.encode(TEXT).length).toBeLessThan(TEXT.length / 2);
  });

  it("stops when no pair occurs twice", () => {
    expect(Object.keys(JSON.parse(trainBytePairs("ab cd", 1000)).model.vocab).length).toBe(257);
  });

  it("has a printable character for every byte", () => {
    expect(new Set(byteAlphabet()).size).toBe(256);
    expect(byteAlphabet()[32]).toBe("Ġ");
  });
});
