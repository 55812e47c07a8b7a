// How smoothly a run of 100,000 steps pans: the longest frame of a pan across it, in real Chromium. Reported, not asserted.
// Run from the repository root: npx tsx --conditions=source explorer/bench/pan.ts [--json FILE]
import { writeFileSync } from "node:fs";
import { launch, openPage } from "../src/e2e/browser.ts";
import { buildSite, serveExplorer } from "../src/e2e/site.ts";
import { makeRecording } from "../src/testing/makeRecording.ts";

const STEPS = 100_000;
const FRAMES = 180;

const built = await buildSite({ long: makeRecording({ steps: STEPS, interval: 1_000, killAt: 15_250 }) });
const site = await serveExplorer({ root: built.root });
const browser = await launch();
try {
  const { page } = await openPage(browser);
  // The loader that runs this file marks functions with a helper which the page doesn't have.
  await page.addInitScript("globalThis.__name = (fn) => fn");
  const opened = Date.now();
  await page.goto(`${site.url}runs/long`);
  const surface = page.getByRole("slider", { name: /Cursor/ });
  await surface.waitFor({ timeout: 120_000 });
  const openMs = Date.now() - opened;
  await surface.focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("+");
  const frames = await page.evaluate(panAcross, FRAMES);
  const sorted = [...frames].sort((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1));
  const result = {
    steps: STEPS,
    openMs,
    frames: frames.length,
    medianFrameMs: at(0.5),
    p95FrameMs: at(0.95),
    longestFrameMs: at(1),
  };
  console.info(result);
  const file = process.argv[process.argv.indexOf("--json") + 1];
  if (process.argv.includes("--json") && file) writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`);
} finally {
  await browser.close();
  await site.close();
  built.remove();
}

/** Runs in the page: one sideways wheel event a frame, there and back; the time between frames in ms. */
function panAcross(count: number): Promise<number[]> {
  const surface = document.querySelector(".surface");
  return new Promise((resolve) => {
    const times: number[] = [];
    let last = performance.now();
    requestAnimationFrame(function frame(now) {
      times.push(now - last);
      last = now;
      if (times.length > count) return resolve(times.slice(1));
      const deltaX = times.length < count / 2 ? -12 : 12;
      surface?.dispatchEvent(new WheelEvent("wheel", { deltaX, deltaY: 0, bubbles: true, cancelable: true }));
      requestAnimationFrame(frame);
    });
  });
}
