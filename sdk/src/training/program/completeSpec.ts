import { checkJobSpec, type JobSpec } from "../../records/index.ts";
import { buildGraphs } from "./buildGraphs.ts";
import { unitOf } from "./createProgram.ts";
import { estimateResources } from "./estimateResources.ts";

/** A job spec before its graphs are built. */
export type JobSpecDraft = Omit<JobSpec, "graphHash" | "resources">;

/**
 * Completes a draft with what follows from it: the hash of its graphs and what a step costs.
 *
 * @throws RecordError `BAD_JOB_SPEC` when the draft is not valid
 */
export function completeSpec(draft: JobSpecDraft): JobSpec {
  const { graphHash } = buildGraphs(draft.model, draft.training.optimizer, unitOf(draft));
  return checkJobSpec({ ...draft, graphHash, resources: estimateResources(draft) });
}
