// Run by gpu.test.ts in a process of its own, because a Vulkan driver is chosen by the environment: trains the small model of the template in
// its argument on WebGPU and prints how far its update lies from the CPU's.

import type { Template } from "../../records/index.ts";
import { replay } from "../replay/replay.ts";
import { updateDistance } from "../replay/updateDistance.ts";
import { createNativeRuntime } from "../runtimes/native.ts";
import { createWebGpuRuntime } from "../runtimes/webgpu.ts";
import { initialState } from "../state/initialState.ts";
import { copyState } from "../state/state.ts";
import { createTrainer } from "../trainer/createTrainer.ts";
import { TEMPLATE_JOBS } from "./templateJobs.ts";

const STEPS = 3;
const { program, train, base } = TEMPLATE_JOBS[process.argv[2] as Template]();
const withBase = base ? { base } : {};
const state = initialState(program);
const runtime = await createWebGpuRuntime();
const trainer = await createTrainer({ program, runtime, data: train, state, microBatch: 16, ...withBase });
const losses: number[] = [];
for (let i = 0; i < STEPS; i++) losses.push((await trainer.step()).loss);
let unread: unknown;
try {
  trainer.state();
} catch (error) {
  unread = (error as { code?: unknown }).code;
}
await trainer.sync();
const cpu = await replay(
  { program, runtime: createNativeRuntime({ threads: 1 }), data: train, state, ...withBase },
  STEPS,
);
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
