import { describe, expect, it } from "vitest";
import { tinyJob } from "../training/testing/tinyJob.ts";
import { canonicalJson } from "./canonicalJson.ts";
import { encodeJobSpec, type JobSpec, parseJobSpec, specHash } from "./jobSpec.ts";
import { sha256Hex } from "./sha256.ts";

const { spec } = tinyJob();
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("job spec", () => {
  it("survives its bytes, and is named by their SHA-256", () => {
    const bytes = encodeJobSpec(spec);
    expect(parseJobSpec(bytes)).toEqual(spec);
    expect(specHash(spec)).toBe(sha256Hex(bytes));
  });

  it("has one form: any other way to write it is refused", () => {
    const text = canonicalJson(spec);
    expect(() => parseJobSpec(bytesOf(`${text} `))).toThrow(/canonical form/);
    expect(() => parseJobSpec(bytesOf(JSON.stringify(spec)))).toThrow(/canonical form/);
    expect(() => parseJobSpec(bytesOf(text.replace('"seed":11', '"seed":11.0')))).toThrow(/canonical form/);
  });

  it.each<[string, (spec: JobSpec) => unknown, RegExp]>([
    ["a missing field", ({ title: _, ...rest }) => rest, /title/],
    ["a field too many", (s) => ({ ...s, script: "rm" }), /script/],
    ["a grain that does not divide the batch", (s) => ({ ...s, grain: 32 }), /grain: must be a power of two/],
    ["a grain that is no power of two", (s) => ({ ...s, grain: 12 }), /grain/],
    ["a batch of one", (s) => ({ ...s, training: { ...s.training, batch: 1 } }), /training\.batch/],
    [
      "a trace longer than a checkpoint",
      (s) => ({ ...s, checkpoint: { interval: 5, traceInterval: 6 } }),
      /traceInterval/,
    ],
    ["heads that do not divide the width", (s) => ({ ...s, model: { ...s.model, heads: 3 } }), /multiple of heads/],
    [
      "an unknown architecture",
      (s) => ({ ...s, model: { ...s.model, architecture: "resnet" } }),
      /model\.architecture/,
    ],
    ["a hash in upper case", (s) => ({ ...s, graphHash: s.graphHash.toUpperCase() }), /graphHash/],
    ["a learning rate that is no number", (s) => ({ ...s, training: { ...s.training, seed: null } }), /training\.seed/],
  ])("refuses %s by name", (_, change, message) => {
    const bytes = bytesOf(canonicalJson(change(spec)));
    expect(() => parseJobSpec(bytes)).toThrow(
      expect.objectContaining({ code: "BAD_JOB_SPEC", message: expect.stringMatching(message) }),
    );
  });

  it.each([
    ["no JSON", "{"],
    ["no UTF-8", "\ufffd"],
    ["too long", `"${"x".repeat(1 << 20)}"`],
  ])("refuses bytes that are %s", (name, text) => {
    const bytes = name === "no UTF-8" ? Uint8Array.of(0xff, 0xfe) : bytesOf(text);
    expect(() => parseJobSpec(bytes)).toThrow(expect.objectContaining({ code: "BAD_JOB_SPEC" }));
  });
});
