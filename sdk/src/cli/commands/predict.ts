import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GpuchainError } from "../../daemon/index.ts";
import { type JobSpec, parseJobSpec } from "../../records/index.ts";
import {
  createProgram,
  createTextTokenizer,
  type Dataset,
  decodeCheckpoint,
  generate,
  hashedWords,
  labelledTokens,
  predictWith,
  tableDataset,
} from "../../training/index.ts";
import type { Output } from "../output.ts";

/** Tokens that a language model adds. */
const CONTINUATION = 40;

type Read = (name: string) => Uint8Array;

/** Runs a model that `fetch` downloaded: classifies texts or rows of numbers, or continues texts. */
export async function predict(output: Output, folder: string, inputs: readonly string[]): Promise<void> {
  const read: Read = (name) => {
    try {
      return new Uint8Array(readFileSync(join(folder, name)));
    } catch (cause) {
      throw new GpuchainError("MODEL_MISSING", `${folder} holds no ${name}`, {
        hint: "fetch the model first: gpuchain fetch JOB",
        cause,
      });
    }
  };
  const spec = parseJobSpec(read("spec.json"));
  if (spec.model.architecture === "decoder") return continueTexts(output, spec, read, inputs);
  const { createNativeRuntime } = await import("../../training/runtimes/native.ts");
  // What is run is the file that other tools are given.
  const session = await createNativeRuntime({ threads: 1 }).createSession(read("model.onnx"));
  const found = await predictWith(session, spec.model, inputsOf(spec, read, inputs), 1).finally(() =>
    session.release(),
  );
  const value = found.map(({ predicted, probabilities }, index) => ({
    text: inputs[index],
    label: spec.data.labels[predicted],
    probability: probabilities[predicted],
  }));
  output.result(value, () =>
    value.map(({ text, label, probability }) => `${label}  ${((probability ?? 0) * 100).toFixed(1)} %  ${text}`),
  );
}

function inputsOf({ model, data }: JobSpec, read: Read, inputs: readonly string[]): Dataset {
  if ("sequence" in model) {
    const encode = encoderOf(data.tokenizer, read, model);
    return labelledTokens(
      inputs.map((text) => ({ ids: encode(text), label: 0 })),
      model.sequence,
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

function encoderOf(
  tokenizer: JobSpec["data"]["tokenizer"],
  read: Read,
  { vocabulary, sequence }: { vocabulary: number; sequence: number },
): (text: string) => number[] {
  if (tokenizer.name !== "huggingface") return (text) => hashedWords(text, vocabulary, sequence);
  const { encode } = createTextTokenizer(new TextDecoder().decode(read("tokenizer.json")));
  return (text) => encode(text, sequence);
}

async function continueTexts(output: Output, spec: JobSpec, read: Read, texts: readonly string[]): Promise<void> {
  const { model } = spec;
  if (model.architecture !== "decoder") return;
  const program = createProgram(spec);
  const { layout, baseLayout } = program;
  const { params } = decodeCheckpoint(program, read("checkpoint.safetensors"));
  const tokenizer = createTextTokenizer(new TextDecoder().decode(read("tokenizer.json")));
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
