import { multiplyHigh, randomWords } from "./philox.ts";

/**
 * A permutation of `0 … n − 1` as a pure function of (seed, stream, substream): Fisher–Yates, each draw from its own counter.
 * Scaling a 32-bit word to the range by its high product has a bias of at most n / 2³², the same on every machine.
 */
export function permutation(n: number, seed: number, stream: number, substream: number): Uint32Array {
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  const word = randomWords(seed, stream, substream);
  for (let i = n - 1; i > 0; i--) {
    const j = multiplyHigh(word(i), i + 1);
    const swapped = order[i] as number;
    order[i] = order[j] as number;
    order[j] = swapped;
  }
  return order;
}
