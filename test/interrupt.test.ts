// Ctrl-C at any moment of the demo leaves no process, no port and no temporary directory.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { freePort } from "../script/lib/processes.ts";
import { root } from "../script/lib/root.ts";

/** Ids of the processes that have the marker in their environment. */
function marked(marker: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").includes(marker);
    } catch {
      return false; // Ended meanwhile.
    }
  });
}

describe.skipIf(!existsSync("/proc/self/environ"))("npm run demo, interrupted", () => {
  // Side by side: what is left behind does not hang on the pace.
  test.concurrent.each([
    ["while the contracts are deployed", "deploying the contracts"],
    ["while the verifiers start", "starting 3 verifiers"],
    ["while it measures the bare loop", "measuring the bare training loop"],
    ["while a provider trains", "trains from step 0"],
  ])("%s", async (_, line) => {
    const marker = `GPUCHAIN_TEST_MARKER=${process.pid}-${line.replaceAll(" ", "-")}`;
    const [name = "", value = ""] = marker.split("=");
    const port = await freePort();
    // A folder for temporary files of its own: other tests may run beside this one.
    const temporary = mkdtempSync(path.join(tmpdir(), "gpuchain-test-"));
    const demo = spawn(
      process.execPath,
      [path.join(root, "script/dist/demo.js"), "--block-time", "1", "--steps", "150", "--rpc-port", String(port)],
      { env: { ...process.env, [name]: value, TMPDIR: temporary }, stdio: ["ignore", "pipe", "pipe"] },
    );
    const output: string[] = [];
    const exited = new Promise<number | null>((resolve) => demo.on("exit", resolve));
    createInterface({ input: demo.stdout }).on("line", (text) => {
      output.push(text);
      if (text.includes(line)) demo.kill("SIGINT");
    });
    createInterface({ input: demo.stderr }).on("line", (text) => output.push(text));
    expect(await exited, output.join("\n")).toBe(130);
    expect(output.some((text) => text.includes(line))).toBe(true);
    // The reaper is the last to go; it ends once the pipe to it is closed.
    while (marked(marker).length > 0) await new Promise((resolve) => setImmediate(resolve));
    await expect(freePort(port)).resolves.toBe(port);
    // Node's own cache of compiled code is no leftover of the run.
    expect(readdirSync(temporary).filter((one) => one.startsWith("gpuchain-"))).toEqual([]);
    rmSync(temporary, { recursive: true, force: true });
  });
});
