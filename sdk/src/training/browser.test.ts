import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeJobSpec } from "../records/index.ts";
import { encodeDataset } from "./data/dataset.ts";
import { auditInterval, type IntervalAudit, type IntervalFiles } from "./replay/auditInterval.ts";
import { createNativeRuntime } from "./runtimes/native.ts";
import { createWasmRuntime } from "./runtimes/wasm.ts";
import { encodeCheckpoint } from "./state/checkpoint.ts";
import { initialState } from "./state/initialState.ts";
import { chromiumPath, launchChromium } from "./testing/chromium.ts";
import { ORT_FILES, servePage } from "./testing/servePage.ts";
import { tinyJob } from "./testing/tinyJob.ts";
import { createTrainer } from "./trainer/createTrainer.ts";

const executable = chromiumPath();
if (!executable) console.warn("SKIPPED: replay in a browser, because no Chromium is installed (set CHROMIUM_PATH).");

const MAX_CODE_BYTES = 4e6;

describe.skipIf(!executable)("the browser entry", { timeout: 120_000 }, () => {
  let directory: string;
  let browser: Browser;
  let files: IntervalFiles;
  let inNode: IntervalAudit;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "gpuchain-page-"));
    await build({
      configFile: false,
      root: fileURLToPath(new URL("./testing/page", import.meta.url)),
      logLevel: "error",
      resolve: { conditions: ["source", "onnxruntime-web-use-extern-wasm", "browser", "module", "import", "default"] },
      build: { outDir: directory, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
    });
    const { program, train, spec } = tinyJob();
    const runtime = createNativeRuntime({ threads: 1 });
    const trainer = await createTrainer({ program, runtime, data: train, state: initialState(program) });
    const from = encodeCheckpoint(program, trainer.state());
    for (let i = 0; i < 5; i++) await trainer.step();
    files = {
      spec: encodeJobSpec(spec),
      train: encodeDataset(train),
      from,
      to: encodeCheckpoint(program, trainer.state()),
    };
    await trainer.close();
    inNode = await auditInterval(files, createWasmRuntime({ threads: 1 }));
    browser = await launchChromium(executable as string);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    ["isolated, with two threads", true],
    ["not isolated, with one thread", false],
  ])("replays a paid interval to the bits of Node's WASM on a page that is %s", async (_, isolated) => {
    const server = await servePage(directory, { ...files }, isolated);
    try {
      const page = await browser.newPage();
      const loaded: string[] = [];
      page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
      await page.goto(server.url);
      const shown = JSON.parse((await page.textContent("pre")) ?? "") as Record<string, number>;
      const { train, from, to } = files;
      const total = train.length + from.length + to.length;
      expect(shown).toEqual({ train: train.length, from: from.length, to: to.length, base: 0, total });
      // Neither states, nor data, nor kernels are loaded before the reader has seen how much it is.
      expect(loaded.filter((path) => /^\/(files|ort)\//.test(path))).toEqual(["/files/spec"]);
      await page.evaluate("window.agreed()");
      await page.waitForFunction("window.outcome", undefined, { timeout: 100_000 });
      const outcome = (await page.evaluate("window.outcome")) as Window["outcome"];
      expect(outcome).toEqual({ audit: inNode, isolated, threads: isolated ? 2 : 1 });
      expect(outcome?.audit).toMatchObject({ fromStep: 0, toStep: 5, accepted: true });
      await page.close();
    } finally {
      await server.close();
    }
  });

  it("takes less than 4 MB of code to load, compressed", () => {
    const built = readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(m?js|html)$/.test(name))
      .map((name) => join(directory, name));
    const kernels = ["mjs", "wasm"].map((kind) => join(ORT_FILES, `ort-wasm-simd-threaded.${kind}`));
    const bytes = [...built, ...kernels].reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
    expect(bytes).toBeLessThan(MAX_CODE_BYTES);
  });
});
