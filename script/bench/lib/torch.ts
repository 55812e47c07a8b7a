import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { JobSpec } from "@gpuchain/sdk/records";
import { root } from "../../lib/root.ts";

/**
 * Milliseconds of a training step of the same model in PyTorch on the CPU (the median), measured now, by `torchStep.py`.
 *
 * @returns undefined where python3 has no torch, or the model is not among those that the script builds
 */
export function torchSteps(spec: JobSpec, threads: number): number | undefined {
  const script = fileURLToPath(new URL("script/bench/lib/torchStep.py", `file://${root}/`));
  const input = JSON.stringify({ model: spec.model, training: spec.training, threads });
  const done = spawnSync("python3", [script], { input, encoding: "utf8", timeout: 300_000 });
  if (done.error || done.status !== 0) return undefined;
  const ms = Number(done.stdout.trim());
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
