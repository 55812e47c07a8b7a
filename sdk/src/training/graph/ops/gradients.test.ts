import { describe, expect, it } from "vitest";
import type { HostTensor } from "../../runtimes/runtime.ts";
import { checkGradients, floats, noise } from "../../testing/checkGradients.ts";
import type { GraphBuilder, Value } from "../builder.ts";
import { gelu, relu, softmax, tanh } from "./activation.ts";
import { add, multiply, reshape, scale, slice, transpose } from "./arithmetic.ts";
import { crossEntropySum } from "./crossEntropy.ts";
import { embedding } from "./embedding.ts";
import { layerNorm } from "./layerNorm.ts";
import { linear, linearTransposed, matmul } from "./matrix.ts";

let seed = 0;
const random = (...shape: number[]) =>
  floats(
    shape,
    noise(
      shape.reduce((a, b) => a * b, 1),
      ++seed,
    ),
  );
const ints = (shape: number[], values: number[]): HostTensor => ({
  dtype: "int32",
  shape,
  data: Int32Array.from(values),
});

type Case = [string, Record<string, HostTensor>, (g: GraphBuilder, v: Record<string, Value>) => Value];
const two = (op: (g: GraphBuilder, a: Value, b: Value) => Value) => (g: GraphBuilder, v: Record<string, Value>) =>
  op(g, v.a as Value, v.b as Value);
const one = (op: (g: GraphBuilder, a: Value) => Value) => (g: GraphBuilder, v: Record<string, Value>) =>
  op(g, v.a as Value);

const cases: Case[] = [
  ["add", { a: random(2, 3), b: random(2, 3) }, two(add)],
  ["add, broadcast over a leading axis", { a: random(4, 2, 3), b: random(2, 3) }, two(add)],
  ["add, broadcast over an inner axis", { a: random(2, 3, 4), b: random(2, 1, 4) }, two(add)],
  ["multiply", { a: random(2, 3), b: random(2, 3) }, two(multiply)],
  ["multiply, broadcast both ways", { a: random(2, 1, 3), b: random(4, 1) }, two(multiply)],
  ["scale", { a: random(2, 3) }, one((g, a) => scale(g, a, -1.7))],
  ["reshape", { a: random(2, 6) }, one((g, a) => reshape(g, a, [3, 4]))],
  ["transpose", { a: random(2, 3, 4) }, one((g, a) => transpose(g, a, [2, 0, 1]))],
  ["slice", { a: random(3, 5, 2) }, one((g, a) => slice(g, a, 1, 1, 4))],
  [
    "linear",
    { x: random(3, 4), w: random(4, 2), bias: random(2) },
    (g, v) => linear(g, v.x as Value, v.w as Value, v.bias),
  ],
  [
    "linearTransposed",
    { x: random(3, 4), w: random(2, 4), bias: random(2) },
    (g, v) => linearTransposed(g, v.x as Value, v.w as Value, v.bias),
  ],
  ["matmul", { a: random(2, 3, 4), b: random(2, 4, 2) }, two(matmul)],
  ["matmul over two leading axes", { a: random(2, 2, 3, 2), b: random(2, 2, 2, 3) }, two(matmul)],
  ["gelu", { a: random(3, 4) }, one(gelu)],
  // No element within the step of a difference of ReLU's kink.
  ["relu", { a: floats([2, 3], Float32Array.of(-1, 0.5, 2, -0.3, 0.1, -0.05)) }, one(relu)],
  ["tanh", { a: random(3, 4) }, one(tanh)],
  ["softmax", { a: random(2, 3, 5) }, one(softmax)],
  [
    "layerNorm",
    { x: random(3, 8), gain: random(8), bias: random(8) },
    (g, v) => layerNorm(g, v.x as Value, v.gain as Value, v.bias as Value, 1e-5),
  ],
  [
    "embedding, with a repeated row",
    { table: random(5, 3), ids: ints([2, 3], [4, 0, 4, 1, 4, 2]) },
    (g, v) => embedding(g, v.table as Value, v.ids as Value),
  ],
  [
    "crossEntropySum",
    { logits: random(4, 3), labels: ints([4], [2, 0, 1, 1]) },
    (g, v) => crossEntropySum(g, v.logits as Value, v.labels as Value),
  ],
  ["a value used twice", { a: random(2, 3) }, one((g, a) => multiply(g, add(g, a, a), a))],
];

describe("gradients against finite differences", () => {
  it.each(cases)("%s", async (_, inputs, build) => {
    await checkGradients(inputs, build);
  });
});

describe("gradients worked by hand", () => {
  it("cross-entropy of equal logits: probability less target", async () => {
    const inputs = { logits: floats([1, 2], Float32Array.of(1, 1)), labels: ints([1], [0]) };
    const { logits } = await checkGradients(inputs, (g, v) => crossEntropySum(g, v.logits as Value, v.labels as Value));
    const weight = noise(1, 5)[0] as number;
    expect([...(logits ?? [])]).toEqual([Math.fround(-0.5 * weight), Math.fround(0.5 * weight)]);
  });

  it("GELU at zero: one half", async () => {
    const { a } = await checkGradients({ a: floats([1], Float32Array.of(0)) }, one(gelu));
    expect(a?.[0]).toBe(Math.fround(0.5 * (noise(1, 5)[0] as number)));
  });
});
