// text-classification from scratch on AG News: at least 0.84 on the sample's last 2,000 rows after 400 steps on its first 3,600.
//   npm run bench:ag-news

import { createProgram, createTrainer, evaluateModel, initialState } from "@gpuchain/sdk/training";
import { createNativeRuntime } from "@gpuchain/sdk/training/native";
import { AG_NEWS_SAMPLE, agNewsWorkload } from "../workloads/agNews.ts";
import { readOptions, writeJson } from "./lib/output.ts";
import { median } from "./lib/table.ts";

const GOAL = 0.84;

const options = readOptions();
const workload = await agNewsWorkload();
if (workload === undefined) {
  console.error(`error: AG News is not measured\n  hint: put its sample at ${AG_NEWS_SAMPLE}`);
  process.exit(1);
}
const { spec, train, heldOut } = workload;
const runtime = createNativeRuntime({ threads: options.threads });
const program = createProgram(spec);
const trainer = await createTrainer({ program, runtime, data: train, state: initialState(program) });
const times: number[] = [];
while (trainer.state().step < spec.training.steps) {
  const from = performance.now();
  await trainer.step();
  times.push(performance.now() - from);
}
const { accuracy = 0, nll } = await evaluateModel({ program, runtime, params: trainer.state().params, data: heldOut });
const stepMs = median(times);
console.log(
  `AG News: accuracy ${accuracy.toFixed(4)} (goal ≥ ${GOAL}), NLL ${nll.toFixed(4)} on ${heldOut.examples} rows after ${times.length} steps on ${train.examples}, ${stepMs.toFixed(0)} ms a step`,
);
writeJson(options.json, { accuracy, nll, stepMs });
process.exit(accuracy >= GOAL ? 0 : 1);
