const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9;
const W1 = 0xbb67ae85;

/** Upper 32 bits of the 64-bit product of two unsigned 32-bit integers. */
export function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const low = aLow * bLow;
  const middle = aHigh * bLow + (low >>> 16);
  const middle2 = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + Math.floor(middle / 0x10000) + (middle2 >>> 16)) >>> 0;
}

/** Names of the independent random streams of a job. */
export const STREAM = { initial: 1, order: 2, subset: 3, split: 4 } as const;

/**
 * Philox 4x32-10 (Salmon et al., 2011): four random words as a pure function of a 128-bit counter and a 64-bit key. Integer
 * arithmetic only, so every engine and CPU gives the same words; nothing is stateful, so a run can start at any step.
 *
 * @param counter four unsigned 32-bit words
 * @param key two unsigned 32-bit words
 */
export function philox(
  counter: readonly [number, number, number, number],
  key: readonly [number, number],
): [number, number, number, number] {
  let [c0, c1, c2, c3] = counter;
  let [k0, k1] = key;
  for (let round = 0; round < 10; round++) {
    const high0 = multiplyHigh(M0, c0);
    const low0 = Math.imul(M0, c0) >>> 0;
    const high1 = multiplyHigh(M1, c2);
    const low1 = Math.imul(M1, c2) >>> 0;
    c0 = (high1 ^ c1 ^ k0) >>> 0;
    c1 = low1;
    c2 = (high0 ^ c3 ^ k1) >>> 0;
    c3 = low0;
    k0 = (k0 + W0) >>> 0;
    k1 = (k1 + W1) >>> 0;
  }
  return [c0, c1, c2, c3];
}

/** The word at `index` of the stream (seed, stream, substream); words of a block are computed together and kept. */
export function randomWords(seed: number, stream: number, substream: number): (index: number) => number {
  let block = -1;
  let words: readonly number[] = [];
  return (index) => {
    const wanted = Math.floor(index / 4);
    if (wanted !== block) {
      words = philox([wanted >>> 0, Math.floor(wanted / 2 ** 32), substream, 0], [seed, stream]);
      block = wanted;
    }
    return words[index & 3] as number;
  };
}
