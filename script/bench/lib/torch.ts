import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JobSpec } from "@gpuchain/sdk/records";
import { root } from "../../lib/root.ts";

export interface TorchSteps {
  /** wall-clock time of a training step, the median */
  readonly stepMs: number;
  /** processor time of a step, all threads together */
  readonly stepCpuMs: number;
  /** PyTorch's version, and the kernels that OpenBLAS was told to use where that was faster than its own choice */
  readonly version: string;
}

/** Debian's python3-torch belongs to the system's Python, which need not be the first one in the path. */
const PYTHONS = [...new Set([process.env.PYTHON ?? "python3", "/usr/bin/python3"])];

/**
 * Times a training step of the same model in PyTorch on the CPU, now, by `torchStep.py`. OpenBLAS of Debian 12 does not know newer
 * processors and takes old kernels there; where AVX-512 is present it is measured with those kernels too, and the faster counts.
 *
 * @returns undefined where no Python has torch
 */
export function torchSteps(spec: JobSpec, threads: number): TorchSteps | undefined {
  const input = JSON.stringify({ model: spec.model, training: spec.training, threads });
  const kernels = [undefined, ...(hasAvx512() ? ["SKYLAKEX"] : [])];
  const measured = kernels.flatMap((kernel) => measure(input, threads, kernel) ?? []);
  return measured.sort((a, b) => a.stepMs - b.stepMs)[0];
}

const hasAvx512 = () => existsSync("/proc/cpuinfo") && readFileSync("/proc/cpuinfo", "utf8").includes(" avx512f ");

function measure(input: string, threads: number, kernel: string | undefined): TorchSteps | undefined {
  const env = {
    ...process.env,
    OPENBLAS_NUM_THREADS: String(threads),
    ...(kernel ? { OPENBLAS_CORETYPE: kernel } : {}),
  };
  for (const python of PYTHONS) {
    const done = spawnSync(python, [join(root, "script/bench/lib/torchStep.py")], {
      input,
      encoding: "utf8",
      timeout: 300_000,
      env,
    });
    // 3: this Python has no torch. No such Python at all is the same to us.
    if (done.error || done.status === 3) continue;
    if (done.status !== 0) throw new Error(`torchStep.py failed: ${done.stderr.trim().slice(-500)}`);
    const steps = JSON.parse(done.stdout) as TorchSteps;
    return kernel ? { ...steps, version: `${steps.version}, ${kernel} kernels` } : steps;
  }
  return undefined;
}
