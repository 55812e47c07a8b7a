import { GpuchainError, parseText } from "../../daemon/index.ts";
import { type DecoderModel, type JobSpec, parseJobSpec, sha256Hex } from "../../records/index.ts";
import {
  createProgram,
  createTextTokenizer,
  type Dataset,
  decodeCheckpoint,
  generate,
  hashedWords,
  labelledTokens,
  predictWith,
  type TextTokenizer,
  tableDataset,
} from "../../training/index.ts";
import { type ModelFolder, openModelFolder } from "../modelFolder.ts";
import type { Output } from "../output.ts";
import { parseFlag } from "../parseId.ts";

/** Tokens that a language model adds. */
const CONTINUATION = 40;

/**
 * Runs a model that `fetch` downloaded: classifies texts or rows of numbers, or continues texts.
 *
 * Errors: MODEL_MISSING, MODEL_DAMAGED, MODEL_NOT_SUPPORTED, NOT_FINITE, USAGE.
 */
export async function predict(output: Output, path: string, inputs: readonly string[]): Promise<void> {
  const folder = openModelFolder(parseFlag("folder", path, parseText));
  const spec = await folder.reading("spec.json", () => parseJobSpec(folder.read("spec.json")));
  const { model } = spec;
  if (model.architecture === "decoder") return continueTexts(output, folder, spec, model, inputs);
  const { labels } = spec.data;
  if (labels.length !== model.classes)
    throw folder.damaged("spec.json", `it names ${labels.length} labels for ${model.classes} classes`);
  const data = await inputsOf(folder, spec, inputs);
  const { createNativeRuntime } = await import("../../training/runtimes/native.ts");
  // What is run is the file that other tools are given.
  const found = await folder.reading("model.onnx", async () => {
    const session = await createNativeRuntime({ threads: 1 }).createSession(folder.read("model.onnx"));
    return predictWith(session, model, data, 1).finally(() => session.release());
  });
  const value = found.map(({ predicted, probabilities }, index) => {
    const [text, label, probability] = [inputs[index], labels[predicted], probabilities[predicted]];
    if (label !== undefined && probability !== undefined && Number.isFinite(probability))
      return { text, label, probability };
    throw new GpuchainError("NOT_FINITE", `the model gives no finite scores for "${text}"`, {
      hint: "are its numbers in the range of the training data?",
    });
  });
  output.result(value, () =>
    value.map(({ text, label, probability }) => `${label}  ${(probability * 100).toFixed(1)} %  ${text}`),
  );
}

async function inputsOf(folder: ModelFolder, spec: JobSpec, inputs: readonly string[]): Promise<Dataset> {
  const { model, data } = spec;
  if ("sequence" in model) {
    const { vocabulary, sequence } = model;
    const tokenizer = data.tokenizer.name === "huggingface" ? await tokenizerOf(folder, spec) : undefined;
    const encode = (text: string) =>
      tokenizer === undefined ? hashedWords(text, vocabulary, sequence) : tokenizer.encode(text, sequence);
    return labelledTokens(
      inputs.map((text) => ({ ids: encode(text), label: 0 })),
      sequence,
    );
  }
  const { columns } = data;
  if (columns === undefined) {
    throw new GpuchainError("MODEL_NOT_SUPPORTED", "the job's spec does not say how its columns were standardised", {
      hint: "run model.onnx with any ONNX tool, on numbers prepared as the training data were",
    });
  }
  const rows = inputs.map((text) => {
    const values = text.split(",").map((field) => (field.trim() === "" ? Number.NaN : Number(field)));
    if (values.length === columns.length && values.every(Number.isFinite)) return { values, label: 0 };
    throw new GpuchainError("USAGE", `"${text}" is no row of ${columns.length} numbers`, {
      hint: `separate them by commas: ${columns.map(({ name }) => name).join(",")}`,
    });
  });
  return tableDataset(rows, {
    ...{ mean: columns.map(({ mean }) => mean), deviation: columns.map(({ deviation }) => deviation) },
  });
}

/** The tokenizer that the model was trained with: another one's numbers would mean other words. */
async function tokenizerOf(folder: ModelFolder, { data }: JobSpec): Promise<TextTokenizer> {
  const bytes = folder.read("tokenizer.json");
  if (data.tokenizer.name !== "huggingface" || sha256Hex(bytes) !== data.tokenizer.file.sha256)
    throw folder.damaged("tokenizer.json", "it is not the one that the model was trained with");
  return folder.reading("tokenizer.json", () => createTextTokenizer(new TextDecoder().decode(bytes)));
}

async function continueTexts(
  output: Output,
  folder: ModelFolder,
  spec: JobSpec,
  model: DecoderModel,
  texts: readonly string[],
): Promise<void> {
  const { program, params } = await folder.reading("checkpoint.safetensors", () => {
    const made = createProgram(spec);
    return { program: made, params: decodeCheckpoint(made, folder.read("checkpoint.safetensors")).params };
  });
  const { layout, baseLayout } = program;
  const tokenizer = await tokenizerOf(folder, spec);
  const { createNativeRuntime } = await import("../../training/runtimes/native.ts");
  const runtime = createNativeRuntime({ threads: 1 });
  const value: { text: string; continuation: string }[] = [];
  for (const text of texts) {
    const prompt = tokenizer.encode(text);
    if (prompt.length === 0) throw new GpuchainError("USAGE", "an empty text cannot be continued");
    const added = await generate(model, { layout, params, baseLayout, base: undefined }, runtime, prompt, CONTINUATION);
    value.push({ text, continuation: tokenizer.decode(added) });
  }
  output.result(value, () => value.map(({ text, continuation }) => `${text}${continuation}`));
}
