// Speed of the training program: steps on each runtime, the optimizer, hashing, evaluation; beside PyTorch where Python has it.

import { type JobSpec, TEMPLATES } from "@gpuchain/sdk/records";
import {
  completeSpec,
  createEvaluator,
  createProgram,
  createTrainer,
  initialState,
  type Runtime,
  stateHash,
} from "@gpuchain/sdk/training";
import { createNativeRuntime } from "@gpuchain/sdk/training/native";
import { createWasmRuntime } from "@gpuchain/sdk/training/wasm";
import { type TemplateWorkload, templateWorkload } from "../workloads/templates.ts";
import { readOptions, writeJson } from "./lib/output.ts";
import { median, table } from "./lib/table.ts";
import { torchSteps } from "./lib/torch.ts";

const WARM_UP = 3;
const STEPS = 20;

interface StepRow {
  readonly template: string;
  readonly runtime: string;
  readonly class: JobSpec["class"];
  readonly parameters: number;
  /** wall-clock time of a step, the median */
  readonly stepMs: number;
  /** processor time of a step, all threads together */
  readonly stepCpuMs: number;
  readonly stepsPerSecond: number;
  readonly compileMs: number;
  /** hashing a state, as every trace point does */
  readonly hashMs: number;
  /** hashing's share of an interval of five steps */
  readonly hashShare: number;
}

async function measureSteps(
  workload: TemplateWorkload,
  runtime: Runtime,
  jobClass: JobSpec["class"],
): Promise<StepRow> {
  const { spec, train, base, template } = asClass(workload, jobClass);
  const program = createProgram(spec);
  const started = performance.now();
  const state = initialState(program);
  const trainer = await createTrainer({ program, runtime, data: train, state, ...(base ? { base } : {}) });
  const compileMs = performance.now() - started;
  for (let i = 0; i < WARM_UP; i++) await trainer.step();
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (let i = 0; i < STEPS; i++) {
    const from = performance.now();
    await trainer.step();
    times.push(performance.now() - from);
  }
  const used = process.cpuUsage(cpu);
  const hashes = Array.from({ length: 5 }, () => {
    const from = performance.now();
    stateHash(program, trainer.state());
    return performance.now() - from;
  });
  await trainer.close();
  const [stepMs, hashMs] = [median(times), median(hashes)];
  return {
    template,
    runtime: `${runtime.name}, ${runtime.threads} thread${runtime.threads > 1 ? "s" : ""}`,
    class: jobClass,
    parameters: program.layout.size,
    stepMs,
    stepCpuMs: (used.user + used.system) / 1000 / STEPS,
    stepsPerSecond: 1000 / stepMs,
    compileMs,
    hashMs,
    hashShare: hashMs / (5 * stepMs),
  };
}

/** The same work as a job of the other class; its graphs run by grains and have another hash. */
function asClass(workload: TemplateWorkload, jobClass: JobSpec["class"]): TemplateWorkload {
  if (jobClass === "native") return workload;
  const { graphHash: _graphs, resources: _resources, ...draft } = workload.spec;
  return { ...workload, spec: completeSpec({ ...draft, class: jobClass }) };
}

async function measureEvaluation(runtime: Runtime): Promise<{ examples: number; ms: number }> {
  const { spec, train } = templateWorkload("text-classification");
  const program = createProgram(spec);
  const evaluator = await createEvaluator({ program, runtime });
  const { params } = initialState(program);
  const indices = Array.from({ length: 2000 }, (_, i) => i);
  await evaluator.evaluate(params, train, indices.slice(0, 64));
  const from = performance.now();
  await evaluator.evaluate(params, train, indices);
  const ms = performance.now() - from;
  await evaluator.close();
  return { examples: indices.length, ms };
}

const options = readOptions();
const native = createNativeRuntime({ threads: options.threads });
const wasm = createWasmRuntime({ threads: options.threads });
const cases: [Runtime, JobSpec["class"]][] = [
  [createNativeRuntime({ threads: 1 }), "native"],
  [native, "native"],
  [native, "canonical"],
  [wasm, "native"],
  [wasm, "canonical"],
];
const rows: StepRow[] = [];
const torch: { template: string; torchMs: number; nativeMs: number; ratio: number }[] = [];
for (const template of TEMPLATES) {
  if (options.only.length > 0 && !options.only.includes(template)) continue;
  const workload = templateWorkload(template, options.scale);
  for (const [runtime, jobClass] of cases) rows.push(await measureSteps(workload, runtime, jobClass));
  const torchMs = torchSteps(workload.spec, options.threads);
  const nativeMs = rows.find(
    (row) => row.template === template && row.runtime === `native, ${options.threads} threads`,
  )?.stepMs;
  if (torchMs !== undefined && nativeMs !== undefined)
    torch.push({ template, torchMs, nativeMs, ratio: torchMs / nativeMs });
}
const evaluation = await measureEvaluation(native);

const one = (value: number) => value.toFixed(1);
console.log(
  table(
    ["template", "runtime", "class", "weights", "step ms", "CPU ms", "steps/s", "compile ms", "hash ms", "hashing"],
    rows.map((row) => [
      row.template,
      row.runtime,
      row.class,
      String(row.parameters),
      one(row.stepMs),
      one(row.stepCpuMs),
      one(row.stepsPerSecond),
      one(row.compileMs),
      one(row.hashMs),
      `${one(100 * row.hashShare)} %`,
    ]),
  ),
);
console.log(`\nevaluation of ${evaluation.examples} examples of the demo model: ${evaluation.ms.toFixed(0)} ms`);
if (torch.length === 0)
  console.log("PyTorch: not measured (python3 with torch is not installed: apt install python3-torch)");
else {
  console.log(
    `\n${table(
      ["beside PyTorch", "PyTorch ms", "native ms", "speed"],
      torch.map((row) => [row.template, one(row.torchMs), one(row.nativeMs), `${row.ratio.toFixed(2)}×`]),
    )}`,
  );
  const mean = Math.exp(torch.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / torch.length);
  console.log(`geometric mean: ${mean.toFixed(2)}×`);
}
writeJson(options.json, { threads: options.threads, steps: rows, evaluation, torch });
process.exit(0);
