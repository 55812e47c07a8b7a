import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  AG_NEWS,
  decodeText,
  hashedWords,
  type LabelledText,
  labelledTokens,
  readLabelledTexts,
} from "@gpuchain/sdk/training";
import { root } from "../lib/root.ts";
import { type TemplateWorkload, templateJob } from "./templates.ts";

/** The corpus is for research only and no part of the product: it lies beside the repository where it lies at all. */
export const AG_NEWS_SAMPLE = join(root, "../shared/data/ag_news/sample.csv");

const VOCABULARY = 32_768;
const SEQUENCE = 64;
const TRAINED_ROWS = 3600;

/** `text-classification` from scratch on the first 3,600 rows of the sample, the last 2,000 held out; undefined where there is no sample. */
export async function agNewsWorkload(): Promise<TemplateWorkload | undefined> {
  if (!existsSync(AG_NEWS_SAMPLE)) return undefined;
  const { examples } = readLabelledTexts(await decodeText(readFileSync(AG_NEWS_SAMPLE)), AG_NEWS);
  const encode = (part: readonly LabelledText[]) =>
    labelledTokens(
      part.map(({ text, label }) => ({ ids: hashedWords(text, VOCABULARY, SEQUENCE), label })),
      SEQUENCE,
    );
  return templateJob({
    template: "text-classification",
    model: {
      architecture: "encoder",
      layers: 2,
      width: 128,
      heads: 2,
      feedForward: 512,
      vocabulary: VOCABULARY,
      sequence: SEQUENCE,
      classes: 4,
    },
    train: encode(examples.slice(0, TRAINED_ROWS)),
    heldOut: encode(examples.slice(TRAINED_ROWS)),
    labels: ["world", "sports", "business", "science and technology"],
    steps: 400,
    peak: 1e-3,
    warmup: 40,
    batch: 32,
  });
}
