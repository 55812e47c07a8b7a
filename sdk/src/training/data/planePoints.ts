import type { Dataset } from "./dataset.ts";

const WIDTH = 8;

/**
 * A table whose answer is known, to try things out on: points in a box, the label says on which side of a plane each lies. The same
 * arguments give the same table everywhere.
 *
 * @param examples number of rows; each has 8 features in [-1, 1)
 * @param seed other rows for another number
 */
export function planePoints(examples: number, seed: number): Dataset {
  // A linear congruential generator is random enough for points in a box.
  let word = seed;
  const next = () => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return word / 2 ** 31 - 1;
  };
  const features = Float32Array.from({ length: examples * WIDTH }, next);
  const labels = Int32Array.from({ length: examples }, (_, i) => {
    const [a = 0, b = 0, c = 0] = features.subarray(i * WIDTH, i * WIDTH + 3);
    return a + 0.5 * b - c > 0 ? 1 : 0;
  });
  return {
    format: "table",
    examples,
    columns: {
      features: { dtype: "float32", width: WIDTH, data: features },
      labels: { dtype: "int32", width: 1, data: labels },
    },
  };
}
