// Writes fixtures/reference.json anew: run it only when graphs or kernels were meant to change.
//   node --conditions=source --import=tsx sdk/src/training/testing/recordReference.ts
import { writeFileSync } from "node:fs";
import { TEMPLATES } from "../../records/index.ts";
import { createWasmRuntime } from "../runtimes/wasm.ts";
import { type Reference, reference } from "./reference.ts";

const runtime = createWasmRuntime({ threads: 1 });
const all: Record<string, Reference> = {};
for (const template of TEMPLATES) all[template] = (await reference(template, runtime)).reference;
writeFileSync(new URL("./fixtures/reference.json", import.meta.url), `${JSON.stringify(all, null, 2)}\n`);
process.exit(0);
