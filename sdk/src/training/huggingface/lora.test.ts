import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../records/index.ts";
import { labelledTokens } from "../data/dataset.ts";
import { splitWords } from "../data/hashedWords.ts";
import { AG_NEWS, type LabelledText, readLabelledTexts } from "../data/readers/labelledTexts.ts";
import { evaluateModel } from "../evaluate/evaluateModel.ts";
import { forwardGraph } from "../predict/forwardGraph.ts";
import { predict } from "../predict/predict.ts";
import { createNativeRuntime } from "../runtimes/native.ts";
import { initialState } from "../state/initialState.ts";
import { decodeSafetensors } from "../state/safetensors.ts";
import { bertFolder } from "../testing/bertFolder.ts";
import { noise } from "../testing/checkGradients.ts";
import { tinyJob } from "../testing/tinyJob.ts";
import { createTrainer } from "../trainer/createTrainer.ts";
import { packBaseWeights } from "./baseWeights.ts";
import { readBertConfig } from "./bertConfig.ts";
import { exportAdapter, exportConfig, exportMerged } from "./exportAdapter.ts";
import { importAdapter } from "./importAdapter.ts";
import { createTextTokenizer } from "./textTokenizer.ts";
import { toFloat32 } from "./toFloat32.ts";

const SEQUENCE = 24;
const TOPICS = [
  ["goal match team league win coach", 0],
  ["market shares profit bank price trade", 1],
  ["rocket planet orbit probe moon star", 2],
] as const;
const WORDS = TOPICS.flatMap(([words]) => words.split(" "));
const runtime = createNativeRuntime({ threads: 2 });

/** Short made-up headlines of three topics. */
function headlines(count: number, seed: number): LabelledText[] {
  const random = noise(count * 8, seed);
  return Array.from({ length: count }, (_, i) => {
    const [words, label] = TOPICS[i % 3] as (typeof TOPICS)[number];
    const choices = words.split(" ");
    const pick = (j: number) =>
      choices[Math.floor(((random[8 * i + j] as number) / 2 + 0.5) * choices.length)] as string;
    return { text: `The ${pick(0)} and ${pick(1)}, ${pick(2)}!`, label };
  });
}

function loraJob(
  family: "bert" | "distilbert",
  texts: { train: LabelledText[]; heldOut: LabelledText[] },
  words: readonly string[],
  classes: number,
  { width, steps, peak } = { width: 32, steps: 60, peak: 1e-2 },
) {
  const folder = bertFolder(family, words, width);
  const sizes = readBertConfig(folder.config);
  const base = packBaseWeights(sizes, folder.weights);
  const tokenizer = createTextTokenizer(folder.tokenizer);
  const encode = (part: readonly LabelledText[]) =>
    labelledTokens(
      part.map(({ text, label }) => ({ ids: tokenizer.encode(text, SEQUENCE), label })),
      SEQUENCE,
    );
  const bytes = new Uint8Array(base.buffer);
  const job = tinyJob({
    template: "text-classification-lora",
    model: {
      architecture: "bert-lora",
      ...sizes,
      sequence: SEQUENCE,
      classes,
      rank: 4,
      alpha: 8,
      targets: ["q", "v"],
      baseWeights: { sha256: sha256Hex(bytes), bytes: bytes.length },
    },
    train: encode(texts.train),
    heldOut: encode(texts.heldOut),
    training: { steps, batch: 16, schedule: { name: "linear", peak, warmup: 5, floor: 0.05 } },
  });
  return { ...job, base, tokenizer, folder, sizes };
}

async function train(job: ReturnType<typeof loraJob>, steps: number): Promise<Float32Array> {
  const { program, base } = job;
  const trainer = await createTrainer({ program, runtime, data: job.train, state: initialState(program), base });
  while (trainer.state().step < steps) await trainer.step();
  const params = trainer.state().params.slice();
  await trainer.close();
  return params;
}

