import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { labelledTokens } from "./data/dataset.ts";
import { hashedWords } from "./data/hashedWords.ts";
import { decodeText } from "./data/readers/decodeText.ts";
import { AG_NEWS, type LabelledText, readLabelledTexts } from "./data/readers/labelledTexts.ts";
import { evaluateModel } from "./evaluate/evaluateModel.ts";
import { createNativeRuntime } from "./runtimes/native.ts";
import { initialState } from "./state/initialState.ts";
import { tinyJob } from "./testing/tinyJob.ts";
import { createTrainer } from "./trainer/createTrainer.ts";

/** The corpus is for research only and no part of the product: it lies beside the repository where it lies at all. */
const SAMPLE = fileURLToPath(new URL("../../../../shared/data/ag_news/sample.csv", import.meta.url));
const present = existsSync(SAMPLE);
if (!present) console.warn(`SKIPPED: AG News is not measured, because ${SAMPLE} is absent.`);

const VOCABULARY = 32_768;
const SEQUENCE = 64;

it.skipIf(!present)("text-classification reaches 0.84 on AG News in 400 steps", { timeout: 600_000 }, async () => {
  const { examples, report } = readLabelledTexts(await decodeText(readFileSync(SAMPLE)), AG_NEWS);
  expect(report).toEqual({ rows: 5600, used: 5600, bad: [] });
  const encode = (part: readonly LabelledText[]) =>
    labelledTokens(
      part.map(({ text, label }) => ({ ids: hashedWords(text, VOCABULARY, SEQUENCE), label })),
      SEQUENCE,
    );
  const job = tinyJob({
    model: {
      architecture: "encoder",
      layers: 2,
      width: 128,
      heads: 2,
      feedForward: 512,
      vocabulary: VOCABULARY,
      sequence: SEQUENCE,
      classes: 4,
    },
    train: encode(examples.slice(0, 3600)),
    heldOut: encode(examples.slice(3600)),
    training: {
      steps: 400,
      batch: 32,
      microBatchCap: 32,
      schedule: { name: "linear", peak: 1e-3, warmup: 40, floor: 0.05 },
      seed: 1,
    },
  });
  const runtime = createNativeRuntime({ threads: 2 });
  const { program, train, heldOut } = job;
  const trainer = await createTrainer({ program, runtime, data: train, state: initialState(program) });
  while (trainer.state().step < 400) await trainer.step();
  const { accuracy } = await evaluateModel({ program, runtime, params: trainer.state().params, data: heldOut });
  await trainer.close();
  console.info(`AG News: accuracy ${accuracy?.toFixed(4)} on ${heldOut.examples} rows after 400 steps`);
  expect(accuracy).toBeGreaterThanOrEqual(0.84);
});
