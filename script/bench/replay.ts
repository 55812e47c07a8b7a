// Update distances of honest and dishonest work, per template, on native, WASM and WebGPU: the table behind the limits of replay.

import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TEMPLATES, type Template } from "@gpuchain/sdk/records";
import { DISTANCE_LIMITS } from "@gpuchain/sdk/training";
import { createNativeRuntime } from "@gpuchain/sdk/training/native";
import { createWasmRuntime } from "@gpuchain/sdk/training/wasm";
import { templateWorkload } from "../workloads/templates.ts";
import { type DistanceRow, INTERVAL, measureDistances } from "./lib/distances.ts";
import { readOptions, writeJson } from "./lib/output.ts";
import { table } from "./lib/table.ts";
import type { WebGpuAnswer } from "./lib/webgpuDistances.ts";

/** Measured on WebGPU too: at sizes that fit a GPU in software. */
const ON_WEBGPU: readonly Template[] = ["text-classification", "mlp"];
/** Debian's chromium-common brings a Vulkan driver in software, and a loader; another driver is used where there is none. */
const SOFTWARE_GPU = "/usr/lib/chromium";

async function webGpuRows(template: Template): Promise<readonly DistanceRow[]> {
  const driver = `${SOFTWARE_GPU}/vk_swiftshader_icd.json`;
  const env = existsSync(driver) ? { VK_ICD_FILENAMES: driver, LD_LIBRARY_PATH: SOFTWARE_GPU } : {};
  const script = fileURLToPath(new URL("./lib/webgpuDistances.js", import.meta.url));
  const child = fork(script, [template], { env: { ...process.env, ...env } });
  const exited = once(child, "exit").then(
    ([code]): WebGpuAnswer => ({ reason: `its process ended with code ${code}` }),
  );
  const answered = once(child, "message").then(([message]) => message as WebGpuAnswer);
  const answer = await Promise.race([answered, exited]);
  await exited;
  if ("rows" in answer) return answer.rows;
  console.log(`\nNOT MEASURED: ${template} on WebGPU: ${answer.reason}`);
  return [];
}

/** How far the least dishonest work lies above its limit and the honest below, each by the measure that decides. */
function summary(template: Template, rows: readonly DistanceRow[]) {
  const limits = DISTANCE_LIMITS[template];
  const reach = (row: DistanceRow) => Math.max(row.params / limits.params, row.moment / limits.moment);
  const honest = Math.max(...rows.filter((row) => row.honest).map(reach));
  const dishonest = Math.min(...rows.filter((row) => !row.honest).map(reach));
  return { honestOfLimit: honest, dishonestOfLimit: dishonest, apart: dishonest / honest };
}

function report(title: string, template: Template, rows: readonly DistanceRow[]): void {
  const digits = (value: number) => value.toExponential(1);
  const { params, moment } = DISTANCE_LIMITS[template];
  console.log(`\n${title}: judged on WASM, ${INTERVAL} steps, limits ${digits(params)} and ${digits(moment)}\n`);
  console.log(
    table(
      ["work", "from step", "d(params)", "d(moments)"],
      rows.map((row) => [row.work, String(row.parent), digits(row.params), digits(row.moment)]),
    ),
  );
  const { honestOfLimit, dishonestOfLimit, apart } = summary(template, rows);
  console.log(
    `\nhonest ≤ ${honestOfLimit.toFixed(3)} of a limit, dishonest ≥ ${dishonestOfLimit.toFixed(1)} of one: ${apart.toFixed(0)}× apart`,
  );
  all.push(...rows.map((row) => ({ title, ...row })));
  summaries[title] = summary(template, rows);
}

const options = readOptions();
const native = createNativeRuntime({ threads: options.threads });
const wasm = createWasmRuntime({ threads: 1 });
const runtimes = { parents: native, judge: wasm, cheats: native };
const honest = [
  { work: "honest, native", runtime: native },
  { work: "honest, native in micro-batches of 8", runtime: native, microBatch: 8 },
];
const all: (DistanceRow & { readonly title: string })[] = [];
const summaries: Record<string, ReturnType<typeof summary>> = {};
for (const template of TEMPLATES) {
  if (options.only.length > 0 && !options.only.includes(template)) continue;
  // The perceptron has one size.
  const demo = template === "mlp" ? [] : [options.scale];
  const scales = new Set([...demo, ...(ON_WEBGPU.includes(template) ? ["small" as const] : [])]);
  for (const scale of scales) {
    const rows = await measureDistances(templateWorkload(template, scale), runtimes, honest);
    const onGpu = scale === "small" ? await webGpuRows(template) : [];
    const title = scale === "small" && template !== "mlp" ? `${template}, small` : template;
    report(title, template, [...rows.filter((row) => row.honest), ...onGpu, ...rows.filter((row) => !row.honest)]);
  }
}
writeJson(options.json, { limits: DISTANCE_LIMITS, interval: INTERVAL, templates: summaries, rows: all });
process.exit(
  Object.values(summaries).every(
    ({ honestOfLimit, dishonestOfLimit, apart }) => honestOfLimit < 1 && dishonestOfLimit > 1 && apart >= 10,
  )
    ? 0
    : 1,
);
