// One measurement of a model of DistilBERT's size in a process of its own, so that its peak memory is its own: started by training.ts with
// the kind and the number of threads, answers over the channel.
import { createNativeRuntime } from "@gpuchain/sdk/training/native";
import { distilbertWorkload } from "../../workloads/distilbert.ts";
import { measureSteps } from "./measureSteps.ts";

const [kind, threads] = process.argv.slice(2);
if (kind !== "full" && kind !== "lora") throw new Error(`full or lora, not ${kind}`);
const runtime = createNativeRuntime({ threads: Number(threads) });
const row = await measureSteps(distilbertWorkload(kind), `distilbert-${kind}`, runtime);
process.send?.(row, () => process.exit(0));
