import type { JobSpec } from "@gpuchain/sdk/records";
import {
  batchIndices,
  createProgram,
  type Dataset,
  type Runtime,
  replay,
  type TrainingState,
} from "@gpuchain/sdk/training";
import type { TemplateWorkload } from "../../workloads/templates.ts";

/** Someone's way to claim an update that was not earned. */
export interface Dishonesty {
  readonly name: string;
  /** changes nothing at the start of a run, where moments are zero */
  readonly needsMoments?: boolean;
  /** the state claimed after `steps` from `parent` */
  claim(workload: TemplateWorkload, runtime: Runtime, parent: TrainingState, steps: number): Promise<TrainingState>;
}

/** Trains as asked, but with another spec, other data or another start. */
async function trained(
  workload: TemplateWorkload,
  runtime: Runtime,
  state: TrainingState,
  steps: number,
  change: { readonly training?: Partial<JobSpec["training"]>; readonly data?: Dataset } = {},
): Promise<TrainingState> {
  const { spec, base, train } = workload;
  // Only the training terms change, so the graphs stay the ones that the spec names.
  const program = createProgram({ ...spec, training: { ...spec.training, ...change.training } });
  const data = change.data ?? train;
  return (await replay({ program, runtime, data, state, ...(base ? { base } : {}) }, steps)).state;
}

/** Small deterministic noise around each number. */
function jittered(values: Float32Array, by: number): Float32Array {
  let word = 7;
  return values.map((value) => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return value + by * (word / 2 ** 31 - 1);
  });
}

/** The data set with the targets of some examples changed: another class, or for language models other tokens. */
function relabelled({ spec, train }: TemplateWorkload, isChanged: (example: number) => boolean): Dataset {
  const name = train.columns.labels ? "labels" : "tokens";
  const column = train.columns[name];
  if (column?.dtype !== "int32") throw new Error(`the data set has no ${name}`);
  const limit = "classes" in spec.model ? spec.model.classes : spec.model.vocabulary;
  const data = column.data.map((value, i) => (isChanged(Math.floor(i / column.width)) ? (value + 1) % limit : value));
  return { ...train, columns: { ...train.columns, [name]: { ...column, data } } };
}

const rate = (factor: number): Dishonesty["claim"] => {
  return (workload, runtime, parent, steps) => {
    const { schedule } = workload.spec.training;
    return trained(workload, runtime, parent, steps, {
      training: { schedule: { ...schedule, peak: schedule.peak * factor } },
    });
  };
};

/** What cheats were measured with in the design, and some more. */
export const DISHONESTY: readonly Dishonesty[] = [
  { name: "nothing done", claim: async (_w, _r, parent) => parent },
  {
    name: "parent plus tiny noise",
    claim: async (_w, _r, parent) => ({
      ...parent,
      params: jittered(parent.params, 1e-5),
      m: jittered(parent.m, 1e-7),
    }),
  },
  { name: "one step of five skipped", claim: (w, runtime, parent, steps) => trained(w, runtime, parent, steps - 1) },
  {
    name: "other data",
    claim: (w, runtime, parent, steps) =>
      trained(w, runtime, parent, steps, { training: { seed: w.spec.training.seed + 1 } }),
  },
  { name: "learning rate off by 10 %", claim: rate(1.1) },
  { name: "learning rate off by 1 %", claim: rate(1.01) },
  {
    name: "every second label changed",
    claim: (w, runtime, parent, steps) =>
      trained(w, runtime, parent, steps, { data: relabelled(w, (example) => example % 2 === 0) }),
  },
  {
    name: "one label of the interval changed",
    claim: (w, runtime, parent, steps) => {
      const { seed, batch } = w.spec.training;
      // In the middle of the interval: one that no step of it draws would change nothing.
      const drawn = batchIndices(seed, parent.step + Math.floor(steps / 2), w.train.examples, batch)[0];
      return trained(w, runtime, parent, steps, { data: relabelled(w, (example) => example === drawn) });
    },
  },
  {
    name: "moments reset",
    needsMoments: true,
    claim: (w, runtime, parent, steps) => {
      const zeros = () => new Float32Array(parent.m.length);
      return trained(w, runtime, { ...parent, m: zeros(), v: zeros() }, steps);
    },
  },
];
