// Run by tests in a process of its own: prints the state's hash after three steps of the tiny job of each class, as JSON.
import { createNativeRuntime } from "../runtimes/native.ts";
import { createWasmRuntime } from "../runtimes/wasm.ts";
import { stateHash } from "../state/checkpoint.ts";
import { initialState } from "../state/initialState.ts";
import { createTrainer } from "../trainer/createTrainer.ts";
import { tinyJob } from "./tinyJob.ts";

const hashes: Record<string, string> = {};
for (const jobClass of ["native", "canonical"] as const) {
  const { program, train } = tinyJob({ class: jobClass });
  const runtime = jobClass === "canonical" ? createWasmRuntime({ threads: 2 }) : createNativeRuntime({ threads: 2 });
  const trainer = await createTrainer({ program, runtime, data: train, state: initialState(program) });
  for (let i = 0; i < 3; i++) await trainer.step();
  hashes[jobClass] = stateHash(program, trainer.state());
}
console.log(JSON.stringify(hashes));
process.exit(0);
