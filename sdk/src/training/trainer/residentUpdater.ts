import { gather } from "../data/gather.ts";
import { TrainingError } from "../errors.ts";
import { GraphBuilder } from "../graph/builder.ts";
import { binary } from "../graph/primitives.ts";
import { biasCorrections } from "../optimizer/adamw.ts";
import type { DeviceTensor, HostTensor, ResidentRuntime, ResidentSession } from "../runtimes/runtime.ts";
import { createFitting } from "./fitting.ts";
import type { StateVectors, TrainerParameters, Updater } from "./parameters.ts";

type Vectors = Record<keyof StateVectors, DeviceTensor | HostTensor>;

/** Adds two flat vectors; reads a flat vector back (a device tensor cannot be read directly). */
function flatGraph(name: "add" | "read", size: number): Uint8Array {
  const g = new GraphBuilder(name);
  const a = g.input("a", "float32", [size]);
  g.output("out", name === "add" ? binary(g, "Add", a, g.input("b", "float32", [size])) : a);
  return g.encode();
}

/** State on the device: a step moves a batch there and a loss back, nothing else. */
export async function createResidentUpdater(parameters: TrainerParameters, device: ResidentRuntime): Promise<Updater> {
  const { program, data, base, microBatch } = parameters;
  const { spec, layout, columns, labels } = program;
  const { batch, microBatchCap, optimizer } = spec.training;
  const fed = labels ? [...columns, labels] : columns;
  const flat = (values: Float32Array): HostTensor => ({ dtype: "float32", shape: [values.length], data: values });
  const scalar = (value: number): HostTensor => ({ dtype: "float32", shape: [], data: Float32Array.of(value) });
  const apply = await device.createResidentSession(program.apply, ["params2", "m2", "v2"]);
  const add = await device.createResidentSession(flatGraph("add", layout.size), ["out"]);
  const read = await device.createResidentSession(flatGraph("read", layout.size), []);
  const fitting = await createFitting(spec, Math.min(microBatch ?? batch, microBatchCap), (unit) =>
    device.createResidentSession(program.grad(unit), ["gradSum"]),
  );
  let vectors: Vectors | undefined;
  let host: StateVectors | undefined;

  const current = (): Vectors => {
    if (vectors === undefined) throw new TrainingError("BAD_INPUT", "No state was loaded.");
    return vectors;
  };

  async function gradient(session: ResidentSession, unit: number, indices: Uint32Array) {
    let sum: DeviceTensor | undefined;
    let lossSum = 0;
    try {
      for (let from = 0; from < batch; from += unit) {
        const part = gather(data, fed, indices.subarray(from, from + unit));
        const feeds = { params: current().params, ...(base ? { base: flat(base) } : {}), ...part };
        const { resident, host: read } = await session.run(feeds);
        lossSum += read.lossSum?.data[0] ?? Number.NaN;
        const next = resident.gradSum as DeviceTensor;
        if (sum === undefined) sum = next;
        else {
          const added = (await add.run({ a: sum, b: next })).resident.out as DeviceTensor;
          sum.dispose();
          next.dispose();
          sum = added;
        }
      }
    } catch (error) {
      sum?.dispose();
      throw error;
    }
    return { gradSum: sum as DeviceTensor, lossSum };
  }

  return {
    async update(indices, { scale, learningRate, step }) {
      const { gradSum, lossSum } = await fitting.run((session, unit) => gradient(session, unit, indices));
      const { first, second } = biasCorrections(optimizer, step);
      const before = current();
      const scalars = {
        scale: scalar(scale),
        rate: scalar(learningRate),
        first: scalar(first),
        second: scalar(second),
      };
      const { resident } = await apply.run({ ...before, gradSum, ...scalars });
      gradSum.dispose();
      disposeAll(before);
      vectors = {
        params: resident.params2 as DeviceTensor,
        m: resident.m2 as DeviceTensor,
        v: resident.v2 as DeviceTensor,
      };
      host = undefined;
      return lossSum;
    },
    load(state) {
      if (vectors) disposeAll(vectors);
      // Uploaded by the first run that reads them.
      host = { params: state.params.slice(), m: state.m.slice(), v: state.v.slice() };
      vectors = { params: flat(host.params), m: flat(host.m), v: flat(host.v) };
    },
    async sync() {
      if (host !== undefined) return;
      const fetched = async (a: DeviceTensor | HostTensor) => (await read.run({ a })).host.out?.data as Float32Array;
      const { params, m, v } = current();
      host = { params: await fetched(params), m: await fetched(m), v: await fetched(v) };
    },
    vectors() {
      if (host === undefined)
        throw new TrainingError("BAD_INPUT", "The state lies on the device: await sync() before reading it.");
      return host;
    },
    get microBatch() {
      return fitting.unit;
    },
    async close() {
      if (vectors) disposeAll(vectors);
      vectors = undefined;
      await fitting.close();
      for (const session of [apply, add, read]) await session.release();
    },
  };
}

function disposeAll(vectors: Vectors): void {
  for (const tensor of Object.values(vectors)) if ("dispose" in tensor) tensor.dispose();
}
