import { checkpointIndexOf, jobIdOf } from "../chain/index.ts";
import { GpuchainError } from "../daemon/errors.ts";

/** A checkpoint's id given together with the number of another job. */
export const ofOtherJob = (checkpointId: bigint, jobId: bigint): GpuchainError =>
  new GpuchainError("CHECKPOINT_OF_OTHER_JOB", `checkpoint ${checkpointId} is not one of job ${jobId}`, {
    hint: `it is checkpoint ${checkpointIndexOf(checkpointId)} of job ${jobIdOf(checkpointId)}`,
  });
