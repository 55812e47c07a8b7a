import { z } from "zod";
import type { BuiltJob, JobFiles } from "./common.ts";
import { buildLanguageJob, languageJobSchema } from "./languageJob.ts";
import { buildLoraJob, loraJobSchema } from "./loraJob.ts";
import { buildTableJob, tableJobSchema } from "./tableJob.ts";
import { buildTextJob, textJobSchema } from "./textJob.ts";

/** The `job` of a job file, by its template. */
export const jobSchema = z.discriminatedUnion("template", [
  textJobSchema,
  loraJobSchema,
  languageJobSchema,
  tableJobSchema,
]);

/** Spec and blobs of a job. @param files what the job names */
export function buildJob(job: z.output<typeof jobSchema>, files: JobFiles): BuiltJob {
  switch (job.template) {
    case "text-classification":
      return buildTextJob(job, files);
    case "text-classification-lora":
      return buildLoraJob(job, files);
    case "language-model":
      return buildLanguageJob(job, files);
    case "mlp":
      return buildTableJob(job, files);
  }
}
