// Update distances of honest and dishonest work, per template, on native and WASM: the table behind the limits of replay.

import { TEMPLATES } from "@gpuchain/sdk/records";
import {
  copyState,
  createProgram,
  createTrainer,
  DISTANCE_LIMITS,
  initialState,
  type Runtime,
  replay,
  type TrainingState,
  type UpdateDistance,
  updateDistance,
} from "@gpuchain/sdk/training";
import { createNativeRuntime } from "@gpuchain/sdk/training/native";
import { createWasmRuntime } from "@gpuchain/sdk/training/wasm";
import { type TemplateWorkload, templateWorkload } from "../workloads/templates.ts";
import { DISHONESTY } from "./lib/dishonesty.ts";
import { readOptions, writeJson } from "./lib/output.ts";
import { table } from "./lib/table.ts";

/** Parents: the start, within the warm-up, and well into the run. */
const PARENTS = [0, 10, 60];
const INTERVAL = 5;

interface Row extends UpdateDistance {
  readonly template: string;
  readonly parent: number;
  readonly work: string;
  readonly honest: boolean;
}

async function parentsOf(workload: TemplateWorkload, runtime: Runtime): Promise<TrainingState[]> {
  const { spec, train, base } = workload;
  const program = createProgram(spec);
  const start = initialState(program);
  const trainer = await createTrainer({ program, runtime, data: train, state: start, ...(base ? { base } : {}) });
  const states: TrainingState[] = [];
  for (let step = 0; step <= Math.max(...PARENTS); step++) {
    if (PARENTS.includes(step)) states.push(copyState(trainer.state()));
    if (step < Math.max(...PARENTS)) await trainer.step();
  }
  await trainer.close();
  return states;
}

async function measure(workload: TemplateWorkload, native: Runtime, wasm: Runtime): Promise<Row[]> {
  const { spec, train, base, template } = workload;
  const program = createProgram(spec);
  const rows: Row[] = [];
  for (const parent of await parentsOf(workload, native)) {
    const run = async (runtime: Runtime, microBatch?: number) => {
      const parameters = { program, runtime, data: train, state: parent, ...(base ? { base } : {}) };
      return (await replay({ ...parameters, ...(microBatch ? { microBatch } : {}) }, INTERVAL)).state;
    };
    const judge = await run(wasm);
    const row = (work: string, honest: boolean, claimed: TrainingState) => {
      rows.push({ template, parent: parent.step, work, honest, ...updateDistance(parent, judge, claimed) });
    };
    row("honest, native", true, await run(native));
    row("honest, native in micro-batches of 8", true, await run(native, 8));
    for (const { name, claim, needsMoments } of DISHONESTY)
      if (parent.step > 0 || !needsMoments) row(name, false, await claim(workload, native, parent, INTERVAL));
  }
  return rows;
}

/** How far the least dishonest work lies above its limit and the honest below, each by the measure that decides. */
function summary(rows: readonly Row[]) {
  const reach = (row: Row) => Math.max(row.params / DISTANCE_LIMITS.params, row.moment / DISTANCE_LIMITS.moment);
  const honest = Math.max(...rows.filter((row) => row.honest).map(reach));
  const dishonest = Math.min(...rows.filter((row) => !row.honest).map(reach));
  return { honestOfLimit: honest, dishonestOfLimit: dishonest, apart: dishonest / honest };
}

const options = readOptions();
const native = createNativeRuntime({ threads: options.threads });
const wasm = createWasmRuntime({ threads: 1 });
const all: Row[] = [];
const summaries: Record<string, ReturnType<typeof summary>> = {};
for (const template of TEMPLATES) {
  if (options.only.length > 0 && !options.only.includes(template)) continue;
  const rows = await measure(templateWorkload(template, options.scale), native, wasm);
  all.push(...rows);
  summaries[template] = summary(rows);
  const digits = (value: number) => value.toExponential(1);
  console.log(
    `\n${template}: judged on WASM, ${INTERVAL} steps, limits ${digits(DISTANCE_LIMITS.params)} and ${digits(DISTANCE_LIMITS.moment)}\n`,
  );
  console.log(
    table(
      ["work", "from step", "d(params)", "d(moments)"],
      rows.map((row) => [row.work, String(row.parent), digits(row.params), digits(row.moment)]),
    ),
  );
  const { honestOfLimit, dishonestOfLimit, apart } = summary(rows);
  console.log(
    `\nhonest ≤ ${honestOfLimit.toFixed(3)} of a limit, dishonest ≥ ${dishonestOfLimit.toFixed(1)} of one: ${apart.toFixed(0)}× apart`,
  );
}
writeJson(options.json, { limits: DISTANCE_LIMITS, interval: INTERVAL, templates: summaries, rows: all });
process.exit(
  Object.values(summaries).every(
    ({ honestOfLimit, dishonestOfLimit, apart }) => honestOfLimit < 1 && dishonestOfLimit > 1 && apart >= 10,
  )
    ? 0
    : 1,
);