describe.each(["bert", "distilbert"] as const)("text-classification-lora over a %s folder", (family) => {
  const job = loraJob(family, { train: headlines(240, 1), heldOut: headlines(60, 2) }, WORDS, 3);
  const { program, base, spec } = job;

  it("learns, exports an adapter under PEFT's names, and merges into weights that predict the same", async () => {
    const params = await train(job, 60);
    const { accuracy } = await evaluateModel({ program, runtime, base, params, data: job.heldOut });
    expect(accuracy).toBeGreaterThan(0.9);

    const adapter = exportAdapter(program, params);
    const names = [...decodeSafetensors(adapter.weights).tensors.keys()].sort();
    const query =
      family === "bert"
        ? "bert.encoder.layer.0.attention.self.query"
        : "distilbert.transformer.layer.0.attention.q_lin";
    expect(names).toContain(`base_model.model.${query}.lora_A.weight`);
    expect(names).toContain("base_model.model.classifier.bias");
    expect(JSON.parse(adapter.config)).toMatchObject({
      peft_type: "LORA",
      r: 4,
      lora_alpha: 8,
      base_model_name_or_path: null,
      target_modules: family === "bert" ? ["query", "value"] : ["q_lin", "v_lin"],
    });

    // Loaded back, it is the trained weights to the bit; of another rank, it is refused by name.
    expect(importAdapter(program, adapter.weights)).toEqual(params);
    const wider = tinyJob({ template: spec.template, model: { ...spec.model, rank: 5 } as typeof spec.model });
    expect(() => importAdapter(wider.program, adapter.weights)).toThrow(
      /lora_A\.weight" is \[4,32\] in the adapter, \[5,32\]/,
    );

    // Merged weights as a new base, with adapters that add nothing, must predict what base and adapters did.
    const merged = packBaseWeights(job.sizes, exportMerged(program, params, base));
    expect(merged).not.toEqual(base);
    const plain = params.slice();
    for (const { name, offset, size } of program.layout.entries)
      if (name.endsWith("lora_B")) plain.fill(0, offset, offset + size);
    const { layout, baseLayout } = program;
    const before = await predict(spec.model, { layout, baseLayout, params, base }, runtime, job.heldOut);
    const after = await predict(spec.model, { layout, baseLayout, params: plain, base: merged }, runtime, job.heldOut);
    before.forEach(({ predicted, probabilities }, i) => {
      expect(after[i]?.predicted).toBe(predicted);
      expect(after[i]?.probabilities[0]).toBeCloseTo(probabilities[0] as number, 4);
    });
  });

  it("exports a config.json that says what the merged file holds, name by name", () => {
    const config = exportConfig(program);
    const { labels } = spec.data;
    const { params } = initialState(program);
    const { tensors } = decodeSafetensors(exportMerged(program, params, base));
    // The sizes are the base's own, so that its reader finds the same model in it.
    expect(readBertConfig(config)).toEqual(job.sizes);
    const kind = family === "bert" ? "BertForSequenceClassification" : "DistilBertForSequenceClassification";
    expect(JSON.parse(config)).toMatchObject({
      architectures: [kind],
      model_type: family,
      num_labels: 3,
      id2label: { 0: labels[0] ?? "LABEL_0", 2: labels[2] ?? "LABEL_2" },
      label2id: { [labels[1] ?? "LABEL_1"]: 1 },
    });
    const shape = (name: string) => tensors.get(name)?.shape;
    expect(shape("classifier.weight")).toEqual([3, 32]);
    expect(shape("classifier.bias")).toEqual([3]);
    if (family === "distilbert") expect(shape("pre_classifier.weight")).toEqual([32, 32]);
    else
      expect(shape("bert.embeddings.token_type_embeddings.weight")).toEqual([JSON.parse(config).type_vocab_size, 32]);
    expect(shape(`${family}.embeddings.word_embeddings.weight`)).toEqual([JSON.parse(config).vocab_size, 32]);
  });

  it("starts where the base model stands: adapters add nothing before the first step", () => {
    for (const { name, offset, size } of program.layout.entries)
      if (name.endsWith("lora_B"))
        expect(
          initialState(program)
            .params.subarray(offset, offset + size)
            .every((x) => x === 0),
        ).toBe(true);
  });

  it("keeps frozen weights out of the checkpoint, and exports an ONNX graph that has them", () => {
    expect(program.layout.size * 10).toBeLessThan(program.baseLayout.size);
    const { layout, baseLayout } = program;
    const graph = forwardGraph(spec.model, { layout, baseLayout, params: initialState(program).params, base }, 1);
    expect(graph.length).toBeGreaterThan(4 * (layout.size + baseLayout.size));
  });
});

