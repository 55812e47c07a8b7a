import { describe, expect, it } from "vitest";
import { encodeSafetensorsHeader } from "../state/safetensors.ts";
import { TINY_ENCODER, tinyData } from "../testing/tinyJob.ts";
import { checkDataset } from "./checkDataset.ts";
import { type Dataset, decodeDataset, encodeDataset, labelledTokens } from "./dataset.ts";
import { groupedSplit } from "./groupedSplit.ts";
import { hashedWords, splitWords } from "./hashedWords.ts";

const table: Dataset = {
  format: "table",
  examples: 2,
  columns: {
    features: { dtype: "float32", width: 3, data: Float32Array.of(1, 2, 3, 4, 5, 6) },
    labels: { dtype: "int32", width: 1, data: Int32Array.of(0, 1) },
  },
};
const tokens: Dataset = {
  format: "tokens",
  examples: 2,
  columns: { tokens: { dtype: "int32", width: 4, data: Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8) } },
};

describe("data set", () => {
  it.each([
    ["labelled tokens", tinyData(20, 3)],
    ["a table", table],
    ["tokens", tokens],
  ])("of %s survives its bytes, also at an odd place in memory", (_, data) => {
    const file = encodeDataset(data);
    const shifted = new Uint8Array(file.length + 1);
    shifted.set(file, 1);
    expect(decodeDataset(file)).toEqual(data);
    expect(decodeDataset(shifted.subarray(1))).toEqual(data);
  });

  it("masks what is padding, and cuts what is too long", () => {
    const data = labelledTokens(
      [
        { ids: [1, 9], label: 0 },
        { ids: [1, 2, 3, 4, 5], label: 1 },
      ],
      4,
    );
    expect(data.columns.ids?.data).toEqual(Int32Array.of(1, 9, 0, 0, 1, 2, 3, 4));
    expect(data.columns.mask?.data).toEqual(Float32Array.of(1, 1, 0, 0, 1, 1, 1, 1));
  });

  it("refuses examples without a token", () => {
    expect(() => labelledTokens([{ ids: [], label: 0 }], 4)).toThrow(/Example 0 has 0 tokens/);
  });

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty", "", "tables", undefined])(
    "refuses the unknown kind %s",
    (kind) => {
      const header = encodeSafetensorsHeader([{ name: "tokens", dtype: "I32", shape: [1, 1] }], {
        format: "gpuchain-dataset/1",
        ...(kind !== undefined && { kind }),
      });
      const file = new Uint8Array(header.length + 4);
      file.set(header);
      expect(() => decodeDataset(file)).toThrow(expect.objectContaining({ code: "BAD_DATASET" }));
    },
  );

  it("refuses a checkpoint, and columns of other types", () => {
    expect(() => decodeDataset(new Uint8Array(3))).toThrow(expect.objectContaining({ code: "BAD_SAFETENSORS" }));
    const file = encodeDataset(table);
    const text = new TextDecoder("latin1").decode(file);
    const patched = file.slice();
    patched.set(new TextEncoder().encode("I32"), text.indexOf("F32"));
    expect(() => decodeDataset(patched)).toThrow(/"features" is I32/);
    const renamed = file.slice();
    renamed.set(new TextEncoder().encode("tunes"), text.indexOf("table"));
    expect(() => decodeDataset(renamed)).toThrow(expect.objectContaining({ code: "BAD_DATASET" }));
  });
});

describe("checkDataset", () => {
  it("accepts what fits", () => {
    expect(() => checkDataset(TINY_ENCODER, tinyData(20, 3))).not.toThrow();
  });

  it.each([
    ["a token outside the vocabulary", { ids: [1, 64], label: 0 }, /Example 1: ids 64/],
    ["a negative token", { ids: [-1], label: 0 }, /Example 1: ids -1/],
    ["a label without a class", { ids: [1], label: 3 }, /Example 1: labels 3/],
  ])("refuses %s", (_, example, message) => {
    const data = labelledTokens([{ ids: [1], label: 0 }, example], 12);
    expect(() => checkDataset(TINY_ENCODER, data)).toThrow(message);
  });

  it("refuses another width, another format, a number that is not finite", () => {
    expect(() => checkDataset(TINY_ENCODER, labelledTokens([{ ids: [1], label: 0 }], 11))).toThrow(/"ids" \[12\]/);
    expect(() => checkDataset(TINY_ENCODER, table)).toThrow(/does not hold/);
    const model = { architecture: "mlp", inputs: 3, hidden: [4], classes: 2 } as const;
    expect(() => checkDataset({ ...model, hidden: [4] }, table)).not.toThrow();
    const features = { dtype: "float32", width: 3, data: Float32Array.of(1, 2, 3, 4, Number.NaN, 6) } as const;
    const broken = { ...table, columns: { ...table.columns, features } };
    expect(() => checkDataset({ ...model, hidden: [4] }, broken)).toThrow(/Example 1: features 1 is not finite/);
  });
});

describe("hashed words", () => {
  it("stays within its vocabulary and sequence, and starts every text alike", () => {
    const ids = hashedWords("Buy NOW, 50% off!", 64, 5);
    expect(ids.length).toBe(5);
    expect(ids[0]).toBe(1);
    expect(Math.min(...ids.slice(1))).toBeGreaterThanOrEqual(2);
    expect(Math.max(...ids)).toBeLessThan(64);
    expect(hashedWords("buy now", 64, 5).slice(0, 3)).toEqual(ids.slice(0, 3));
    expect(hashedWords("", 64, 5)).toEqual([1]);
  });

  it("splits words, numbers and the marks that tell", () => {
    expect(splitWords("Grüße, 100 Euro: $5.30!!")).toEqual(["grüße", "0", "euro", "$", "0", "0", "!", "!"]);
    expect(splitWords("one two three", 2)).toEqual(["one", "two"]);
    expect(splitWords("one two", 0)).toEqual([]);
  });
});

describe("groupedSplit", () => {
  const examples = Array.from({ length: 100 }, (_, i) => ({ id: i, group: `g${i % 30}` }));

  it("keeps groups whole, loses nothing, and is the same for a seed", () => {
    const { train, heldOut } = groupedSplit(examples, ({ group }) => group, 25, 3);
    const groups = new Set(heldOut.map(({ group }) => group));
    expect(train.some(({ group }) => groups.has(group))).toBe(false);
    expect(train.length + heldOut.length).toBe(100);
    expect(heldOut.length).toBeGreaterThanOrEqual(25);
    expect(heldOut.length).toBeLessThan(30);
    expect(groupedSplit(examples, ({ group }) => group, 25, 3).heldOut).toEqual(heldOut);
    expect(groupedSplit(examples, ({ group }) => group, 25, 4).heldOut).not.toEqual(heldOut);
  });

  it("takes a group of any size", () => {
    const many = Array.from({ length: 300_000 }, (_, i) => Math.min(i, 100));
    const { train, heldOut } = groupedSplit(many, String, 10, 1);
    expect(train.length + heldOut.length).toBe(300_000);
  });
});
