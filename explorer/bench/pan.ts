// npm run bench:explorer: how smoothly a run of 100,000 steps pans in real Chromium. Reported, not asserted.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { CDPSession } from "playwright-core";
import { launch, newVisitor, openPage } from "../src/e2e/browser.ts";
import { serveExplorer, writeRecordings } from "../src/e2e/site.ts";
import { makeRecording } from "../src/testing/makeRecording.ts";

const { values } = parseArgs({
  options: { steps: { type: "string", default: "100000" }, json: { type: "string" }, help: { type: "boolean" } },
});
if (values.help) {
  console.log(
    "usage: npm run bench:explorer [-- --steps N] [--json FILE]\n\nIt needs Chromium: Debian's, or the one that CHROMIUM names.",
  );
  process.exit();
}
const STEPS = Number(values.steps);
const FRAMES = 300;

const interval = Math.max(1, Math.round(STEPS / 100));
const long = makeRecording({ steps: STEPS, interval, killAt: Math.round(STEPS * 0.1525) });
const made = writeRecordings({ long });
const site = await serveExplorer({ recordings: [made.folder] });
const browser = await launch();
try {
  const { page } = await openPage(await newVisitor(browser), site.url);
  // The loader that runs this file marks functions with a helper which the page doesn't have.
  await page.addInitScript("globalThis.__name = (fn) => fn");
  const opened = Date.now();
  await page.goto(`${site.url}runs/long`);
  const surface = page.getByRole("slider", { name: /Cursor/ });
  await surface.waitFor({ timeout: 120_000 });
  const openMs = Date.now() - opened;
  await surface.focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("+");
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  // What this machine's Chromium manages when nothing moves: no pan can be faster.
  const still = summary(await page.evaluate(panAcross, { count: FRAMES, px: 0 }));
  const before = await busy(cdp);
  const frames = await page.evaluate(panAcross, { count: FRAMES, px: 12 });
  const after = await busy(cdp);
  const result = {
    steps: STEPS,
    openMs,
    still,
    pan: summary(frames),
    // Main thread, of each frame; the rest is drawing what was painted, which Chromium does beside it.
    scriptMs: round((after.script - before.script) / FRAMES),
    mainThreadMs: round((after.all - before.all) / FRAMES),
  };
  console.log(`a run of ${STEPS} steps, opened in ${openMs} ms, an eighth of it in view`);
  for (const [name, of] of [
    ["nothing moves", result.still],
    ["panning", result.pan],
  ] as const)
    console.log(`${name.padEnd(14)} frame: median ${of.medianMs} ms, 95 % ${of.p95Ms} ms, longest ${of.longestMs} ms`);
  console.log(`main thread    ${result.mainThreadMs} ms of each frame, of that script ${result.scriptMs} ms`);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(result, undefined, 2)}\n`);
} finally {
  await browser.close();
  await site.close();
  made.remove();
}

function summary(frames: readonly number[]) {
  const sorted = [...frames].sort((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return { medianMs: at(0.5), p95Ms: at(0.95), longestMs: at(1) };
}

function round(ms: number): number {
  return Number(ms.toFixed(1));
}

/** Milliseconds that the page's main thread has been busy. */
async function busy(cdp: CDPSession): Promise<{ all: number; script: number }> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  const of = (name: string) => 1000 * (metrics.find((metric) => metric.name === name)?.value ?? 0);
  return { all: of("TaskDuration"), script: of("ScriptDuration") };
}

/** Runs in the page: one sideways wheel event a frame, there and back; the time between frames in ms. */
function panAcross({ count, px }: { count: number; px: number }): Promise<number[]> {
  const surface = document.querySelector(".surface");
  return new Promise((resolve) => {
    const times: number[] = [];
    let last = performance.now();
    requestAnimationFrame(function frame(now) {
      times.push(now - last);
      last = now;
      if (times.length > count) return resolve(times.slice(1));
      const deltaX = times.length < count / 2 ? -px : px;
      if (px) surface?.dispatchEvent(new WheelEvent("wheel", { deltaX, bubbles: true, cancelable: true }));
      requestAnimationFrame(frame);
    });
  });
}
