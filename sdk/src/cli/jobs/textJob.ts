import { z } from "zod";
import {
  describeReport,
  hashedWords,
  type LabelledText,
  labelledTokens,
  readLabelledTexts,
} from "../../training/index.ts";
import {
  assemble,
  type BuiltJob,
  commonSettings,
  DEFAULTS,
  describeClasses,
  fitsHeads,
  heldOutShare,
  type JobFiles,
  MISFIT,
  reading,
  rowsOptions,
  rowsSettings,
  size,
  splitLabelled,
} from "./common.ts";

/** A file of labelled texts. */
export const labelledTexts = z.strictObject({
  ...rowsSettings,
  /** Column (or field) with the text, or several that make it up, in order. */
  text: z.union([z.string(), z.array(z.string()).min(1)]).default("text"),
  /** Column (or field) with the class. */
  label: z.string().default("label"),
  heldOut: heldOutShare(DEFAULTS["text-classification"].heldOut),
});

/** A text classifier trained from scratch. */
export const textJobSchema = z.strictObject({
  ...commonSettings("text-classification"),
  data: labelledTexts,
  model: z
    .strictObject({
      layers: size(2),
      width: size(128),
      heads: size(2),
      feedForward: size(512),
      vocabulary: z.int().min(16).default(4096),
      sequence: size(64),
    })
    .refine(fitsHeads, MISFIT)
    .prefault({}),
});

/** Spec and blobs of a text job. */
export function buildTextJob(job: z.output<typeof textJobSchema>, files: JobFiles): BuiltJob {
  const { model } = job;
  const { split, labels, notes } = splitTexts(job, files);
  const encode = (texts: readonly LabelledText[]) =>
    labelledTokens(
      texts.map(({ text, label }) => ({ ids: hashedWords(text, model.vocabulary, model.sequence), label })),
      model.sequence,
    );
  const built = assemble(job, {
    model: { architecture: "encoder", ...model, classes: labels.length },
    train: encode(split.train),
    heldOut: encode(split.heldOut),
    tokenizer: { name: "hashed-words", vocabulary: model.vocabulary },
    labels,
  });
  return { ...built, notes };
}

/** The labelled texts of a job, to train on and to judge by. */
export function splitTexts(
  { data, training }: { data: z.output<typeof labelledTexts>; training: { seed: number } },
  files: JobFiles,
) {
  const { examples, labels, report } = reading(data.file, () =>
    readLabelledTexts(files.text(data.file), { ...rowsOptions(data), label: data.label, texts: [data.text].flat() }),
  );
  const keyOf = (example: LabelledText) => example.text.trim().toLowerCase();
  const split = splitLabelled(data, { examples, labels, seed: training.seed }, keyOf);
  const notes = [
    describeReport(report),
    describeClasses(labels),
    `${split.train.length} texts to train on, ${split.heldOut.length} held out`,
  ];
  return { split, labels, notes };
}
