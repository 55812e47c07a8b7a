import { type ModelDescription, sha256Hex } from "@gpuchain/sdk/records";
import { hashedWords, labelledTokens } from "@gpuchain/sdk/training";
import { spamMails } from "./spamMails.ts";
import { randomBase, type TemplateWorkload, templateJob } from "./templates.ts";

const VOCABULARY = 30_522;
const SEQUENCE = 64;
const BATCH = 8;
const SIZES = { layers: 6, width: 768, heads: 12, feedForward: 3072, vocabulary: VOCABULARY, sequence: SEQUENCE };

/**
 * A job of DistilBERT's size (66M weights) on the mails: every weight trained, or adapters over a frozen base. The weights are random, which
 * changes nothing of what a step costs.
 */
export function distilbertWorkload(kind: "full" | "lora", batch = BATCH): TemplateWorkload {
  const mails = spamMails().filter((_, i) => i % 12 === 0);
  const data = labelledTokens(
    mails.map(({ text, label }) => ({ ids: hashedWords(text, VOCABULARY, SEQUENCE), label })),
    SEQUENCE,
  );
  const shared = { train: data, heldOut: data, steps: 100, peak: 5e-5, batch };
  if (kind === "full") {
    const model: ModelDescription = { architecture: "encoder", ...SIZES, classes: 2 };
    return templateJob({ ...shared, template: "text-classification", model });
  }
  const model: ModelDescription = {
    architecture: "bert-lora",
    family: "distilbert",
    ...SIZES,
    positions: 512,
    layerNormEpsilon: 1e-12,
    classes: 2,
    rank: 8,
    alpha: 16,
    targets: ["q", "v"],
    baseWeights: { sha256: sha256Hex(new Uint8Array()), bytes: 1 },
  };
  const job = templateJob({ ...shared, template: "text-classification-lora", model });
  return { ...job, base: randomBase(job.spec) };
}
