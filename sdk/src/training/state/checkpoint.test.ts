import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../records/index.ts";
import { noise } from "../testing/checkGradients.ts";
import { tinyJob } from "../testing/tinyJob.ts";
import { assertFinite } from "./assertFinite.ts";
import { decodeCheckpoint, encodeCheckpoint, readCheckpointMeta, stateHash } from "./checkpoint.ts";
import { initialState } from "./initialState.ts";
import { decodeSafetensors } from "./safetensors.ts";

const { program, spec } = tinyJob();
const { size, entries } = program.layout;
const state = { step: 7, params: noise(size, 1), m: noise(size, 2), v: noise(size, 3).map(Math.abs) };
const file = encodeCheckpoint(program, state);

describe("checkpoint", () => {
  it("survives its file, also at an odd place in memory", () => {
    expect(decodeCheckpoint(program, file)).toEqual(state);
    const shifted = new Uint8Array(file.length + 1);
    shifted.set(file, 1);
    expect(decodeCheckpoint(program, shifted.subarray(1))).toEqual(state);
  });

  it("is named by the SHA-256 of its bytes, found without writing them", () => {
    expect(stateHash(program, state)).toBe(sha256Hex(file));
  });

  it("is a safetensors file that names every tensor", () => {
    const { tensors, data } = decodeSafetensors(file);
    expect(tensors.size).toBe(3 * entries.length);
    const info = tensors.get("head.output.weight");
    const entry = entries.find(({ name }) => name === "head.output.weight");
    expect(info?.shape).toEqual([16, 3]);
    const values = new Float32Array(data.slice(info?.offset, (info?.offset ?? 0) + (info?.bytes ?? 0)).buffer);
    expect(values).toEqual(state.params.subarray(entry?.offset, (entry?.offset ?? 0) + (entry?.size ?? 0)));
  });

  it("says of itself all it takes to go on", () => {
    expect(readCheckpointMeta(file)).toEqual({
      specHash: program.specHash,
      graphHash: spec.graphHash,
      step: 7,
      cursor: 7 * 16,
      rngCounter: 0,
    });
  });

  it("refuses the checkpoint of another job", () => {
    const other = tinyJob({ training: { seed: 12 } }).program;
    expect(() => decodeCheckpoint(other, file)).toThrow(/specHash/);
  });

  it("refuses one that lacks bytes", () => {
    expect(() => decodeCheckpoint(program, file.subarray(0, -12))).toThrow(
      expect.objectContaining({ code: "BAD_SAFETENSORS" }),
    );
  });

  it("refuses one whose header is not canonical: the same content must not have two hashes", () => {
    const length = Number(new DataView(file.buffer).getBigUint64(0, true));
    const padded = new Uint8Array(file.length + 8).fill(0x20);
    padded.set(file.subarray(0, 8 + length));
    padded.set(file.subarray(8 + length), 16 + length);
    new DataView(padded.buffer).setBigUint64(0, BigInt(length + 8), true);
    expect(decodeSafetensors(padded).tensors.size).toBe(3 * entries.length);
    expect(() => decodeCheckpoint(program, padded)).toThrow(expect.objectContaining({ code: "LAYOUT_MISMATCH" }));
    const edited = file.slice();
    edited.set(new TextEncoder().encode('"cursor":"113"'), new TextDecoder().decode(file).indexOf('"cursor":"112"'));
    expect(() => decodeCheckpoint(program, edited)).toThrow(expect.objectContaining({ code: "BAD_CHECKPOINT" }));
  });

  it.each(["params", "m", "v"] as const)("finds a number in %s that is not finite, and names its tensor", (vector) => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const broken = { ...state, [vector]: state[vector].slice() };
      broken[vector][size - 1] = value;
      expect(() => assertFinite(program, broken)).toThrow(/head\.output\.bias/);
    }
    expect(() => assertFinite(program, state)).not.toThrow();
  });
});

describe("initial state", () => {
  it("is a pure function of the spec", () => {
    const hash = stateHash(program, initialState(program));
    expect(stateHash(program, initialState(tinyJob().program))).toBe(hash);
    expect(initialState(tinyJob({ training: { seed: 12 } }).program).params).not.toEqual(initialState(program).params);
  });

  it("draws weights with the deviation that their layer asks for", () => {
    const { params } = initialState(program);
    const entry = entries.find(({ name }) => name === "layer.0.feedForward.down.weight");
    const values = params.subarray(entry?.offset, (entry?.offset ?? 0) + (entry?.size ?? 0));
    const deviation = Math.sqrt(values.reduce((sum, x) => sum + x * x, 0) / values.length);
    expect(deviation).toBeCloseTo(1 / Math.sqrt(32), 1);
    expect(Math.max(...values)).toBeLessThanOrEqual(Math.sqrt(3 / 32));
  });
});
