import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** Options that the training benches share. */
export interface BenchOptions {
  /** where to write the figures as JSON */
  readonly json: string | undefined;
  /** only these templates or cases */
  readonly only: readonly string[];
  readonly threads: number;
  /** `small` fits machines that are slow or busy, and software GPUs */
  readonly scale: "demo" | "small";
}

/** Reads `--json FILE`, `--only NAME` (may be repeated), `--threads N` and `--scale small`; anything else ends the process with a hint. */
export function readOptions(): BenchOptions {
  try {
    const { values } = parseArgs({
      options: {
        json: { type: "string" },
        only: { type: "string", multiple: true, default: [] },
        threads: { type: "string", default: "2" },
        scale: { type: "string", default: "demo" },
      },
    });
    const threads = Number(values.threads);
    if (!Number.isInteger(threads) || threads < 1)
      throw new Error(`--threads needs a whole number, not "${values.threads}"`);
    if (values.scale !== "demo" && values.scale !== "small") throw new Error("--scale is demo or small");
    return { json: values.json, only: values.only, threads, scale: values.scale };
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : error}`);
    console.error("  hint: options are --json FILE, --only NAME, --threads N, --scale demo|small");
    process.exit(2);
  }
}

/** Writes the figures where `--json` says, if it says. */
export function writeJson(path: string | undefined, figures: unknown): void {
  if (path === undefined) return;
  writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`);
}
