import { expect } from "vitest";
import { GraphBuilder, type Value } from "../graph/builder.ts";
import { reshape } from "../graph/ops/arithmetic.ts";
import { linear } from "../graph/ops/matrix.ts";
import { elements } from "../graph/primitives.ts";
import { randomWords } from "../random/philox.ts";
import { createNativeRuntime } from "../runtimes/native.ts";
import type { Feeds, HostTensor } from "../runtimes/runtime.ts";

/** Uniform numbers in [−1, 1), the same on every run. */
export function noise(size: number, seed: number): Float32Array {
  const word = randomWords(seed, 77, 0);
  return Float32Array.from({ length: size }, (_, i) => word(i) / 2 ** 31 - 1);
}

export const floats = (shape: readonly number[], data: Float32Array): HostTensor => ({ dtype: "float32", shape, data });

const H = 1e-2;

/**
 * Checks an operator's gradient by each float input against central differences, for every element. The operator's output is weighted by
 * random numbers and summed, so that each output element counts differently.
 *
 * @param inputs float32 inputs are differentiated, int32 inputs are not
 * @param kept also returned, for tests against hand-worked values
 */
export async function checkGradients(
  inputs: Readonly<Record<string, HostTensor>>,
  build: (g: GraphBuilder, values: Record<string, Value>) => Value,
): Promise<Record<string, Float32Array>> {
  const g = new GraphBuilder("check");
  const values = Object.fromEntries(
    Object.entries(inputs).map(([name, { dtype, shape }]) => [name, g.input(name, dtype, shape, dtype === "float32")]),
  );
  const output = build(g, values);
  const size = elements(output.shape);
  const weights = g.input("weights", "float32", [size, 1]);
  const loss = reshape(g, linear(g, reshape(g, output, [1, size]), weights), []);
  const trained = Object.keys(inputs).filter((name) => inputs[name]?.dtype === "float32");
  const gradients = g.gradients(
    loss,
    trained.map((name) => values[name] as Value),
  );
  g.output("loss", loss);
  gradients.forEach((gradient, i) => {
    if (gradient === undefined) throw new Error(`no gradient reaches ${trained[i]}`);
    expect(gradient.shape).toEqual(inputs[trained[i] as string]?.shape);
    g.output(`by_${trained[i]}`, gradient);
  });

  const session = await createNativeRuntime({ threads: 1 }).createSession(g.encode());
  const feeds: Feeds = { ...inputs, weights: floats([size, 1], noise(size, 5)) };
  const run = async (fed: Feeds) => session.run(fed);
  const lossOf = async (fed: Feeds) => (await run(fed)).loss?.data[0] as number;
  const analytic = await run(feeds);
  const result: Record<string, Float32Array> = {};
  for (const name of trained) {
    const { shape, data } = inputs[name] as { shape: readonly number[]; data: Float32Array };
    const gradient = analytic[`by_${name}`]?.data as Float32Array;
    result[name] = gradient;
    const scale = Math.max(0.1, ...gradient.map(Math.abs));
    for (let i = 0; i < data.length; i++) {
      const shifted = (by: number) => ({
        ...feeds,
        [name]: floats(
          shape,
          data.map((x, j) => (i === j ? x + by : x)),
        ),
      });
      const numeric = ((await lossOf(shifted(H))) - (await lossOf(shifted(-H)))) / (2 * H);
      expect(
        Math.abs((gradient[i] as number) - numeric) / scale,
        `${name}[${i}]: ${gradient[i]} against ${numeric}`,
      ).toBeLessThan(2e-3);
    }
  }
  await session.release();
  return result;
}
