import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GpuchainError } from "../../daemon/index.ts";
import { parseJobSpec } from "../../records/index.ts";
import {
  predict as classify,
  createProgram,
  createTextTokenizer,
  decodeCheckpoint,
  hashedWords,
  labelledTokens,
} from "../../training/index.ts";
import type { Output } from "../output.ts";

/** Classifies texts with a model that `fetch` downloaded. */
export async function predict(output: Output, folder: string, texts: readonly string[]): Promise<void> {
  const read = (name: string) => {
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
  const { model, data } = spec;
  if (model.architecture !== "encoder") {
    throw new GpuchainError("MODEL_NOT_SUPPORTED", `predict does not run models of the kind "${model.architecture}"`, {
      hint: `run ${join(folder, "model.onnx")} with any ONNX tool`,
    });
  }
  const program = createProgram(spec);
  const { params } = decodeCheckpoint(program, read("checkpoint.safetensors"));
  const { tokenizer } = data;
  const file =
    tokenizer.name === "huggingface"
      ? createTextTokenizer(new TextDecoder().decode(read("tokenizer.json")))
      : undefined;
  const ids = (text: string) =>
    file === undefined ? hashedWords(text, model.vocabulary, model.sequence) : file.encode(text, model.sequence);
  const { createNativeRuntime } = await import("../../training/runtimes/native.ts");
  const weights = { layout: program.layout, params, baseLayout: program.baseLayout, base: undefined };
  const inputs = labelledTokens(
    texts.map((text) => ({ ids: ids(text), label: 0 })),
    model.sequence,
  );
  const found = await classify(model, weights, createNativeRuntime({ threads: 1 }), inputs);
  const value = found.map(({ predicted, probabilities }, index) => ({
    text: texts[index],
    label: data.labels[predicted],
    probability: probabilities[predicted],
  }));
  output.result(value, () =>
    value.map(({ text, label, probability }) => `${label}  ${((probability ?? 0) * 100).toFixed(1)} %  ${text}`),
  );
}
