import { describe, expect, it } from "vitest";
import { readTable, standardisationOf, tableDataset } from "../data/readers/table.ts";
import { tokenWindows } from "../data/tokenWindows.ts";
import { trainBytePairs } from "../data/trainBytePairs.ts";
import { evaluateModel } from "../evaluate/evaluateModel.ts";
import { createTextTokenizer } from "../huggingface/textTokenizer.ts";
import { generate } from "../predict/generate.ts";
import { predict } from "../predict/predict.ts";
import { createNativeRuntime } from "../runtimes/native.ts";
import { initialState } from "../state/initialState.ts";
import { noise } from "../testing/checkGradients.ts";
import { type TinyJob, tinyJob } from "../testing/tinyJob.ts";
import { createTrainer } from "../trainer/createTrainer.ts";

const runtime = createNativeRuntime({ threads: 2 });

async function train({ program, train: data, spec }: TinyJob): Promise<Float32Array> {
  const trainer = await createTrainer({ program, runtime, data, state: initialState(program) });
  while (trainer.state().step < spec.training.steps) await trainer.step();
  const params = trainer.state().params.slice();
  await trainer.close();
  return params;
}

describe("mlp", () => {
  const random = noise(3 * 700, 1);
  const csv = Array.from({ length: 700 }, (_, i) => {
    const [x, y, z] = [0, 1, 2].map((j) => random[3 * i + j] as number) as [number, number, number];
    return `${10 * x},${y + 5},${z},${x * x + y * y < 0.6 ? "inside" : "outside"}`;
  });
  const { rows, labels } = readTable(`x,y,z,side\n${csv.join("\n")}\n`, {
    file: { form: "csv", header: true },
    label: "side",
    features: ["x", "y", "z"],
  });
  const standard = standardisationOf(rows.slice(0, 500));
  const job = tinyJob({
    template: "mlp",
    model: { architecture: "mlp", inputs: 3, hidden: [32, 16], classes: 2 },
    train: tableDataset(rows.slice(0, 500), standard),
    heldOut: tableDataset(rows.slice(500), standard),
    training: {
      steps: 300,
      batch: 32,
      microBatchCap: 32,
      schedule: { name: "linear", peak: 2e-2, warmup: 10, floor: 0.05 },
    },
  });

  it("learns a circle from a CSV, and predicts what it evaluates", async () => {
    const params = await train(job);
    const { program, heldOut, spec } = job;
    const evaluation = await evaluateModel({ program, runtime, params, data: heldOut });
    expect(labels).toEqual(["inside", "outside"]);
    expect(evaluation.accuracy).toBeGreaterThan(0.93);
    const { layout, baseLayout } = program;
    const predictions = await predict(spec.model, { layout, baseLayout, params, base: undefined }, runtime, heldOut);
    expect(predictions.map(({ predicted }) => predicted)).toEqual(
      evaluation.predictions.map(({ predicted }) => predicted),
    );
    for (const { probabilities } of predictions)
      expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 10);
  });
});

describe("language-model", () => {
  const text = "one two three four five six seven eight nine ten. ".repeat(120);
  const tokenizer = createTextTokenizer(trainBytePairs(text, 300));
  const tokens = tokenizer.encode(text);
  const model = {
    architecture: "decoder",
    layers: 1,
    width: 32,
    heads: 2,
    feedForward: 64,
    vocabulary: 300,
    sequence: 16,
  } as const;
  const cut = Math.floor(tokens.length * 0.8);
  const job = tinyJob({
    template: "language-model",
    model: { ...model },
    train: tokenWindows(tokens.slice(0, cut), 16),
    heldOut: tokenWindows(tokens.slice(cut), 16),
    training: { steps: 80, batch: 16, schedule: { name: "linear", peak: 1e-2, warmup: 10, floor: 0.05 } },
  });

  it("learns to go on as its text does", async () => {
    const { program, heldOut } = job;
    const start = await evaluateModel({ program, runtime, params: initialState(program).params, data: heldOut });
    expect(start.nll).toBeCloseTo(Math.log(300), 0);
    expect(start.accuracy).toBeUndefined();
    const params = await train(job);
    const { nll } = await evaluateModel({ program, runtime, params, data: heldOut });
    expect(nll).toBeLessThan(0.3);
    const { layout, baseLayout } = program;
    const prompt = tokenizer.encode("six seven eight");
    const added = await generate({ ...model }, { layout, baseLayout, params, base: undefined }, runtime, prompt, 3);
    expect(tokenizer.decode([...prompt, ...added])).toBe("six seven eight nine ten.");
  });

  it("lets no token see a later one", async () => {
    const { program, heldOut } = job;
    const session = await runtime.createSession(program.evaluate(2));
    const params = { dtype: "float32", shape: [program.layout.size], data: initialState(program).params } as const;
    const window = heldOut.columns.tokens?.data.slice(0, 34) as Int32Array;
    const nll = async (data: Int32Array) =>
      (await session.run({ params, tokens: { dtype: "int32", shape: [2, 17], data } })).nll?.data as Float32Array;
    const before = await nll(window);
    const changed = window.slice();
    changed[10] = ((changed[10] as number) + 1) % 300;
    const after = await nll(changed);
    // Token 10 is the target of position 9 and seen from position 10 on.
    expect(after.subarray(0, 9)).toEqual(before.subarray(0, 9));
    expect(after[9]).not.toBe(before[9]);
    expect(after[12]).not.toBe(before[12]);
    await session.release();
  });
});
