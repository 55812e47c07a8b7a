import {
  copyState,
  createProgram,
  createTrainer,
  initialState,
  type Runtime,
  replay,
  type TrainingState,
  type UpdateDistance,
  updateDistance,
} from "@gpuchain/sdk/training";
import type { TemplateWorkload } from "../../workloads/templates.ts";
import { DISHONESTY } from "./dishonesty.ts";

/** Parents: the start, within the warm-up, and well into the run. */
const PARENTS = [0, 10, 60];
export const INTERVAL = 5;

export interface DistanceRow extends UpdateDistance {
  /** step of the state that both started from */
  readonly parent: number;
  readonly work: string;
  readonly honest: boolean;
}

/** A device on which honest work may have run. */
export interface HonestRun {
  readonly work: string;
  readonly runtime: Runtime;
  readonly microBatch?: number;
}

/** Runs the workload up to the last parent and keeps each. */
async function parentsOf({ spec, train, base }: TemplateWorkload, runtime: Runtime): Promise<TrainingState[]> {
  const program = createProgram(spec);
  const start = initialState(program);
  const trainer = await createTrainer({ program, runtime, data: train, state: start, ...(base ? { base } : {}) });
  const last = Math.max(...PARENTS);
  const states: TrainingState[] = [];
  for (let step = 0; step <= last; step++) {
    if (PARENTS.includes(step)) states.push(copyState(trainer.state()));
    if (step < last) await trainer.step();
  }
  await trainer.close();
  return states;
}

/**
 * Update distances from a judge's replay of an interval, from each parent: of honest work on each given device, and of every known cheat
 * where `cheats` names the runtime that it runs on.
 */
export async function measureDistances(
  workload: TemplateWorkload,
  runtimes: { readonly parents: Runtime; readonly judge: Runtime; readonly cheats?: Runtime },
  honest: readonly HonestRun[],
): Promise<DistanceRow[]> {
  const { spec, train, base } = workload;
  const program = createProgram(spec);
  const rows: DistanceRow[] = [];
  for (const parent of await parentsOf(workload, runtimes.parents)) {
    const run = async (runtime: Runtime, microBatch?: number) => {
      const parameters = { program, runtime, data: train, state: parent, ...(base ? { base } : {}) };
      return (await replay({ ...parameters, ...(microBatch ? { microBatch } : {}) }, INTERVAL)).state;
    };
    const judged = await run(runtimes.judge);
    const row = (work: string, isHonest: boolean, claimed: TrainingState) => {
      rows.push({ parent: parent.step, work, honest: isHonest, ...updateDistance(parent, judged, claimed) });
    };
    for (const { work, runtime, microBatch } of honest) row(work, true, await run(runtime, microBatch));
    const { cheats } = runtimes;
    for (const { name, claim, needsMoments } of cheats ? DISHONESTY : [])
      if (cheats && (parent.step > 0 || !needsMoments))
        row(name, false, await claim(workload, cheats, parent, INTERVAL));
  }
  return rows;
}
