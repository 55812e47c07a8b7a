import { beforeAll, describe, expect, it } from "vitest";
import { createNativeRuntime } from "../runtimes/native.ts";
import type { Session } from "../runtimes/runtime.ts";
import { createWasmRuntime } from "../runtimes/wasm.ts";
import { floats, noise } from "../testing/checkGradients.ts";
import { tinyJob } from "../testing/tinyJob.ts";
import { adamw, biasCorrections, powerOf } from "./adamw.ts";
import { addInto, createVectorMemory } from "./vectorMemory.ts";

const { program, spec } = tinyJob();
const { optimizer } = spec.training;
const size = program.layout.size;

/** A state with the extremes that runs meet: zeros, denormals, huge and tiny second moments. */
function someState(seed: number) {
  const spread = (values: Float32Array, from: number) => values.map((x, i) => x * 10 ** (from + (i % 7)));
  const state = {
    params: noise(size, seed),
    m: spread(noise(size, seed + 1), -6),
    v: spread(noise(size, seed + 2), -12).map(Math.abs),
  };
  const gradSum = spread(noise(size, seed + 3), -4);
  state.v.fill(0, 0, 50);
  state.m.fill(0, 0, 100);
  gradSum.fill(0, 0, 30);
  state.v.fill(1e-40, 100, 110);
  return { ...state, gradSum };
}

describe.each([
  ["native", () => createNativeRuntime({ threads: 2 })],
  ["wasm", () => createWasmRuntime({ threads: 1 })],
] as const)("AdamW in TypeScript and the apply graph on %s", (_, runtime) => {
  let session: Session;
  beforeAll(async () => {
    session = await runtime().createSession(program.apply);
    return () => session.release();
  });

  it.each([1, 2, 17, 5000])("agree bit for bit at step %i", async (step) => {
    const { params, m, v, gradSum } = someState(step);
    const update = { scale: 1 / 16, learningRate: 7e-4, step };
    const corrections = biasCorrections(optimizer, step);
    const scalar = (value: number) => floats([], Float32Array.of(value));
    const outputs = await session.run({
      params: floats([size], params.slice()),
      m: floats([size], m.slice()),
      v: floats([size], v.slice()),
      gradSum: floats([size], gradSum),
      scale: scalar(update.scale),
      rate: scalar(update.learningRate),
      first: scalar(corrections.first),
      second: scalar(corrections.second),
    });
    adamw(params, m, v, gradSum, optimizer, update);
    expect(outputs.m2?.data).toEqual(m);
    expect(outputs.v2?.data).toEqual(v);
    expect(outputs.params2?.data).toEqual(params);
  });
});

describe("the WebAssembly kernels", () => {
  it.each([1, 17, 5000])("agree with TypeScript bit for bit at step %i", (step) => {
    const memory = createVectorMemory(size, 5);
    const placed = (values: Float32Array) => {
      const vector = memory.take();
      vector.set(values);
      return vector;
    };
    const { params, m, v, gradSum } = someState(step);
    const update = { scale: 1 / 16, learningRate: 7e-4, step };
    const state = { params: placed(params), m: placed(m), v: placed(v) };
    const gradient = placed(gradSum);
    memory.adamw(state, gradient, optimizer, update);
    adamw(params, m, v, gradSum, optimizer, update);
    expect(state).toEqual({ params, m, v });
    memory.add(gradient, state.params);
    addInto(gradSum, params);
    expect(gradient).toEqual(gradSum);
  });

  it.each([1, 3, 4, 5])("work on vectors of %i", (length) => {
    const memory = createVectorMemory(length, 2);
    const [a, b] = [memory.take().fill(1.5), memory.take().fill(2)];
    memory.add(a, b);
    expect([...a]).toEqual(Array(length).fill(3.5));
    expect([...b]).toEqual(Array(length).fill(2));
    expect(() => memory.take()).toThrow(expect.objectContaining({ code: "OUT_OF_MEMORY" }));
    memory.giveBack(b);
    expect(memory.take()).toBe(b);
  });
});

describe("AdamW", () => {
  it("moves the first step by the learning rate, against the gradient", () => {
    const [params, m, v] = [Float32Array.of(0, 0), new Float32Array(2), new Float32Array(2)];
    adamw(params, m, v, Float32Array.of(3, -5), optimizer, { scale: 1, learningRate: 0.01, step: 1 });
    expect(params[0]).toBeCloseTo(-0.01, 6);
    expect(params[1]).toBeCloseTo(0.01, 6);
  });

  it("raises to powers as multiplication does", () => {
    expect([powerOf(0.5, 0), powerOf(0.5, 1), powerOf(0.5, 10), powerOf(3, 5)]).toEqual([1, 0.5, 2 ** -10, 243]);
  });
});
