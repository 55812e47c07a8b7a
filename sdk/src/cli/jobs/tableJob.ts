import { z } from "zod";
import { describeReport, readTable, standardisationOf, type TableRows, tableDataset } from "../../training/index.ts";
import {
  assemble,
  type BuiltJob,
  commonSettings,
  DEFAULTS,
  describeClasses,
  heldOutShare,
  type JobFiles,
  reading,
  rowsOptions,
  rowsSettings,
  splitLabelled,
} from "./common.ts";

/** A classifier of rows of numbers: a multi-layer perceptron. */
export const tableJobSchema = z.strictObject({
  ...commonSettings("mlp"),
  data: z.strictObject({
    ...rowsSettings,
    /** Columns of numbers, in the order in which the model takes them. */
    features: z
      .array(z.string())
      .min(1)
      .refine((names) => new Set(names).size === names.length, "must name each column once"),
    /** Column (or field) with the class. */
    label: z.string().default("label"),
    heldOut: heldOutShare(DEFAULTS.mlp.heldOut),
  }),
  model: z.strictObject({ hidden: z.array(z.int().min(1)).default([64, 32]) }).prefault({}),
});

/** Spec and blobs of a table job. The spec keeps how each column was standardised: whoever uses the model needs it. */
export function buildTableJob(job: z.output<typeof tableJobSchema>, files: JobFiles): BuiltJob {
  const { data, model, training } = job;
  const { rows, labels, report } = reading(data.file, () =>
    readTable(files.text(data.file), { ...rowsOptions(data), label: data.label, features: data.features }),
  );
  const keyOf = ({ values }: TableRows["rows"][number]) => values.join();
  const split = splitLabelled(data, { examples: rows, labels, seed: training.seed }, keyOf);
  const standard = standardisationOf(split.train);
  const built = assemble(job, {
    model: { architecture: "mlp", inputs: data.features.length, ...model, classes: labels.length },
    train: tableDataset(split.train, standard),
    heldOut: tableDataset(split.heldOut, standard),
    tokenizer: { name: "none" },
    labels,
    columns: data.features.map((name, i) => ({
      ...{ name, mean: standard.mean[i] as number, deviation: standard.deviation[i] as number },
    })),
  });
  const notes = [
    describeReport(report),
    describeClasses(labels),
    `${data.features.length} columns: ${data.features.join(", ")}`,
    `${split.train.length} rows to train on, ${split.heldOut.length} held out`,
  ];
  return { ...built, notes };
}
