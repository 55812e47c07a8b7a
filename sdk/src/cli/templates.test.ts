// A job file of each template, as a client without a network makes and checks it, and its model as `predict` runs it.
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Hex, specHash, type Template } from "../records/index.ts";
import {
  createProgram,
  createTextTokenizer,
  encodeCheckpoint,
  initialState,
  trainBytePairs,
} from "../training/index.ts";
import { bertFolder } from "../training/testing/bertFolder.ts";
import { readJobFile } from "./jobFile.ts";
import { encodePieces } from "./jobs/languageJob.ts";
import { parseJsonc } from "./jsonc.ts";
import { modelFiles } from "./modelFiles.ts";
import { saveFiles } from "./saveFiles.ts";
import { captureCli } from "./testing/captureCli.ts";

let dir: string;
const at = (name: string) => join(dir, name);

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "templates-"));
  const range = Array.from({ length: 60 }, (_, i) => i);
  const texts = range.map((i) => `"message ${i}, ${i % 3 ? "see you" : "win money"}",${i % 3 ? "ham" : "spam"}`);
  writeFileSync(at("mails.csv"), ["Message,category", ...texts].join("\n"));
  const rows = range.map((i) => `flower ${i},${i % 7},${(i * i) % 5},${i % 2 ? "rose" : "tulip"}`);
  writeFileSync(at("table.csv"), ["name,length,width,class", ...rows].join("\n"));
  writeFileSync(
    at("prose.txt"),
    Array.from({ length: 300 }, (_, i) => `On day ${i} the ship sailed on, and the wind was good.\n`).join(""),
  );
  const { config, weights, tokenizer } = bertFolder("distilbert", ["message", "money", "win", "see", "you"]);
  mkdirSync(at("base"));
  writeFileSync(at("base/config.json"), config);
  writeFileSync(at("base/model.safetensors"), weights);
  writeFileSync(at("base/tokenizer.json"), tokenizer);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const cli = (...argv: string[]) => captureCli([...argv, "--json", "--profile", at("none.json")]);

interface Case {
  template: Template;
  /** flags of `init`, by names in the folder */
  given: string[];
  notes: string;
  inputs: string[];
}

const CASES: Case[] = [
  {
    template: "text-classification",
    given: ["--data", "mails.csv"],
    notes: "2 classes: ham, spam",
    inputs: ["win money", "see you"],
  },
  {
    template: "text-classification-lora",
    given: ["--data", "mails.csv", "--base", "base"],
    notes: "distilbert of 2 layers, width 32, frozen: base",
    inputs: ["win money", "see you"],
  },
  {
    template: "language-model",
    given: ["--data", "prose.txt"],
    notes: "guessing blindly scores 6.93 nats a token",
    inputs: ["On day"],
  },
  {
    template: "mlp",
    given: ["--data", "table.csv", "--template", "mlp"],
    notes: "2 columns: length, width",
    inputs: ["1,2", "6,0"],
  },
];

describe.each(CASES)("$template", ({ template, given, notes, inputs }) => {
  const file = `${template}.jsonc`;

  it("is made by init from the data, and is valid", async () => {
    const flags = given.map((part, i) => (given[i - 1] === "--data" || given[i - 1] === "--base" ? at(part) : part));
    const made = await cli("init", at(file), ...flags);
    expect(made.error).toBe("");
    expect(made.lines).toMatchObject([{ template }]);
    const checked = await cli("check", at(file));
    expect(checked.error).toBe("");
    expect(checked.lines).toMatchObject([{ ok: true, template, steps: 400, checkpoints: 8 }]);
    expect((checked.lines[0] as { notes: string[] }).notes.join("; ")).toContain(notes);
  });

  it("has the defaults that its comments speak of", () => {
    const { spec } = readJobFile(at(file));
    const { job, money } = parseJsonc(readFileSync(at(file), "utf8")) as { job: Record<string, object>; money: object };
    const { training, checkpoint, acceptance, ...bare } = job;
    expect([training, checkpoint, acceptance]).not.toContain(undefined);
    delete bare.class;
    const { base } = bare.model as { base?: string };
    if (base === undefined) delete bare.model;
    else bare.model = { base };
    delete (bare.data as { heldOut?: number }).heldOut;
    writeFileSync(at("bare.jsonc"), JSON.stringify({ job: bare, money }));
    expect(specHash(readJobFile(at("bare.jsonc")).spec)).toBe(specHash(spec));
  });

  it("gives a model that predict runs", async () => {
    const { spec, blobs } = readJobFile(at(file));
    const byHash = new Map(blobs.map((bytes) => [sha256Hex(bytes), bytes]));
    const program = createProgram(spec);
    const files = await modelFiles(spec, encodeCheckpoint(program, initialState(program)), async (hash) => {
      const bytes = byHash.get(hash);
      if (bytes === undefined) throw new Error(`${hash} is not among the job's blobs`);
      return bytes;
    });
    saveFiles(at(template), files);
    const there = readdirSync(at(template));
    // Beside an adapter_config.json, Hugging Face's classes would load the adapter's base instead of the merged model.
    if (template === "text-classification-lora") {
      expect(there).toEqual(expect.arrayContaining(["config.json", "model.safetensors", "tokenizer.json", "adapter"]));
      expect(readdirSync(join(at(template), "adapter"))).toEqual(["adapter_config.json", "adapter_model.safetensors"]);
      expect(JSON.parse(readFileSync(join(at(template), "config.json"), "utf8"))).toMatchObject({
        id2label: { 0: "ham", 1: "spam" },
        label2id: { ham: 0, spam: 1 },
      });
    }
    expect(there).not.toContain("adapter_config.json");
    const { lines, error } = await cli("predict", at(template), ...inputs);
    expect(error).toBe("");
    const said = lines[0] as { text: string }[];
    expect(said.map(({ text }) => text)).toEqual(inputs);
    for (const one of said) {
      if (template === "language-model") expect(one).toMatchObject({ continuation: expect.stringMatching(/./) });
      else
        expect(one).toMatchObject({
          label: expect.stringMatching(/^(ham|spam|rose|tulip)$/),
          probability: expect.any(Number),
        });
    }
  });
});

