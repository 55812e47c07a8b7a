// Run by tests in a process of its own: prints the state's hash after three steps of the tiny job of the class in argv.
import { createNativeRuntime } from "../runtimes/native.ts";
import { createWasmRuntime } from "../runtimes/wasm.ts";
import { stateHash } from "../state/checkpoint.ts";
import { initialState } from "../state/initialState.ts";
import { createTrainer } from "../trainer/createTrainer.ts";
import { tinyJob } from "./tinyJob.ts";

const canonical = process.argv[2] === "canonical";
const { program, train } = tinyJob(canonical ? { class: "canonical" } : {});
const runtime = canonical ? createWasmRuntime({ threads: 2 }) : createNativeRuntime({ threads: 2 });
const trainer = await createTrainer({ program, runtime, data: train, state: initialState(program) });
for (let i = 0; i < 3; i++) await trainer.step();
console.log(stateHash(program, trainer.state()));
process.exit(0);
