import { z } from "zod";
import { sha256Hex } from "../../records/index.ts";
import {
  createTextTokenizer,
  type LabelledText,
  labelledTokens,
  packBaseWeights,
  readBertConfig,
} from "../../training/index.ts";
import { assemble, type BuiltJob, commonSettings, type JobFiles, size } from "./common.ts";
import { labelledTexts, splitTexts } from "./textJob.ts";

/** A text classifier: low-rank adapters and a head, trained on a frozen BERT or DistilBERT. */
export const loraJobSchema = z.strictObject({
  ...commonSettings("text-classification-lora"),
  data: labelledTexts,
  model: z.strictObject({
    /** A Hugging Face folder with config.json, model.safetensors and tokenizer.json. */
    base: z.string(),
    sequence: size(64),
    rank: size(8),
    alpha: z.number().positive().default(16),
    targets: z
      .array(z.enum(["q", "k", "v", "o"]))
      .min(1)
      .default(["q", "v"]),
  }),
});

/** Spec and blobs of a LoRA job: base weights and tokenizer go along. */
export function buildLoraJob(job: z.output<typeof loraJobSchema>, files: JobFiles): BuiltJob {
  const { base: folder, ...adapters } = job.model;
  const { split, labels, notes } = splitTexts(job, files);
  const sizes = readBertConfig(files.text(`${folder}/config.json`));
  const base = new Uint8Array(packBaseWeights(sizes, files.bytes(`${folder}/model.safetensors`)).buffer);
  const tokenizerFile = files.bytes(`${folder}/tokenizer.json`);
  const tokenizer = createTextTokenizer(new TextDecoder().decode(tokenizerFile));
  const encode = (texts: readonly LabelledText[]) =>
    labelledTokens(
      texts.map(({ text, label }) => ({ ids: tokenizer.encode(text, adapters.sequence), label })),
      adapters.sequence,
    );
  const built = assemble(job, {
    model: {
      ...{ architecture: "bert-lora", ...sizes, ...adapters, classes: labels.length },
      baseWeights: { sha256: sha256Hex(base), bytes: base.length },
    },
    train: encode(split.train),
    heldOut: encode(split.heldOut),
    tokenizer: { name: "huggingface", file: { sha256: sha256Hex(tokenizerFile), bytes: tokenizerFile.length } },
    labels,
    blobs: [base, tokenizerFile],
  });
  const { family, layers, width } = sizes;
  return { ...built, notes: [...notes, `${family} of ${layers} layers, width ${width}, frozen: ${folder}`] };
}
