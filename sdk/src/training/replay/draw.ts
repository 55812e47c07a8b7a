import { fromHex, type Hex, keccak256 } from "../../records/index.ts";
import { TrainingError } from "../errors.ts";
import { permutation } from "../random/permutation.ts";
import { STREAM } from "../random/philox.ts";

/**
 * Draws `count` different numbers below `n` from randomness that nobody knew before the commit (a block hash), in rising order. All
 * judges draw the same.
 *
 * @param purpose keeps draws from one block hash for different uses apart
 */
export function drawDistinct(randomness: Hex, purpose: "intervals" | "held-out", n: number, count: number): number[] {
  if (n < 1 || count < 1) throw new TrainingError("BAD_INPUT", `Cannot draw ${count} of ${n}.`);
  const seed = keccak256(fromHex(randomness, 32), new TextEncoder().encode(`gpuchain/draw/${purpose}`));
  const view = new DataView(seed.buffer, seed.byteOffset);
  const order = permutation(n, view.getUint32(0), STREAM.subset, view.getUint32(4));
  return [...order.subarray(0, Math.min(count, n))].sort((a, b) => a - b);
}
