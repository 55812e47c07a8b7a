import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const program = join(import.meta.dirname, "../../script/dist/chaos/main.js");
const run = promisify(execFile);

interface Results {
  readonly stories: readonly { readonly faults: readonly string[]; readonly violations: readonly string[] }[];
  readonly endings: readonly { readonly violations: readonly string[] }[];
}

// The whole of it is `npm run chaos -- --stories 60`; these six go with every run of the tests.
const built = existsSync(program);
if (!built) process.stderr.write("SKIPPED: chaos: script/dist is missing (npm run build)\n");

it.skipIf(!built)(
  "whatever six seeded stories of faults do to a network, nothing is lost, doubled, stuck, or wrongly evicted",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "chaos-"));
    const json = join(folder, "results.json");
    const args = [program, "--stories", "6", "--seed", "4", "--verifiers", "3", "--folder", folder, "--json", json];
    try {
      const { stdout } = await run(process.execPath, args, { maxBuffer: 1 << 26 }).catch(
        (error: { stdout?: string }) => ({
          stdout: `${error.stdout}${error}`,
        }),
      );
      const skipped = stdout.split("\n").filter((line) => line.startsWith("SKIPPED"));
      if (skipped.length > 0) process.stderr.write(`${skipped.join("\n")}\n`);
      expect(existsSync(json), stdout).toBe(true);
      const { stories, endings } = JSON.parse(readFileSync(json, "utf8")) as Results;
      expect(stories).toHaveLength(6);
      expect(stories.filter(({ violations }) => violations.length > 0)).toEqual([]);
      expect(endings).toEqual([expect.objectContaining({ violations: [] })]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  300_000,
);
