// How the demo's learning rate was chosen: each candidate trains on part of the training mails and is scored on the rest of them, split by
// subject as the held-out mails are. The held-out mails are looked at once, for the candidate that won. Takes some minutes.
//   npm run bench:learning-rate

import {
  createProgram,
  createTrainer,
  type Dataset,
  type Evaluation,
  evaluateModel,
  groupedSplit,
  initialState,
} from "@gpuchain/sdk/training";
import { createNativeRuntime } from "@gpuchain/sdk/training/native";
import { encodeMails, spamWorkload, splitMails } from "../workloads/spam.ts";
import { readOptions, writeJson } from "./lib/output.ts";
import { table } from "./lib/table.ts";

const CANDIDATES = [4e-4, 7e-4, 1e-3, 1.5e-3];
const SEEDS = [1, 2];
const VALIDATION = 900;
const VALIDATION_SEED = 11;

const options = readOptions();
const runtime = createNativeRuntime({ threads: options.threads });
const { spec } = spamWorkload();
const { train, heldOut } = splitMails();
const inner = groupedSplit(train, (mail) => mail.group, VALIDATION, VALIDATION_SEED);

async function score(peak: number, seed: number, data: Dataset, held: Dataset): Promise<Evaluation> {
  const { schedule } = spec.training;
  const training = { ...spec.training, seed, schedule: { ...schedule, peak } };
  const program = createProgram({ ...spec, training });
  const trainer = await createTrainer({ program, runtime, data, state: initialState(program) });
  while (trainer.state().step < training.steps) await trainer.step();
  const evaluation = await evaluateModel({ program, runtime, params: trainer.state().params, data: held });
  await trainer.close();
  return evaluation;
}

const [data, validation] = [encodeMails(inner.train), encodeMails(inner.heldOut)];
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rows: { peak: number; balancedAccuracy: number; nll: number }[] = [];
for (const peak of CANDIDATES) {
  const runs: Evaluation[] = [];
  for (const seed of SEEDS) runs.push(await score(peak, seed, data, validation));
  const balancedAccuracy = mean(runs.map((run) => run.balancedAccuracy ?? 0));
  rows.push({ peak, balancedAccuracy, nll: mean(runs.map(({ nll }) => nll)) });
}
// The job's own metric decides.
const best = rows.reduce((a, b) => (b.balancedAccuracy > a.balancedAccuracy ? b : a));
console.log(
  `${data.examples} mails to train on, ${validation.examples} to choose by, mean of seeds ${SEEDS.join(" and ")}\n`,
);
console.log(
  table(
    ["learning rate", "balanced accuracy", "NLL"],
    rows.map((row) => [row.peak.toExponential(1), row.balancedAccuracy.toFixed(4), row.nll.toFixed(4)]),
  ),
);
const final = await score(best.peak, spec.training.seed, encodeMails(train), encodeMails(heldOut));
console.log(
  `\nchosen: ${best.peak}; on the held-out mails: accuracy ${final.accuracy?.toFixed(4)}, balanced ${final.balancedAccuracy?.toFixed(4)}, NLL ${final.nll.toFixed(4)}`,
);
writeJson(options.json, { candidates: rows, chosen: best.peak, heldOut: { ...final, predictions: undefined } });
process.exit(0);
