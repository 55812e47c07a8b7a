// The run page beside a real network: real verifiers and nodes as processes of their own, a real kill. What the page shows
// comes from their gateways and from the chain; then gateways and the chain go away.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type ClientParty, createClientParty } from "../../../script/lib/clientParty.ts";
import { type Daemon, type LocalNetwork, startNetwork } from "../../../script/lib/network.ts";
import { type FaultyProxy, startFaultyProxy } from "../../../sdk/src/chain/testing/faultyProxy.ts";
import { tinyJob } from "../../../verifier/src/testing/tinyJob.ts";
import { connect, newVisitor, openPage, type WatchedPage } from "./browser.ts";
import { serveExplorer } from "./site.ts";

const built = (file: string) => existsSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)));
const compiled =
  built("contracts/out/Jobs.sol/Jobs.json") && built("verifier/dist/main.js") && built("node/dist/main.js");
const ready = inject("chromium") !== "" && compiled;
if (!ready) console.warn("SKIPPED: explorer beside real daemons; it needs Chromium and a build (npm run build)");

// Longer than the test: the run must not end while it is watched.
const STEPS = 60_000;
const INTERVAL = 300;

describe.skipIf(!ready)("the explorer beside real nodes and verifiers", () => {
  let browser: Browser;
  /** one page, open all the while, as a visitor's is */
  let page: Page;
  let watched: WatchedPage;
  let network: LocalNetwork;
  let proxy: FaultyProxy;
  let site: Awaited<ReturnType<typeof serveExplorer>>;
  let party: ClientParty;
  /** whoever got the first lease: at any ramp two bids may come in one block */
  let holder: Daemon;
  const ended = new AbortController();

  beforeAll(async () => {
    network = await startNetwork({ blockTime: 0.25, verifiers: 3 });
    const providers = await Promise.all([
      network.addProvider({ name: "first", price: "0.00001", threads: 1 }),
      network.addProvider({ name: "second", price: "0.00002", threads: 1 }),
    ]);
    proxy = await startFaultyProxy(Number(new URL(network.chain.rpcUrl).port));
    site = await serveExplorer({
      config: {
        name: "Local chain",
        mode: "devnet",
        chainId: network.deployment.chainId,
        rpc: [`http://127.0.0.1:${proxy.port}`],
        blockTimeMs: network.chain.blockTimeMs,
        deployment: JSON.parse(JSON.stringify(network.deployment, (_, v) => (typeof v === "bigint" ? Number(v) : v))),
        gateways: network.daemons.flatMap(({ endpoint }) => endpoint ?? []),
      },
    });
    party = createClientParty(network, ended.signal);
    const job = tinyJob({ steps: STEPS, interval: INTERVAL, traceInterval: 50, hidden: 256 });
    await party.post(job, {
      budget: 50_000_000n,
      maxPricePerStep: 20n,
      verifierFee: 1_000n,
      leaseDuration: 60,
      segmentTimeout: 120,
      gracePeriod: 600,
      // Generous: on a busy machine a living provider must not pass for a dead one.
      pulseTimeoutMs: 2_000,
      auctionRamp: 0,
      verdictTimeout: 60,
      disputeWindow: 2,
      deadlineSeconds: 3_600,
    });
    holder = await Promise.race(providers.map((one) => one.waitFor("lease.acquired").then(() => one)));
    browser = await connect(inject("chromium"));
    watched = await openPage(await newVisitor(browser), site.url);
    page = watched.page;
  });
  afterAll(async () => {
    ended.abort();
    party?.close();
    await browser?.close();
    await site?.close();
    await proxy?.close();
    await network?.close();
  });

  test("steps, losses, pulses, verdicts with their reasons and scores, as they happen; then a kill and a hand-over", async () => {
    const { problems, hosts } = watched;
    await page.goto(`${site.url}runs/1`);
    await page.getByRole("heading", { name: "Which side of a plane" }).waitFor();
    await page.getByText("Loss self-reported").waitFor();
    // Three seats hear the holder's pulse, by their own gateways' word.
    await page.locator(".pl td").filter({ hasText: "hears it" }).nth(2).waitFor();
    const shown = await stepAtCursor(page);
    await page.waitForFunction(laterThan, shown);
    await page
      .getByText(/Step 300 accepted/)
      .first()
      .waitFor();
    await page.locator(".ck .linkb").first().click();
    await page
      .getByText(/replay passes on steps \d+ to \d+ \(distance/)
      .first()
      .waitFor();
    await page
      .getByText(/quality passes \(balanced accuracy [01]\.\d{4}\)/)
      .first()
      .waitFor();

    holder.process.signal("SIGKILL");
    await page.getByRole("heading", { name: /A to B in/ }).waitFor();
    await page.getByText("Open, B training").waitFor();
    // The seats' own receipt: how long each phase took and how many steps went with the machine.
    await page.getByText(/Measured by the workers/).waitFor();
    const receipt = page.locator(".rcpt").first();
    await receipt.getByText(/Silent at step \d+\./).waitFor();
    await receipt.getByText(/\d+ steps? lost\. No money moved\./).waitFor();
    await receipt.getByText("first step").waitFor();
    await page.waitForFunction(laterThan, await stepAtCursor(page));
    expect(problems).toEqual([]);
    const gateways = network.daemons.flatMap(({ endpoint }) => (endpoint ? new URL(endpoint).host : []));
    const allowed = [new URL(site.url).host, `127.0.0.1:${proxy.port}`, ...gateways];
    expect([...hosts].filter((host) => !allowed.includes(host))).toEqual([]);
  });

  test("the accepted model comes from a gateway and is hashed here before it is saved", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download model" }).click();
    expect((await download).suggestedFilename()).toMatch(/^job-1-step-\d+\.safetensors$/);
  });

  test("one gateway down: another seat's tells the steps; all down: the chain's part goes on, and the page says so", async () => {
    await page.locator(".pl td").filter({ hasText: "hears it" }).nth(2).waitFor();
    const verifiers = network.daemons.filter(({ role }) => role === "verifier");
    const [first, ...rest] = verifiers;
    if (!first?.endpoint) throw new Error("no verifier");
    first.process.signal("SIGKILL");
    await page.getByText(`${new URL(first.endpoint).host} doesn’t answer.`).waitFor();
    await page.waitForFunction(laterThan, await stepAtCursor(page));
    for (const verifier of rest) verifier.process.signal("SIGKILL");
    await page.getByText(/No gateway answers/).waitFor();
    await page.getByText(/What is on chain is all here/).waitFor();
    await page.locator(".ck tbody tr").first().waitFor();

    proxy.refuse();
    await page.locator(".live.bad").waitFor();
    // What was read stays, and recordings go on working.
    await page.locator(".ck tbody tr").first().waitFor();
    await page.locator('header a[href="/runs"]').first().click();
    await page.getByRole("link", { name: "Spam or ham" }).click();
    await page.getByText("Finished, paid out").waitFor();
    await page.close();
  });
});

/** The last step shown, from the cursor's own words. */
async function stepAtCursor(page: Page): Promise<number> {
  const words = await page.getByRole("slider", { name: /Cursor/ }).getAttribute("aria-valuetext");
  return Number(/^step ([\d,]+)/.exec(words ?? "")?.[1]?.replaceAll(",", "") ?? 0);
}

/** Runs in the page. */
function laterThan(step: number): boolean {
  const words = document.querySelector(".surface")?.getAttribute("aria-valuetext") ?? "";
  return Number(/^step ([\d,]+)/.exec(words)?.[1]?.replaceAll(",", "") ?? 0) > step;
}
