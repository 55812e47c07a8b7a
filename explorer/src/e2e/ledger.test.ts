// The built site with the real ledger beside the chain: history by GraphQL, news by server-sent events, and the chain alone
// once the ledger is killed.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launch, openPage } from "./browser.ts";
import { type Scene, startScene } from "./scene.ts";
import { buildSite, serveExplorer } from "./site.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const start = path.join(root, "indexer/bin/start.mjs");
const compiled = existsSync(path.join(root, "contracts/out/Jobs.sol/Jobs.json"));
const ready = chromiumPath !== undefined && compiled && existsSync(start);
if (!ready) console.warn("SKIPPED: explorer with the ledger; it needs Chromium, compiled contracts and the indexer");

describe.skipIf(!ready)("the explorer with the ledger", () => {
  let browser: Browser;
  let scene: Scene;
  let site: Awaited<ReturnType<typeof serveExplorer>>;
  let built: Awaited<ReturnType<typeof buildSite>>;
  let indexer: ChildProcess | undefined;
  let ledger: string;
  let ticking: ReturnType<typeof setInterval> | undefined;
  const folder = mkdtempSync(path.join(tmpdir(), "explorer-ledger-"));
  const at = (pathname: string) => site.url.replace(/\/$/, "") + pathname;

  beforeAll(async () => {
    scene = await startScene();
    const deployment = JSON.parse(JSON.stringify(scene.deployment, (_, v) => (typeof v === "bigint" ? Number(v) : v)));
    const file = path.join(folder, "deployment.json");
    writeFileSync(file, JSON.stringify(deployment));
    await scene.play("training");
    [built, ledger] = await Promise.all([buildSite(), startIndexer(file)]);
    // The ledger takes up the newest blocks as later ones come; a live network always has one coming.
    ticking = setInterval(() => void scene.chain.test.mine({ blocks: 1 }), 1_000);
    const config = {
      name: "Local chain",
      chainId: 31337,
      rpc: [scene.chain.rpc],
      blockTimeMs: 2000,
      deployment,
      ledger,
    };
    site = await serveExplorer({ root: built.root, config });
    browser = await launch();
  }, 400_000);
  afterAll(async () => {
    clearInterval(ticking);
    await browser?.close();
    await site?.close();
    await stopIndexer();
    await scene?.stop();
    built?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function startIndexer(deploymentFile: string): Promise<string> {
    indexer = spawn(process.execPath, [start], {
      cwd: path.dirname(path.dirname(start)),
      env: {
        ...process.env,
        NODE_ENV: "production",
        PONDER_RPC_URL: scene.chain.rpc,
        DEPLOYMENT_FILE: deploymentFile,
        PGLITE_DIRECTORY: path.join(folder, "pglite"),
        PORT: "0",
        LOG_FORMAT: "json",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const child = indexer;
    return new Promise((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`the indexer ended with ${code}`)));
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
        if (!line.includes('"indexer.ready"')) return;
        resolve((JSON.parse(line) as { url: string }).url.replace(/\/$/, ""));
      });
    });
  }

  async function stopIndexer(): Promise<void> {
    const child = indexer;
    indexer = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }

  test("history from the ledger, news without a reload; with the ledger killed the chain takes over and nothing is missing", async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(at("/ledger"));
    await page.getByText(new RegExp(`from the ledger at ${new URL(ledger).host}`)).waitFor();
    await page.getByText("steps 1–50 accepted").waitFor();
    await scene.play("refused");
    await page.getByText("steps 51–100, nothing owed").waitFor({ timeout: 60_000 });
    await page.getByText("Every unit owed is there.").waitFor();
    await page.goto(at("/runs/1"));
    await page.getByText("Open, C training").waitFor();
    await page.goto(at("/status"));
    await page.getByText(/Indexed to block/).waitFor();
    expect(problems).toEqual([]);

    await page.goto(at("/runs/1"));
    await page.getByText("50 of 200").waitFor();
    await stopIndexer();
    await scene.play("accepted");
    await page.getByText("200 of 200").waitFor({ timeout: 60_000 });
    await page.getByRole("link", { name: "Ledger" }).click();
    await page.getByText(/The ledger at .* doesn’t answer/).waitFor({ timeout: 60_000 });
    await page.getByText("steps 151–200 accepted").waitFor();
    await page.close();
  }, 400_000);
});
