import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bareLoop } from "../lib/bareLoop.ts";
import { spamWorkload } from "../workloads/spam.ts";
import type { BenchContext, Section } from "./section.ts";

const RUNS = [
  { runtime: "native", threads: 1, steps: 60 },
  { runtime: "native", threads: 2, steps: 60 },
  { runtime: "wasm", threads: 1, steps: 20 },
  { runtime: "wasm", threads: 2, steps: 20 },
] as const;

/** Steps per second of the demo's model on each runtime, with nothing else around it. */
export async function measureRuntimes({ signal, say }: BenchContext): Promise<Section[]> {
  const directory = mkdtempSync(path.join(tmpdir(), "gpuchain-bench-"));
  try {
    const workload = spamWorkload();
    const rows: Section["rows"] = [];
    const data: Record<string, unknown> = {};
    for (const { runtime, threads, steps } of RUNS) {
      say(`${runtime}, ${threads} thread(s)`);
      const result = await bareLoop({ workload, steps, directory, threads, runtime, signal });
      rows.push([
        `${runtime}, ${threads} thread${threads > 1 ? "s" : ""}`,
        `${result.stepsPerSecond.toFixed(1)} steps/s`,
      ]);
      data[`${runtime}-${threads}`] = result;
    }
    return [{ title: "bare training loop, the demo's model", rows, data }];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
