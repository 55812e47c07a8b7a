import type { BertLoraModel } from "../../records/index.ts";
import { batchIndices } from "../data/batchIndices.ts";
import { architectureOf } from "../models/architectureOf.ts";
import { layoutOf, tensorView } from "../models/layout.ts";
import { learningRate } from "../optimizer/learningRate.ts";
import { initialState } from "../state/initialState.ts";
import { noise } from "./checkGradients.ts";
import { BERT, randomBase, TEMPLATE_JOBS, type TemplateJob } from "./templateJobs.ts";
import { tinyJob } from "./tinyJob.ts";

/** Steps that PyTorch and we take from the same weights on the same batches. */
export const TORCH_STEPS = 5;

/** What PyTorch computed, as `recordTorch.ts` wrote it: base64 of little-endian float32 in the order of the layout. */
export interface TorchReference {
  readonly lossSum: number;
  readonly gradient: string;
  readonly after: string;
}

const DISTILBERT: BertLoraModel = { ...BERT, family: "distilbert", layers: 2, targets: ["q", "v"] };

/** The jobs that are held against PyTorch: one of each template, and both families of LoRA. */
export const TORCH_JOBS: Readonly<Record<string, () => TemplateJob>> = {
  ...TEMPLATE_JOBS,
  distilbert: () => ({
    ...tinyJob({ template: "text-classification-lora", model: DISTILBERT }),
    base: randomBase(DISTILBERT),
  }),
};

/** Weights of which none is zero or one: in fresh ones whole paths are silent. */
export const startingParams = ({ program }: TemplateJob): Float32Array => {
  const away = noise(program.layout.size, 900);
  return initialState(program).params.map((x, i) => x + 0.1 * (away[i] as number));
};

/** The job as JSON for `torchReference.py`. */
export function torchInput(job: TemplateJob) {
  const { program, train, spec } = job;
  const { batch, seed, steps, schedule, optimizer } = spec.training;
  const tensors = (layout: ReturnType<typeof layoutOf>, values: Float32Array) =>
    Object.fromEntries(
      layout.entries.map((entry) => [entry.name, { shape: entry.shape, data: [...tensorView(values, entry)] }]),
    );
  const order = Array.from({ length: TORCH_STEPS }, (_, step) => step);
  return {
    model: spec.model,
    optimizer,
    params: tensors(program.layout, startingParams(job)),
    base: job.base ? tensors(layoutOf(architectureOf(spec.model).frozen(spec.model)), job.base) : {},
    rates: order.map((step) => learningRate(schedule, step, steps)),
    batches: order.map((step) => {
      const rows = batchIndices(seed, step, train.examples, batch);
      return Object.fromEntries(
        Object.entries(train.columns).map(([name, { dtype, width, data }]) => {
          const cells = [...rows].flatMap((row) => [...data.subarray(row * width, (row + 1) * width)]);
          const isScalar = name === "labels";
          return [name, { dtype, shape: isScalar ? [batch] : [batch, width], data: cells }];
        }),
      );
    }),
  };
}