describe("a Hugging Face folder", () => {
  const folder = bertFolder("bert", WORDS);
  const edited = (change: Record<string, unknown>) => JSON.stringify({ ...JSON.parse(folder.config), ...change });

  it.each([
    ["another model type", edited({ model_type: "gpt2" }), /not that of a BERT or DistilBERT/],
    ["another activation", edited({ hidden_act: "relu" }), /activation "relu"/],
    ["relative positions", edited({ position_embedding_type: "relative_key" }), /relative_key/],
    ["a missing size", edited({ hidden_size: undefined }), /hidden_size/],
    ["no JSON", "{", /no JSON/],
  ])("is refused for %s", (_, config, message) => {
    expect(() => readBertConfig(config)).toThrow(
      expect.objectContaining({ code: "BAD_MODEL", message: expect.stringMatching(message) }),
    );
  });

  it("is refused for a tensor that is missing or of another shape, by its name", () => {
    const sizes = readBertConfig(folder.config);
    expect(() => packBaseWeights({ ...sizes, layers: 3 }, folder.weights)).toThrow(
      /no tensor "bert\.encoder\.layer\.2/,
    );
    expect(() => packBaseWeights({ ...sizes, feedForward: 65 }, folder.weights)).toThrow(
      /"bert\.encoder\.layer\.0\.intermediate\.dense\.weight" is \[64,32\]/,
    );
  });

  it("keeps the closing token when a text is cut", () => {
    const tokenizer = createTextTokenizer(folder.tokenizer);
    const ids = tokenizer.encode("goal match team league win coach", 4);
    expect([ids.length, ids[0], ids[3]]).toEqual([4, 2, 3]);
    expect(tokenizer.decode(tokenizer.encode("Goal, match"))).toContain("goal");
  });

  it("may hold half precision", () => {
    expect([...toFloat32("x", "F16", Uint8Array.of(0x00, 0x3c, 0x01, 0x00, 0x00, 0xc0, 0x00, 0x7c))]).toEqual([
      1,
      2 ** -24,
      -2,
      Number.POSITIVE_INFINITY,
    ]);
    expect([...toFloat32("x", "BF16", Uint8Array.of(0x80, 0x3f, 0x00, 0xc0))]).toEqual([1, -2]);
    expect(() => toFloat32("x", "I64", new Uint8Array(8))).toThrow(/"x" is I64/);
  });
});

const LORA_STEPS = 60;
const SAMPLE = fileURLToPath(new URL("../../../../../shared/data/ag_news/sample.csv", import.meta.url));
const present = existsSync(SAMPLE);
if (!present) console.warn(`SKIPPED: LoRA on AG News is not run, because ${SAMPLE} is absent.`);

it.skipIf(!present)(
  "text-classification-lora runs on AG News over a small random DistilBERT, better than chance",
  { timeout: 120_000 },
  async () => {
    const { examples } = readLabelledTexts(readFileSync(SAMPLE, "utf8"), AG_NEWS);
    const counts = new Map<string, number>();
    for (const { text } of examples.slice(0, 3600))
      for (const word of splitWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const words = [...counts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 2000)
      .map(([word]) => word);
    const job = loraJob("distilbert", { train: examples.slice(0, 3600), heldOut: examples.slice(3600) }, words, 4, {
      width: 64,
      steps: LORA_STEPS,
      peak: 5e-3,
    });
    const params = await train(job, LORA_STEPS);
    const { accuracy } = await evaluateModel({
      program: job.program,
      runtime,
      base: job.base,
      params,
      data: job.heldOut,
    });
    console.info(
      `AG News by LoRA over a random DistilBERT: accuracy ${accuracy?.toFixed(3)} after ${LORA_STEPS} steps`,
    );
    expect(accuracy).toBeGreaterThan(0.28);
  },
);
