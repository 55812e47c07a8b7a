// Run by webgpu.test.ts in a process of its own, because a Vulkan driver is chosen by the environment: trains a small model on WebGPU and
// prints how far its update lies from the CPU's.

import { replay } from "../replay/replay.ts";
import { updateDistance } from "../replay/updateDistance.ts";
import { createNativeRuntime } from "../runtimes/native.ts";
import { createWebGpuRuntime } from "../runtimes/webgpu.ts";
import { initialState } from "../state/initialState.ts";
import { copyState } from "../state/state.ts";
import { createTrainer } from "../trainer/createTrainer.ts";
import { tinyJob } from "./tinyJob.ts";

const STEPS = 3;
const { program, train } = tinyJob({ training: { batch: 8, microBatchCap: 8 } });
const state = initialState(program);
const runtime = await createWebGpuRuntime();
const trainer = await createTrainer({ program, runtime, data: train, state, microBatch: 4 });
const losses: number[] = [];
for (let i = 0; i < STEPS; i++) losses.push((await trainer.step()).loss);
let unread: unknown;
try {
  trainer.state();
} catch (error) {
  unread = (error as { code?: unknown }).code;
}
await trainer.sync();
const cpu = await replay({ program, runtime: createNativeRuntime({ threads: 1 }), data: train, state }, STEPS);
const distance = updateDistance(state, cpu.state, trainer.state());
// Going on from what was read back: a device sums a gradient's repeated rows in no fixed order, so this is close, not equal.
const middle = copyState(trainer.state());
await trainer.step();
await trainer.sync();
const onwards = copyState(trainer.state());
trainer.load(middle);
await trainer.step();
await trainer.sync();
const resumed = updateDistance(middle, onwards, trainer.state());
console.log(JSON.stringify({ losses, distance, unread, resumed, step: trainer.state().step }));
process.exit(0);
