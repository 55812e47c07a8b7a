import { encodeJobSpec, type Hex, type JobSpec, sha256Hex } from "../../records/index.ts";
import { TrainingError } from "../errors.ts";
import { buildGraphs, type Graphs } from "./buildGraphs.ts";

/** All that follows from a job spec alone: what every other function of the training program is given. */
export interface Program extends Graphs {
  readonly spec: JobSpec;
  readonly specHash: Hex;
  /** examples that run at one shape: the grain of a canonical job; native jobs may split the batch otherwise */
  readonly unit: number;
}

/** Examples of the hashed `grad` graph: the grain of a canonical job, the batch of a native one. */
export const unitOf = (spec: Pick<JobSpec, "class" | "grain" | "training">): number =>
  spec.class === "canonical" ? spec.grain : spec.training.batch;

/**
 * Builds a job's training program and checks that its graphs are the ones that the spec names.
 *
 * @throws TrainingError `GRAPH_MISMATCH` when another version of the training program wrote the spec
 */
export function createProgram(spec: JobSpec): Program {
  const unit = unitOf(spec);
  const graphs = buildGraphs(spec.model, spec.training.optimizer, unit);
  if (graphs.graphHash !== spec.graphHash)
    throw new TrainingError(
      "GRAPH_MISMATCH",
      `The spec asks for the graphs ${spec.graphHash}; this version builds ${graphs.graphHash}. Use the version that posted the job.`,
    );
  return { ...graphs, spec, specHash: sha256Hex(encodeJobSpec(spec)), unit };
}