describe("predict says which file of a folder is not what fetch wrote", () => {
  const cut = (name: string) => (folder: string) => truncateSync(join(folder, name), 100);
  const put = (name: string, content: string) => (folder: string) => writeFileSync(join(folder, name), content);
  const from = (template: Template, name: string) => (folder: string) =>
    copyFileSync(join(at(template), name), join(folder, name));
  const unlabelled = (folder: string) => {
    const spec = readFileSync(join(folder, "spec.json"), "utf8").replace('"labels":["rose","tulip"]', '"labels":[]');
    put("spec.json", spec)(folder);
  };
  it.each<[string, Template, (folder: string) => void, string]>([
    ["a graph that is cut off", "mlp", cut("model.onnx"), "model.onnx cannot be used: "],
    ["an empty graph", "mlp", put("model.onnx", ""), "model.onnx cannot be used: "],
    ["a graph of another template", "mlp", from("text-classification", "model.onnx"), "model.onnx cannot be used: "],
    [
      "weights that are cut off",
      "language-model",
      cut("checkpoint.safetensors"),
      "checkpoint.safetensors cannot be used",
    ],
    [
      "another job's weights",
      "language-model",
      from("mlp", "checkpoint.safetensors"),
      "checkpoint.safetensors cannot be",
    ],
    [
      "a broken tokenizer",
      "language-model",
      put("tokenizer.json", "{"),
      "tokenizer.json cannot be used: it is not the one",
    ],
    [
      "another model's tokenizer",
      "text-classification-lora",
      from("language-model", "tokenizer.json"),
      "tokenizer.json cannot be used: it is not the one",
    ],
    ["a spec that is cut off", "mlp", cut("spec.json"), "spec.json cannot be used: "],
    ["a spec without its labels", "mlp", unlabelled, "it names 0 labels for 2 classes"],
    ["another template's spec", "text-classification", from("mlp", "spec.json"), "model.onnx cannot be used: "],
  ])("%s", async (_what, template, damage, text) => {
    const folder = at("damaged");
    rmSync(folder, { recursive: true, force: true });
    cpSync(at(template), folder, { recursive: true });
    damage(folder);
    const { code, error, lines } = await cli("predict", folder, "1,2");
    expect(lines).toMatchObject([
      { error: { code: "MODEL_DAMAGED", hint: expect.stringContaining("gpuchain fetch") } },
    ]);
    expect(error).toContain(text);
    // One line, and the hint.
    expect(error.trim().split("\n")).toHaveLength(2);
    expect(code).toBe(1);
  });

  it.each<[string, () => string, string, string]>([
    ["an empty folder", () => mkdtempSync(at("empty-")), "MODEL_MISSING", "holds no spec.json"],
    ["a file instead", () => at("mails.csv"), "MODEL_MISSING", "is no folder"],
    ["no name at all", () => "", "USAGE", "folder: expected some text"],
  ])("%s", async (_what, folder, kind, text) => {
    const { lines } = await cli("predict", folder(), "1,2");
    expect(lines).toMatchObject([{ error: { code: kind, message: expect.stringContaining(text) } }]);
  });

  it("numbers beyond what the model can take are no class", async () => {
    expect((await cli("predict", at("mlp"), "1e308,1e308")).lines).toMatchObject([{ error: { code: "NOT_FINITE" } }]);
  });
});

