import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { tokenWindows } from "../tokenWindows.ts";
import { csvRows } from "./csv.ts";
import { decodeText } from "./decodeText.ts";
import { jsonlRows } from "./jsonl.ts";
import { AG_NEWS, readLabelledTexts } from "./labelledTexts.ts";
import { useRows } from "./rows.ts";
import { readTable, standardisationOf, tableDataset } from "./table.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const csv = (text: string, header = false) =>
  [...csvRows(text, { header })].map((row) =>
    "broken" in row ? row : { line: row.line, fields: [...row.fields.values()] },
  );

describe("csvRows", () => {
  it.each<[string, string, (string[] | string)[]]>([
    [
      "plain fields",
      "a,b\nc,d\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["no line break at the end", "a,b", [["a", "b"]]],
    [
      "Windows line ends and a byte order mark",
      "\ufeffa,b\r\nc,d\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["quotes around separators, breaks and quotes", '"a,1","b\nb","say ""hi"""\n', [["a,1", "b\nb", 'say "hi"']]],
    [
      "empty fields and blank lines",
      ',""\n\n\nx,\n',
      [
        ["", ""],
        ["x", ""],
      ],
    ],
    ["a quote that is never closed", 'a,"b\nc,d\n', ["a quote is not closed", ["c", "d"]]],
    ["text after a closing quote", '"a"b,c\nd,e\n', ["text follows a closing quote", ["d", "e"]]],
  ])("reads %s", (_, text, expected) => {
    expect(csv(text).map((row) => ("broken" in row ? row.broken : row.fields))).toEqual(expected);
  });

  it("names the line on which a row begins", () => {
    expect(csv('a\n"b\nb"\n\nc\n').map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it("names columns by the header, and finds rows of another width", () => {
    const rows = [...csvRows("x,y\n1,2\n3\n", { header: true })];
    expect(rows).toEqual([
      {
        line: 2,
        fields: new Map([
          ["x", "1"],
          ["y", "2"],
        ]),
      },
      { line: 3, broken: "1 fields, the header names 2" },
    ]);
  });
});

describe("what would take all memory, or no end of time, is refused", () => {
  it("more columns than a job's spec names", () => {
    const rows = (columns: number) => csv(`${Array.from({ length: columns }, (_, i) => `c${i}`).join()}\n`, true);
    expect(rows(65_536)).toEqual([]);
    expect(() => rows(65_537)).toThrow(/Line 1 holds more than 65536 fields/);
    expect(() => csv(`a,b\n${",".repeat(70_000)}\n`, true)).toThrow(/Line 2 holds more/);
  });

  it("more classes than a job's spec names, in texts and in tables", () => {
    const each = (count: number) => `1,c\n${Array.from({ length: count }, (_, i) => `1,c${i}`).join("\n")}`;
    const texts = (count: number) =>
      readLabelledTexts(each(count), { file: { form: "csv", header: true }, label: "c", texts: ["1"] });
    expect(texts(10_000).labels).toHaveLength(10_000);
    const table = { file: { form: "csv", header: true }, label: "c", features: ["1"] } as const;
    expect(() => texts(10_001)).toThrow(/more than 10000 classes/);
    expect(() => readTable(each(10_001), table)).toThrow(/more than 10000 classes/);
  });

  it("more rows than fit", () => {
    const rows = function* () {
      for (let line = 1; ; line++) yield { line, fields: new Map() };
    };
    expect(() => useRows(rows(), () => 0)).toThrow(/more than 3000000 rows/);
  });
});

describe("jsonlRows", () => {
  it("reads objects, skips blank lines, and names bad ones", () => {
    const rows = [...jsonlRows('{"a":"x","n":1,"deep":{}}\n\n[1]\n{"a":\n')];
    expect(rows[0]).toEqual({
      line: 1,
      fields: new Map([
        ["a", "x"],
        ["n", "1"],
      ]),
    });
    expect(rows[1]).toEqual({ line: 3, broken: "no JSON object" });
    expect(rows[2]).toMatchObject({ line: 4, broken: expect.stringContaining("JSON") });
  });
});

describe("readLabelledTexts", () => {
  it("reads the AG News form", () => {
    const { examples, labels } = readLabelledTexts('"3","Oil up","Prices\\nrose"\n"1","Vote","today"\n', AG_NEWS);
    expect(examples).toEqual([
      { text: "Oil up Prices rose", label: 2 },
      { text: "Vote today", label: 0 },
    ]);
    expect(labels).toEqual(["1", "2", "3", "4"]);
  });

  const good = Array.from({ length: 300 }, (_, i) => `"${1 + (i % 4)}","t","d"`);
  it("leaves out bad rows under the threshold and reports them by line", () => {
    const { report } = readLabelledTexts([...good, '"9","t","d"', '"1","",""'].join("\n"), AG_NEWS);
    expect(report).toMatchObject({ rows: 302, used: 300 });
    expect(report.bad).toEqual([
      { line: 301, reason: 'the label "9" is none of the classes' },
      { line: 302, reason: "the text is empty" },
    ]);
  });

  it("stops above the threshold, with a summary", () => {
    const bad = Array.from({ length: 8 }, () => '"9","t","d"');
    expect(() => readLabelledTexts([...bad, ...good].join("\n"), AG_NEWS)).toThrow(
      /8 of 308 rows are bad \(line 1: the label "9".*line 5: .*; and 3 more\)/,
    );
    expect(readLabelledTexts([...bad, ...good].join("\n"), { ...AG_NEWS, maxBadShare: 0.1 }).report.used).toBe(300);
  });

  it("stops on a file without rows or with none usable", () => {
    expect(() => readLabelledTexts("\n\n", AG_NEWS)).toThrow(/no rows/);
    expect(() => readLabelledTexts("x\n", { ...AG_NEWS, maxBadShare: 1 })).toThrow(/1 of 1 rows are bad/);
  });

  it("finds the classes of a JSON Lines file by itself, sorted", () => {
    const options = { file: { form: "jsonl" }, label: "y", texts: ["x"] } as const;
    const { examples, labels } = readLabelledTexts('{"x":"no","y":"spam"}\n{"x":"yes","y":"ham"}\n', options);
    expect({ labels, examples }).toEqual({
      labels: ["ham", "spam"],
      examples: [
        { text: "no", label: 1 },
        { text: "yes", label: 0 },
      ],
    });
  });
});

describe("readTable", () => {
  const options = { file: { form: "csv", header: true }, label: "y", features: ["a", "b"], maxBadShare: 0.5 } as const;

  it("keeps a column of any one number as it is, so that another number in use is no outlier of 10^15", () => {
    for (const value of [0.1, 1 / 3, 1e-9, 7, -123.456, 1e12]) {
      const rows = Array.from({ length: 300 }, () => ({ values: [value], label: 0 }));
      expect([value, standardisationOf(rows).deviation]).toEqual([value, [1]]);
    }
    expect(standardisationOf([1e9, 1e9 + 1e-3].map((x) => ({ values: [x], label: 0 }))).deviation[0]).toBeCloseTo(
      5e-4,
      5,
    );
  });

  it("standardises by the training rows, keeps constant columns, and names bad numbers", () => {
    const { rows, labels, report } = readTable("a,b,y\n1,7,no\n3,7,yes\nx,7,yes\n,7,no\n", options);
    expect(labels).toEqual(["no", "yes"]);
    expect(report.bad).toEqual([
      { line: 4, reason: 'column "a" holds no number but "x"' },
      { line: 5, reason: 'column "a" holds no number but ""' },
    ]);
    const data = tableDataset(rows, standardisationOf(rows));
    expect(data.columns.features?.data).toEqual(Float32Array.of(-1, 0, 1, 0));
    expect(data.columns.labels?.data).toEqual(Int32Array.of(0, 1));
  });
});

describe("decodeText", () => {
  it("reads plain and gzipped text alike", async () => {
    expect(await decodeText(bytes("grüße\n"))).toBe("grüße\n");
    expect(await decodeText(gzipSync(bytes("grüße\n")))).toBe("grüße\n");
  });

  it.each([
    ["a cut-off gzip file", gzipSync(bytes("x".repeat(5000))).subarray(0, 20), /damaged or cut off/],
    ["a gzip bomb", gzipSync(new Uint8Array(1 << 20)), /more than 65536 bytes/],
    ["text in another encoding, by its line", Uint8Array.of(0x61, 0x0a, 0xe9, 0x0a), /Line 2 is not UTF-8/],
  ])("refuses %s", async (_, file, message) => {
    await expect(decodeText(file, 65536)).rejects.toThrow(message);
  });
});

describe("tokenWindows", () => {
  it("makes every token but the first a target once", () => {
    const { columns, examples } = tokenWindows([0, 1, 2, 3, 4, 5, 6, 7], 3);
    expect(examples).toBe(2);
    expect(columns.tokens?.data).toEqual(Int32Array.of(0, 1, 2, 3, 3, 4, 5, 6));
    expect(() => tokenWindows([1, 2, 3], 3)).toThrow(expect.objectContaining({ code: "BAD_DATASET" }));
  });
});
