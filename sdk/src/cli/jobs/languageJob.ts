import { z } from "zod";
import { GpuchainError } from "../../daemon/index.ts";
import { sha256Hex } from "../../records/index.ts";
import { createTextTokenizer, type Dataset, tokenWindows, trainBytePairs } from "../../training/index.ts";
import {
  assemble,
  type BuiltJob,
  commonSettings,
  DEFAULTS,
  fitsHeads,
  heldOutShare,
  type JobFiles,
  MISFIT,
  size,
} from "./common.ts";

/** The tokenizer learns from this much of the text, characters: more changes little, and takes long. */
const TOKENIZER_SAMPLE = 500_000;

/** A language model trained from scratch on a plain text. */
export const languageJobSchema = z.strictObject({
  ...commonSettings("language-model"),
  data: z.strictObject({
    file: z.string().regex(/\.(txt|md)(\.gz)?$/i, "must end in .txt or .md, or in one of these and .gz"),
    heldOut: heldOutShare(DEFAULTS["language-model"].heldOut),
  }),
  model: z
    .strictObject({
      layers: size(2),
      width: size(128),
      heads: size(2),
      feedForward: size(512),
      /** The 256 bytes and an end mark, and what the tokenizer learns beyond them. */
      vocabulary: z.int().min(257).default(1024),
      sequence: size(64),
    })
    .refine(fitsHeads, MISFIT)
    .prefault({}),
});

/** Spec and blobs of a language-model job. The end of the text is held out; the tokenizer has not seen it. */
export function buildLanguageJob(job: z.output<typeof languageJobSchema>, files: JobFiles): BuiltJob {
  const { data, model } = job;
  const text = files.text(data.file);
  checkText(data.file, text);
  const cut = wordBoundary(text, Math.floor(text.length * (1 - data.heldOut)));
  const tokenizerJson = trainBytePairs(text.slice(0, Math.min(cut, TOKENIZER_SAMPLE)), model.vocabulary);
  const tokenizerFile = new TextEncoder().encode(tokenizerJson);
  const { encode } = createTextTokenizer(tokenizerJson);
  const windows = (part: "train" | "held-out", from: number, to: number): Dataset => {
    const tokens = encodePieces(encode, text.slice(from, to));
    // Two windows of a sequence and the token after each.
    if (tokens.length > 2 * model.sequence) return tokenWindows(tokens, model.sequence);
    throw new GpuchainError("BAD_DATASET", `the ${part} part of ${data.file} has only ${tokens.length} tokens`, {
      hint: `give a longer text, another heldOut share, or a sequence shorter than ${model.sequence}`,
    });
  };
  const train = windows("train", 0, cut);
  const heldOut = windows("held-out", cut, text.length);
  const built = assemble(job, {
    ...{ model: { architecture: "decoder", ...model }, train, heldOut, labels: [], blobs: [tokenizerFile] },
    tokenizer: { name: "huggingface", file: { sha256: sha256Hex(tokenizerFile), bytes: tokenizerFile.length } },
  });
  const notes = [
    `${text.length} characters`,
    `${train.examples} windows of ${model.sequence} tokens to train on, ${heldOut.examples} held out`,
    `guessing blindly scores ${Math.log(model.vocabulary).toFixed(2)} nats a token; less is better`,
  ];
  return { ...built, notes };
}

/** Longer texts and longer words than these would take all memory, or no end of time. */
const MAX_TEXT = 100_000_000;
const MAX_WORD = 10_000;

function checkText(file: string, text: string): void {
  if (text.length > MAX_TEXT)
    throw new GpuchainError("BAD_DATASET", `${file} holds more than ${MAX_TEXT} characters`, {
      hint: "give a part of it",
    });
  for (const [word] of text.matchAll(/\p{L}+|\p{N}+|[^\s\p{L}\p{N}]+/gu)) {
    if (word.length <= MAX_WORD) continue;
    throw new GpuchainError("BAD_DATASET", `${file} has a word of ${word.length} characters: "${word.slice(0, 40)}…"`, {
      hint: "is it a plain text?",
    });
  }
}

/** Characters that are encoded at once. */
const PIECE = 1_000_000;

/** A text's tokens as the tokenizer gives them for the whole, but with the memory of one piece: it is cut before single white space. */
export function encodePieces(encode: (text: string) => number[], text: string, size = PIECE): number[] {
  const tokens: number[] = [];
  const add = (piece: string) => {
    for (const token of encode(piece)) tokens.push(token);
  };
  let from = 0;
  for (const { index } of text.matchAll(/(?<=\S)\s(?=\S)/g)) {
    if (index - from < size) continue;
    add(text.slice(from, index));
    from = index;
  }
  add(text.slice(from));
  return tokens;
}

/** The first white space at or after a place, so that no word (and no surrogate pair) is cut in two. */
function wordBoundary(text: string, from: number): number {
  const found = text.slice(from).search(/\s/);
  return found < 0 ? text.length : from + found;
}
