import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { TEMPLATES } from "../../records/index.ts";
import { DISTANCE_LIMITS, withinLimits } from "../replay/updateDistance.ts";
import { createCudaRuntime } from "./cuda.ts";

/** Debian's chromium-common brings a Vulkan driver in software, and a loader. */
const CHROMIUM = "/usr/lib/chromium";
const DRIVER = `${CHROMIUM}/vk_swiftshader_icd.json`;
const present = existsSync(DRIVER);
if (!present)
  console.warn(`SKIPPED: WebGPU is not tested, because there is no SwiftShader (${DRIVER}, of chromium-common).`);

describe("webgpu", () => {
  it.skipIf(!present).each(TEMPLATES)(
    "trains %s with its state on the device, as far from the CPU as honest work may be",
    { timeout: 240_000 },
    async (template) => {
      const script = fileURLToPath(new URL("../testing/webgpuInProcess.ts", import.meta.url));
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--conditions=source", "--import=tsx", script, template],
        {
          env: { ...process.env, VK_ICD_FILENAMES: DRIVER, LD_LIBRARY_PATH: CHROMIUM },
        },
      );
      const outcome = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
      expect(outcome).toMatchObject({ step: 4, unread: "BAD_INPUT" });
      const limits = DISTANCE_LIMITS[template];
      expect(withinLimits(outcome.distance, limits)).toBe(true);
      expect(withinLimits(outcome.resumed, limits)).toBe(true);
      expect(outcome.distance.params).toBeGreaterThan(0);
    },
  );

  it("says why it is not available, and does not fall back", async () => {
    const code =
      'import("./webgpu.ts").then((m) => m.createWebGpuRuntime()).then(() => console.log("ran"), (e) => console.log(e.code, e.message))';
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=source", "--import=tsx", "-e", code],
      {
        cwd: fileURLToPath(new URL(".", import.meta.url)),
        // A driver that does not exist: no adapter on any machine.
        env: { ...process.env, VK_ICD_FILENAMES: "/nonexistent.json", VK_DRIVER_FILES: "/nonexistent.json" },
      },
    );
    expect(stdout).toMatch(/^RUNTIME_UNAVAILABLE The runtime "webgpu" is not available here: no WebGPU adapter/m);
  });
});

describe("cuda", () => {
  it("says what to install where it is missing", async () => {
    const outcome = await createCudaRuntime().then(
      ({ name }) => name,
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );
    if (outcome !== "cuda") expect(outcome).toMatch(/RUNTIME_UNAVAILABLE: .*CUDA provider is not installed/);
  });
});
