/** Id of a job's checkpoint by its index in commit order, from 1; index 0 is genesis. */
export function checkpointIdOf(jobId: bigint, index: number): bigint {
  return (jobId << 32n) | BigInt(index);
}

/** Id of a job's initial state. */
export function genesisIdOf(jobId: bigint): bigint {
  return jobId << 32n;
}

/** The job of a checkpoint id. */
export function jobIdOf(checkpointId: bigint): bigint {
  return checkpointId >> 32n;
}

/** The index of a checkpoint id within its job, 0 for genesis. */
export function checkpointIndexOf(checkpointId: bigint): number {
  return Number(checkpointId & 0xffffffffn);
}
