/**
 * The largest divisor of `batch` that is at most `cap`, and at least 2: a batch of one runs on other kernels, with other bits.
 * Where `batch` has no such divisor it is `batch` itself.
 */
export function largestDivisor(batch: number, cap: number): number {
  for (let size = Math.min(cap, batch); size >= 2; size--) if (batch % size === 0) return size;
  for (let size = 2; size < batch; size++) if (batch % size === 0) return size;
  return batch;
}