describe("a long text for a language model", () => {
  it("is encoded in pieces to the same tokens", () => {
    const text = "It's  1,000 ships;\n\n they 'll  sail on — a\u0301 day\t or two .  <|endoftext|> Ünd wir . ".repeat(
      30,
    );
    const { encode } = createTextTokenizer(trainBytePairs(text, 320));
    for (const size of [1, 7, 50, 1_000]) expect(encodePieces(encode, text, size)).toEqual(encode(text));
  });

  it("is refused where it is none, or too long", async () => {
    for (const [name, text, reason] of [
      ["unbroken.txt", "word".repeat(5_000), "a word of 20000 characters"],
      ["endless.txt", "word ".repeat(20_000_001), "more than 100000000 characters"],
    ] as const) {
      writeFileSync(at(name), text);
      const job = at(`${name}.jsonc`);
      await cli("init", job, "--data", at(name));
      const { lines } = await cli("check", job);
      expect(lines).toMatchObject([{ error: { code: "BAD_DATASET", message: expect.stringContaining(reason) } }]);
    }
  });
});

it("may name the only providers that are to train it", () => {
  const { job, money } = parseJsonc(readFileSync(at("mlp.jsonc"), "utf8")) as { job: object; money: object };
  const write = (providers: readonly string[]) =>
    writeFileSync(at("named.jsonc"), JSON.stringify({ job: { ...job, providers }, money }));
  write(["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]);
  expect(readJobFile(at("named.jsonc")).spec.providers).toEqual(["0x70997970c51812dc3a010c7d01b50e0d17dc79c8"]);
  write(["garage"]);
  expect(() => readJobFile(at("named.jsonc"))).toThrow(/job\.providers\.0: expected an address/);
});

describe("init and check say what is wrong", () => {
  it.each([
    ["columns that cannot be guessed", ["init", "x.jsonc", "--data", "table.csv"], "which column of", "--text COLUMN"],
    [
      "a column that is not there",
      ["init", "x.jsonc", "--data", "mails.csv", "--label", "kind"],
      'no column "kind"',
      "--label COLUMN",
    ],
    ["another template", ["init", "x.jsonc", "--template", "gan"], 'no template "gan"', "language-model"],
    ["a base that is not there", ["check", "nobase.jsonc"], "config.json", "relative to it"],
    ["a text that is too short", ["check", "short.jsonc"], "part of prose.txt has only", "longer text"],
    ["an unknown template in the file", ["check", "gan.jsonc"], "job.template", "gpuchain init"],
    ["no row of numbers", ["predict", "mlp", "1,two"], "no row of 2 numbers", "length,width"],
  ])("%s", async (_what, argv, text, hint) => {
    const good = (template: Template) => parseJsonc(readFileSync(at(`${template}.jsonc`), "utf8")) as { job: object };
    const write = (name: string, template: Template, change: object) => {
      const { job, ...rest } = good(template);
      writeFileSync(at(name), JSON.stringify({ ...rest, job: { ...job, ...change } }));
    };
    write("nobase.jsonc", "text-classification-lora", { model: { base: "nowhere" } });
    write("short.jsonc", "language-model", { model: { sequence: 5000 } });
    write("gan.jsonc", "mlp", { template: "gan" });
    const known = /\.(csv|jsonc)$|^mlp$/;
    const { code, error } = await cli(...argv.map((part) => (known.test(part) ? at(part) : part)));
    expect(error).toContain(text);
    expect(error).toContain(hint);
    expect(code).not.toBe(0);
  });
});

it("takes packed files, tables without a header line, texts of two columns, and a share of bad rows", () => {
  const news = Array.from({ length: 60 }, (_, i) => `"${1 + (i % 4)}","title ${i}","story ${i} of kind ${i % 4}"`);
  const packed = gzipSync([...news, '"","no class","at all"'].join("\n"));
  writeFileSync(at("news.csv.gz"), packed);
  const { job: texts, money } = parseJsonc(readFileSync(at("text-classification.jsonc"), "utf8")) as {
    job: object;
    money: object;
  };
  const job = (data: object) => {
    writeFileSync(at("news.jsonc"), JSON.stringify({ job: { ...texts, data }, money }));
    return readJobFile(at("news.jsonc"));
  };
  const form = { file: "news.csv.gz", header: false, label: "0", text: ["1", "2"], maxBadShare: 0.1 };
  const { spec, notes } = job(form);
  expect(spec.data.labels).toEqual(["1", "2", "3", "4"]);
  expect(notes.join("\n")).toMatch(/line 61/);
  expect(() => job({ ...form, maxBadShare: 0 })).toThrow(/news\.csv\.gz: .*line 61/s);
  writeFileSync(at("news.csv.gz"), packed.subarray(0, packed.length - 20));
  expect(() => job(form)).toThrow(/damaged or cut off/);
});
