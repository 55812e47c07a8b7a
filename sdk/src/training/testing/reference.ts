import type { Hex, Template } from "../../records/index.ts";
import { batchIndices } from "../data/batchIndices.ts";
import { createVectorMemory } from "../optimizer/vectorMemory.ts";
import type { Runtime } from "../runtimes/runtime.ts";
import { stateHash } from "../state/checkpoint.ts";
import { initialState } from "../state/initialState.ts";
import type { TrainingState } from "../state/state.ts";
import { copyState } from "../state/state.ts";
import { createTrainer } from "../trainer/createTrainer.ts";
import { createGradients } from "../trainer/gradients.ts";
import { TEMPLATE_JOBS, type TemplateJob } from "./templateJobs.ts";

/** What is recorded of a template: recomputed by `recordReference.ts`, compared by `reference.test.ts`. */
export interface Reference {
  readonly graphHash: Hex;
  /** loss at steps 10, 20, … 200 */
  readonly losses: readonly number[];
  /** the state after 200 steps, on WASM */
  readonly finalHash: Hex;
  /** length of the first batch's gradient by each tensor */
  readonly gradientNorms: Readonly<Record<string, number>>;
}

const STEPS = 200;

/** Gradient sum of the first batch. */
export async function firstGradient(job: TemplateJob, runtime: Runtime, params: Float32Array) {
  const { program, train, base, spec } = job;
  const memory = createVectorMemory(program.layout.size, 8);
  const gradients = await createGradients({ program, runtime, data: train, ...(base ? { base } : {}) }, memory);
  const { batch, seed } = spec.training;
  const { gradSum, lossSum } = await gradients.compute(params, batchIndices(seed, 0, train.examples, batch));
  await gradients.close();
  return { gradient: gradSum.slice(), lossSum };
}

/** A run of 200 steps: its losses and the state that it ends in. */
export async function curve(job: TemplateJob, runtime: Runtime): Promise<{ losses: number[]; state: TrainingState }> {
  const { program, train, base } = job;
  const start = initialState(program);
  const trainer = await createTrainer({ program, runtime, data: train, state: start, ...(base ? { base } : {}) });
  const losses: number[] = [];
  for (let step = 1; step <= STEPS; step++) {
    const { loss } = await trainer.step();
    if (step % 10 === 0) losses.push(loss);
  }
  const state = copyState(trainer.state());
  await trainer.close();
  return { losses, state };
}

/** Computes a template's reference values, and the state that its curve ends in. */
export async function reference(
  template: Template,
  runtime: Runtime,
): Promise<{ reference: Reference; state: TrainingState }> {
  const job = TEMPLATE_JOBS[template]();
  const { program } = job;
  const { losses, state } = await curve(job, runtime);
  const { gradient } = await firstGradient(job, runtime, initialState(program).params);
  const norms = program.layout.entries.map(({ name, offset, size }): [string, number] => [
    name,
    Math.sqrt(gradient.subarray(offset, offset + size).reduce((sum, x) => sum + x * x, 0)),
  ]);
  const { graphHash } = program;
  const gradientNorms = Object.fromEntries(norms);
  return { reference: { graphHash, losses, finalHash: stateHash(program, state), gradientNorms }, state };
}
