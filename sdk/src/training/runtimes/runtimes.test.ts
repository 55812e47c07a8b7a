import { describe, expect, it } from "vitest";
import { GraphBuilder } from "../graph/builder.ts";
import { reduce } from "../graph/primitives.ts";
import { createNativeRuntime } from "./native.ts";
import { createWasmRuntime } from "./wasm.ts";

const TERA = 2 ** 40;

/** A graph that needs a tensor of 2⁴⁰ floats on the way. */
function hungryGraph(): Uint8Array {
  const g = new GraphBuilder("hungry");
  const a = g.input("a", "float32", [1]);
  const wide = g.node("Expand", [a, g.indices([TERA])], [TERA]);
  g.output("sum", reduce(g, "ReduceSum", wide, [0], false));
  return g.encode();
}

/** `double` = 2a, as a graph. */
function doubling(size: number): Uint8Array {
  const g = new GraphBuilder("double");
  const a = g.input("a", "float32", [size]);
  g.output("double", g.node("Add", [a, a], [size]));
  return g.encode();
}

const tensor = (...values: number[]) =>
  ({ dtype: "float32", shape: [values.length], data: Float32Array.from(values) }) as const;

describe.each([
  ["native", () => createNativeRuntime({ threads: 1 })],
  ["wasm", () => createWasmRuntime({ threads: 1 })],
] as const)("the %s runtime", (name, create) => {
  it("says who it is", () => {
    expect(create()).toMatchObject({ name, threads: 1 });
  });

  it("writes outputs where it is told to", async () => {
    const session = await create().createSession(doubling(3));
    const into = tensor(0, 0, 0);
    const outputs = await session.run({ a: tensor(1, 2, 3) }, { double: into });
    expect(outputs.double).toBe(into);
    expect([...into.data]).toEqual([2, 4, 6]);
    expect([...((await session.run({ a: tensor(4, 5, 6) })).double?.data ?? [])]).toEqual([8, 10, 12]);
    await session.release();
  });

  it("tells an exhausted memory from other failures, and works on", async () => {
    const runtime = create();
    const attempt = async () => {
      const session = await runtime.createSession(hungryGraph());
      return session.run({ a: tensor(1) });
    };
    await expect(attempt()).rejects.toMatchObject({ code: "OUT_OF_MEMORY", retryable: true });
    const session = await runtime.createSession(doubling(1));
    expect((await session.run({ a: tensor(21) })).double?.data[0]).toBe(42);
    await session.release();
  });

  it("refuses bytes that are no graph, and inputs of another shape", async () => {
    const runtime = create();
    await expect(runtime.createSession(Uint8Array.of(1, 2, 3))).rejects.toMatchObject({ code: "RUNTIME_FAILED" });
    const session = await runtime.createSession(doubling(3));
    await expect(session.run({ a: tensor(1) })).rejects.toMatchObject({ code: "RUNTIME_FAILED", retryable: false });
    await expect(session.run({})).rejects.toMatchObject({ code: "RUNTIME_FAILED" });
    await session.release();
  });
});
