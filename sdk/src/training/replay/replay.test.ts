import { beforeAll, describe, expect, it } from "vitest";
import type { Dataset } from "../data/dataset.ts";
import { createNativeRuntime } from "../runtimes/native.ts";
import { createWasmRuntime } from "../runtimes/wasm.ts";
import { stateHash } from "../state/checkpoint.ts";
import { initialState } from "../state/initialState.ts";
import { copyState, type TrainingState } from "../state/state.ts";
import { noise } from "../testing/checkGradients.ts";
import { tinyJob } from "../testing/tinyJob.ts";
import { createTrainer } from "../trainer/createTrainer.ts";
import { replay } from "./replay.ts";
import { DISTANCE_LIMITS, updateDistance, withinLimits } from "./updateDistance.ts";

const STEPS = 5;
const LIMITS = DISTANCE_LIMITS["text-classification"];
const job = tinyJob();
const { program, train } = job;
const native = createNativeRuntime({ threads: 2 });
const wasm = createWasmRuntime({ threads: 1 });

let parent: TrainingState;
let honest: TrainingState;
let replayed: TrainingState;

beforeAll(async () => {
  const trainer = await createTrainer({ program, runtime: native, data: train, state: initialState(program) });
  for (let i = 0; i < 10; i++) await trainer.step();
  parent = copyState(trainer.state());
  await trainer.close();
  honest = (await replay({ program, runtime: native, data: train, state: parent }, STEPS)).state;
  replayed = (await replay({ program, runtime: wasm, data: train, state: parent }, STEPS)).state;
});

/** The same five steps by someone who changes something. */
async function cheat(change: {
  data?: Dataset;
  training?: Partial<typeof job.spec.training>;
  from?: TrainingState;
  steps?: number;
}) {
  const other = change.training ? tinyJob({ training: change.training }).program : program;
  const parameters = { program: other, runtime: native, data: change.data ?? train, state: change.from ?? parent };
  return (await replay(parameters, change.steps ?? STEPS)).state;
}

function relabelled(): Dataset {
  const labels = train.columns.labels?.data.slice() as Int32Array;
  for (let i = 0; i < 200; i += 7) labels[i] = ((labels[i] as number) + 1) % 3;
  return { ...train, columns: { ...train.columns, labels: { dtype: "int32", width: 1, data: labels } } };
}

const jittered = (values: Float32Array, by: number, seed: number) => {
  const random = noise(values.length, seed);
  return values.map((x, i) => x + by * (random[i] as number));
};

describe("replay", () => {
  it("accepts honest work that ran on another runtime, with room to spare", () => {
    const distance = updateDistance(parent, replayed, honest);
    expect(distance.params).toBeLessThan(LIMITS.params / 10);
    expect(distance.moment).toBeLessThan(LIMITS.moment / 3);
    expect(withinLimits(distance, LIMITS)).toBe(true);
  });

  it("gives the same bits twice on one runtime, and the digest of its batches", async () => {
    const again = await replay({ program, runtime: wasm, data: train, state: parent }, STEPS);
    expect(stateHash(program, again.state)).toBe(stateHash(program, replayed));
    expect(again.batchDigest).toMatch(/^0x[0-9a-f]{64}$/);
  });

  const learning = job.spec.training.schedule;
  it.each<[string, () => Promise<TrainingState>]>([
    ["no step at all", async () => parent],
    ["the parent plus tiny noise", async () => ({ ...parent, params: jittered(parent.params, 1e-4, 1) })],
    ["one step skipped", () => cheat({ steps: STEPS - 1 })],
    ["other data", () => cheat({ training: { seed: 99 } })],
    [
      "a learning rate off by 10 %",
      () => cheat({ training: { schedule: { ...learning, peak: learning.peak * 1.1 } } }),
    ],
    [
      "a learning rate off by 1 %",
      () => cheat({ training: { schedule: { ...learning, peak: learning.peak * 1.01 } } }),
    ],
    ["some labels flipped", () => cheat({ data: relabelled() })],
    [
      "moments reset before",
      () => cheat({ from: { ...parent, m: new Float32Array(parent.m.length), v: new Float32Array(parent.v.length) } }),
    ],
    ["junk of the right size", async () => ({ ...parent, params: noise(parent.params.length, 3) })],
    ["an honest end with its second moment cleared", async () => ({ ...honest, v: new Float32Array(honest.v.length) })],
    ["an honest end with its first moment cleared", async () => ({ ...honest, m: new Float32Array(honest.m.length) })],
    [
      "an honest end with one weight that is no number",
      async () => ({ ...honest, params: honest.params.with(3, Number.NaN) }),
    ],
  ])("refuses %s, by a factor of ten", async (_, claimed) => {
    const distance = updateDistance(parent, replayed, await claimed());
    expect(withinLimits(distance, LIMITS)).toBe(false);
    expect(distance.params < 10 * LIMITS.params && distance.moment < 10 * LIMITS.moment).toBe(false);
  });

  it("refuses to replay nothing", async () => {
    await expect(replay({ program, runtime: native, data: train, state: parent }, 0)).rejects.toMatchObject({
      code: "BAD_INPUT",
    });
  });
});

describe("updateDistance", () => {
  const at = (...params: number[]) => ({
    step: 1,
    params: Float32Array.from(params),
    m: new Float32Array(1),
    v: new Float32Array(1),
  });

  it("is relative to the replayed update", () => {
    expect(updateDistance(at(1, 1), at(1, 5), at(4, 5)).params).toBeCloseTo(3 / 4, 12);
  });

  it("is 0 where nothing changed, Infinity where only the claim did", () => {
    expect(updateDistance(at(1), at(1), at(1)).params).toBe(0);
    expect(updateDistance(at(1), at(1), at(2)).params).toBe(Number.POSITIVE_INFINITY);
  });
});
