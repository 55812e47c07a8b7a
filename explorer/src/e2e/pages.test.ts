// The built site in real Chromium, without a chain: what works from a recording and from the simulation alone.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { makeRecording } from "../testing/makeRecording.ts";
import { axeViolations } from "./axe.ts";
import { connect, newVisitor, openPage, type Visitor } from "./browser.ts";
import { serveExplorer, writeRecordings } from "./site.ts";

const PAGES = [
  "/",
  "/runs",
  "/runs/made-up",
  "/runs/spam-2026-11-30",
  "/ledger",
  "/providers",
  "/verifiers",
  "/provide",
  "/status",
  "/help",
  "/honestly",
  "/check",
  "/post",
];
const FIRST_LOAD_KB = 200;

const root = fileURLToPath(new URL("../../dist", import.meta.url));
const endpoint = inject("chromium");

describe.skipIf(endpoint === "")("the explorer without a chain", () => {
  let browser: Browser;
  let visitor: Visitor;
  let site: Awaited<ReturnType<typeof serveExplorer>>;
  let madeUp: ReturnType<typeof writeRecordings>;
  const at = (pathname: string) => site.url.replace(/\/$/, "") + pathname;

  beforeAll(async () => {
    madeUp = writeRecordings({ "made-up": makeRecording() });
    const whole = JSON.stringify(makeRecording({ steps: 100 }));
    writeFileSync(path.join(madeUp.folder, "cut-off.json"), whole.slice(0, whole.length / 2));
    site = await serveExplorer({ recordings: [madeUp.folder] });
    browser = await connect(endpoint);
    visitor = await newVisitor(browser);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    madeUp?.remove();
  });

  test("the first load of Home stays within its budget", () => {
    const manifest = JSON.parse(readFileSync(path.join(root, ".vite/manifest.json"), "utf8"));
    const wanted = new Set<string>();
    const follow = (key: string) => {
      if (wanted.has(key)) return;
      wanted.add(key);
      for (const next of manifest[key].imports ?? []) follow(next);
    };
    follow("index.html");
    const bytes = [...wanted].reduce(
      (sum, key) => sum + gzipSync(readFileSync(path.join(root, manifest[key].file))).length,
      0,
    );
    console.info(`first load of Home: ${(bytes / 1000).toFixed(1)} kB of script, gzip`);
    expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_KB * 1000);
  });

  // These two at the same time: one works, the other mostly waits for the simulation's clock.
  test.concurrent("every page: axe finds nothing, it fits the screen, runs no inline script and asks nobody else", async () => {
    const looks = [
      { colorScheme: "light", width: 1440 },
      { colorScheme: "dark", width: 390 },
    ] as const;
    // Two pages at a time, each seen in both looks.
    const found = await Promise.all(
      [0, 1].map(async (half) => {
        const { page, problems, hosts, leave } = await openPage(visitor, site.url);
        const wrong: string[] = [];
        for (const pathname of PAGES.filter((_, i) => i % 2 === half)) {
          await page.goto(at(pathname));
          await page.locator("main h1").first().waitFor();
          const inline = await page.locator("script:not([src]), style, [onclick]").count();
          if (inline > 0) wrong.push(`${pathname}: ${inline} inline scripts or styles`);
          for (const { colorScheme, width } of looks) {
            await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
            await page.setViewportSize({ width, height: 900 });
            wrong.push(...(await axeViolations(page)).map((v) => `${colorScheme} ${width} ${pathname} ${v}`));
            const overflow = await page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            );
            if (overflow > 0) wrong.push(`${width} ${pathname}: ${overflow} px wider than the screen`);
          }
        }
        expect([...hosts]).toEqual([new URL(site.url).host]);
        await page.evaluate(() => document.querySelector("main")?.append(document.createElement("button")));
        const noticed = (await axeViolations(page)).some((v) => v.startsWith("button-name"));
        await leave();
        return [...wrong, ...problems, ...(noticed ? [] : ["axe overlooks a button without a name"])];
      }),
    );
    expect(found.flat()).toEqual([]);
  });

  test.concurrent("the simulation: K pulls the plug, a cheat is refused, and the money adds up on screen", async () => {
    const { page, problems, leave } = await openPage(visitor, site.url);
    await page.goto(at("/"));
    await page.getByRole("button", { name: "16×" }).click();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    // Two checkpoints in. The whole text: in a row's text the step is followed by the digits of the next cell.
    await page
      .getByText(/^\s*Training step ([6-9]\d|1\d\d)\s*$/)
      .first()
      .waitFor();
    // From here on at a pace at which no line has gone by before a busy machine looks: only the last four are shown.
    await page.getByRole("button", { name: "1×", exact: true }).click();
    await page.keyboard.press("k");
    await page
      .getByText(/Two verifiers sign A off/)
      .first()
      .waitFor();
    await page
      .getByText(/B goes on from/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Make it cheat (B)" }).click();
    await page.getByRole("button", { name: "4×", exact: true }).click();
    await page
      .getByText(/B’s step \d+ doesn’t replay/)
      .first()
      .waitFor();
    await page.getByText("Out of this job").waitFor();
    await page.getByRole("button", { name: "16×" }).click();
    await page
      .getByText(/Finished\./)
      .first()
      .waitFor();
    const units = await page.locator(".mkey dd").allTextContents();
    const sum = units.reduce((total, text) => total + BigInt(Math.round(Number(text) * 1e6)), 0n);
    expect(sum).toBe(1_000_000n);
    expect(problems).toEqual([]);
    await leave();
  });

  test("replay: play, scrub by key, step mode, table, evidence, a shared moment", async () => {
    const { page, problems, leave } = await openPage(visitor, site.url);
    await page.goto(at("/runs/made-up?t=26"));
    await page.getByText("Open, waiting for a provider").waitFor();
    await page.keyboard.press(".");
    await page
      .getByText(/0:26\.\d/)
      .first()
      .waitFor();
    const clock = page.locator(".clock b");
    const before = await clock.textContent();
    await page.keyboard.press(" ");
    await page.waitForFunction((was) => document.querySelector(".clock b")?.textContent !== was, before);
    await page.keyboard.press(" ");
    await page.keyboard.press("0");
    await page.waitForFunction(() => document.querySelector(".clock b")?.textContent === "0:00.0");
    const surface = page.getByRole("slider", { name: /Cursor/ });
    await surface.focus();
    await page.keyboard.press("End");
    await page.getByText("Finished, paid out").waitFor();
    await page.keyboard.press("ArrowLeft");
    expect(await surface.getAttribute("aria-valuetext")).toMatch(/^step 399, .* loss 0\.\d{4}/);
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await page.getByRole("button", { name: "Table" }).click();
    await page.getByText(/Steps \d+ to \d+, of 458 trained/).waitFor();
    await page
      .getByText(/The update ended/)
      .first()
      .waitFor();
    await expect(page.locator(".ck tbody tr:not(.ev)").count()).resolves.toBe(8);
    expect(problems).toEqual([]);
    await leave();
  });

  test("a recording of one’s own is opened from its file; what is none is refused with the reason", async () => {
    const { page, problems, leave } = await openPage(visitor, site.url);
    await page.goto(at("/runs"));
    const field = page.getByLabel("Open a recording");
    await field.setInputFiles({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from("not json") });
    await page.getByText("notes.json can’t be replayed. Not a recording: it isn’t JSON").waitFor();
    await field.setInputFiles({ name: "empty.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    await page.getByText(/^empty\.json can’t be replayed\. Not a recording: .+/).waitFor();
    const buffer = Buffer.from(JSON.stringify(makeRecording({ steps: 200 })));
    await field.setInputFiles({ name: "my run.json", mimeType: "application/json", buffer });
    await page.waitForURL("**/runs/file-my-run");
    await page.getByText("Finished, paid out").waitFor();
    await page.getByText("200 of 200").waitFor();
    expect(problems).toEqual([]);
    await leave();
  });

  test("palette, shortcuts, menu and theme; keys are off inside fields and can be switched off", async () => {
    // It leaves the keys switched off and the theme dark: a visitor of its own.
    const { page, problems, leave } = await openPage(await newVisitor(browser), site.url);
    await page.goto(at("/help"));
    await page.locator("main h1").waitFor();
    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("spam");
    await page
      .getByRole("option", { name: /recorded run/ })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/runs/spam-2026-11-30");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.waitForURL("**/status");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await page.getByLabel("Single-key shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.press("Escape");
    const dark = page.locator("html[data-theme=dark]");
    await page.getByRole("button", { name: /dark or light/ }).click();
    await dark.waitFor();
    await page.reload();
    await dark.waitFor();
    expect(problems).toEqual([]);
    await leave();
  });

  test("an unknown run, an unknown page, a damaged recording and addresses with tricks in them are answered plainly", async () => {
    const { page, problems, leave } = await openPage(visitor, site.url);
    await page.goto(at("/runs/nothing-here"));
    await page.getByRole("heading", { name: /No run “nothing-here” here/ }).waitFor();
    await page.goto(at("/runs/%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"));
    await page.getByRole("heading", { name: /No run/ }).waitFor();
    expect(await page.locator("img").count()).toBe(0);
    await page.goto(at("/no-such-page"));
    await page.getByRole("heading", { name: "No such page" }).waitFor();
    await page.goto(at("/runs/cut-off"));
    await page.getByRole("heading", { name: "The recording “cut-off” can’t be replayed" }).waitFor();
    await page.getByText("it isn’t JSON, or not all of it").waitFor();
    // Beyond its end a run stands at its end; what a search can't mean is left out.
    await page.goto(at("/runs/made-up?t=1e99&%FF"));
    await page.getByText("Finished, paid out").waitFor();
    await page.goto(at("/ledger?kind=%7B&job=-1&account=0x12&%E0%A4%A=1"));
    await page.getByRole("heading", { name: "Check any wallet" }).waitFor();
    expect(problems.filter((problem) => problem.startsWith("exception"))).toEqual([]);
    const malformed = await fetch(at("/runs/%FF"));
    expect([malformed.status, await malformed.text()]).toEqual([400, "This is no well-formed address.\n"]);
    await leave();
  });

  test("every link of the header and the footer leads to a page, and back leads back; a page in between can be reloaded", async () => {
    const { page, problems, leave } = await openPage(visitor, site.url);
    await page.goto(at("/"));
    const heading = page.locator("main h1").first();
    const home = (await heading.textContent()) ?? "";
    const links = page.locator("header nav a, footer nav a");
    const seen = [home];
    for (let i = 0; i < (await links.count()); i++) {
      await links.nth(i).click();
      await page.waitForFunction((was) => {
        const now = document.querySelector("main h1")?.textContent;
        return now && !was.includes(now);
      }, seen);
      seen.push((await heading.textContent()) ?? "");
    }
    expect(seen).not.toContain("No such page");
    const last = seen.at(-1) ?? "";
    await page.reload();
    await page.getByRole("heading", { name: last, exact: true }).first().waitFor();
    for (const title of seen.reverse().slice(1, 4)) {
      await page.goBack();
      await page.waitForFunction((wanted) => document.querySelector("main h1")?.textContent === wanted, title);
    }
    expect(problems).toEqual([]);
    await leave();
  });

  test("the server keeps to its folder and to its policy", async () => {
    const response = await fetch(at("/"));
    expect(response.headers.get("content-security-policy")).toContain("connect-src 'self';");
    expect(response.headers.get("content-security-policy")).not.toContain("unsafe-inline");
    for (const trick of ["/../package.json", "/%2e%2e/package.json", "/assets/..%2f..%2f..%2fetc%2fpasswd", "/%00"]) {
      const text = await (await fetch(at(trick))).text();
      expect(text).not.toContain("@gpuchain/explorer");
      expect(text).not.toContain("root:");
    }
    expect((await fetch(at("/assets/none.js"))).status).toBe(404);
    const served = readdirSync(path.join(root, "assets")).filter((file) => !file.endsWith(".map"));
    const largest = served.map((file) => statSync(path.join(root, "assets", file)).size);
    expect(Math.max(...largest)).toBeLessThan(1_000_000);
  });
});
