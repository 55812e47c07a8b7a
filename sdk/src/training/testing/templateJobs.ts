import type { BertLoraModel, Template } from "../../records/index.ts";
import type { Dataset } from "../data/dataset.ts";
import { bertLora } from "../models/bertLora.ts";
import { layoutOf, tensorView } from "../models/layout.ts";
import { randomWords } from "../random/philox.ts";
import { noise } from "./checkGradients.ts";
import { type TinyJob, tinyJob } from "./tinyJob.ts";

/** A small job of each template on made-up data: the same bits on every machine, so that curves and gradients can be recorded. */
export type TemplateJob = TinyJob & { readonly base?: Float32Array };

const SCHEDULE = { name: "linear", peak: 3e-3, warmup: 10, floor: 0.05 } as const;
const training = { steps: 200, schedule: SCHEDULE };
const HASH = `0x${"00".repeat(32)}` as const;

export const BERT: BertLoraModel = {
  architecture: "bert-lora",
  family: "bert",
  layers: 1,
  width: 16,
  heads: 2,
  feedForward: 32,
  vocabulary: 64,
  positions: 12,
  layerNormEpsilon: 1e-12,
  sequence: 12,
  classes: 3,
  rank: 2,
  alpha: 4,
  targets: ["q", "k", "v", "o"],
  baseWeights: { sha256: HASH, bytes: 1 },
};

export const TEMPLATE_JOBS: Readonly<Record<Template, () => TemplateJob>> = {
  "text-classification": () => tinyJob({ training }),
  "text-classification-lora": () => ({
    ...tinyJob({
      template: "text-classification-lora",
      model: BERT,
      training: { ...training, schedule: { ...SCHEDULE, peak: 1e-2 } },
    }),
    base: randomBase(BERT),
  }),
  "language-model": () =>
    tinyJob({
      template: "language-model",
      model: { architecture: "decoder", layers: 1, width: 16, heads: 2, feedForward: 32, vocabulary: 32, sequence: 8 },
      train: periodicTokens(160, 3),
      heldOut: periodicTokens(40, 4),
      training: { ...training, schedule: { ...SCHEDULE, peak: 1e-2 } },
    }),
  mlp: () =>
    tinyJob({
      template: "mlp",
      model: { architecture: "mlp", inputs: 4, hidden: [16, 8], classes: 3 },
      train: bands(200, 5),
      heldOut: bands(60, 6),
      training,
    }),
};

/** Weights of a base model that nobody trained. */
export function randomBase(model: BertLoraModel): Float32Array {
  const layout = layoutOf(bertLora.frozen(model));
  const base = new Float32Array(layout.size);
  layout.entries.forEach((entry, i) => {
    const gain = /norm\.weight$/i.test(entry.name);
    tensorView(base, entry).set(noise(entry.size, 500 + i).map((x) => (gain ? 1 + 0.1 * x : 0.4 * x)));
  });
  return base;
}

/** Windows in which each token follows from the one before it, with a few that do not. */
function periodicTokens(examples: number, seed: number): Dataset {
  const width = 9;
  const word = randomWords(seed, 99, 1);
  const data = new Int32Array(examples * width);
  for (let i = 0; i < data.length; i++) {
    const random = word(i);
    const start = i % width === 0 || random % 16 === 0;
    data[i] = start ? (random >>> 8) % 32 : (5 * (data[i - 1] as number) + 3) % 32;
  }
  return { format: "tokens", examples, columns: { tokens: { dtype: "int32", width, data } } };
}

/** Points whose class is the band in which a mixture of their coordinates lies. */
function bands(examples: number, seed: number): Dataset {
  const data = noise(4 * examples, seed);
  const labels = Int32Array.from({ length: examples }, (_, i) => {
    const at = (j: number) => data[4 * i + j] as number;
    const value = at(0) * at(1) + 0.5 * at(2) - 0.3 * at(3);
    return value < -0.15 ? 0 : value < 0.15 ? 1 : 2;
  });
  return {
    format: "table",
    examples,
    columns: { features: { dtype: "float32", width: 4, data }, labels: { dtype: "int32", width: 1, data: labels } },
  };
}
