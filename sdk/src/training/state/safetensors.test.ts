import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../records/index.ts";
import { decodeSafetensors, encodeSafetensorsHeader } from "./safetensors.ts";

const tensors = [
  { name: "b", dtype: "F32", shape: [2, 3] },
  { name: "a", dtype: "I32", shape: [1] },
] as const;

function file(header: unknown, dataBytes: number): Uint8Array {
  const json = new TextEncoder().encode(canonicalJson(header));
  const bytes = new Uint8Array(8 + json.length + dataBytes);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  return bytes;
}

describe("safetensors", () => {
  it("writes one header for one content: sorted, padded to eight bytes, whatever the order of the metadata", () => {
    const header = encodeSafetensorsHeader(tensors, { z: "1", y: "2" });
    expect(encodeSafetensorsHeader(tensors, { y: "2", z: "1" })).toEqual(header);
    expect(header.length % 8).toBe(0);
    const text = new TextDecoder().decode(header.subarray(8));
    expect(text.trimEnd()).toBe(
      '{"__metadata__":{"y":"2","z":"1"},"a":{"data_offsets":[24,28],"dtype":"I32","shape":[1]},"b":{"data_offsets":[0,24],"dtype":"F32","shape":[2,3]}}',
    );
  });

  it("reads what it wrote", () => {
    const bytes = new Uint8Array([...encodeSafetensorsHeader(tensors, { y: "2" }), ...new Uint8Array(28)]);
    const read = decodeSafetensors(bytes);
    expect(read.metadata).toEqual({ y: "2" });
    expect(Object.fromEntries(read.tensors)).toEqual({
      b: { dtype: "F32", shape: [2, 3], offset: 0, bytes: 24 },
      a: { dtype: "I32", shape: [1], offset: 24, bytes: 4 },
    });
    expect(read.data.length).toBe(28);
  });

  const entry = (from: number, to: number, shape = [(to - from) / 4], dtype = "F32") => ({
    dtype,
    shape,
    data_offsets: [from, to],
  });
  it.each([
    ["too short", new Uint8Array(5)],
    ["a header longer than the file", new Uint8Array([255, 0, 0, 0, 0, 0, 0, 0, 1])],
    ["a header of 2^56 bytes", new Uint8Array([0, 0, 0, 0, 0, 0, 0, 1])],
    ["no JSON", new Uint8Array([1, 0, 0, 0, 0, 0, 0, 0, 0x7b])],
    ["an array for a header", file([1], 0)],
    ["metadata that is no text", file({ __metadata__: { a: 1 } }, 0)],
    ["an entry without a shape", file({ a: { dtype: "F32", data_offsets: [0, 4] } }, 4)],
    ["a negative size", file({ a: entry(0, 4, [-1]) }, 4)],
    ["an unknown type", file({ a: entry(0, 4, [1], "Q4") }, 4)],
    ["a type named like a part of objects", file({ a: entry(0, 4, [1], "constructor") }, 4)],
    ["a shape of another size", file({ a: entry(0, 4, [2]) }, 4)],
    ["a gap", file({ a: entry(0, 4), b: entry(8, 12) }, 12)],
    ["an overlap", file({ a: entry(0, 8), b: entry(4, 12) }, 12)],
    ["data missing", file({ a: entry(0, 8) }, 4)],
    ["data left over", file({ a: entry(0, 8) }, 12)],
  ])("refuses %s", (_, bytes) => {
    expect(() => decodeSafetensors(bytes)).toThrow(expect.objectContaining({ code: "BAD_SAFETENSORS" }));
  });
});
