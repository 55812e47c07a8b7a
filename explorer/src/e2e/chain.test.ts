// The built site against a real chain with the real contracts and the real ledger: a run through a kill and a refusal, the
// books, a withdrawal, and what is left of the page when the ledger is killed or the RPC goes away.
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { escrowAbi, testUsdcAbi } from "@gpuchain/sdk/chain";
import type { Browser, Page } from "playwright-core";
import { type Address, type LocalAccount, toFunctionSelector, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { testAccount } from "../../../sdk/src/chain/testing/anvil.ts";
import { type FaultyProxy, startFaultyProxy } from "../../../sdk/src/chain/testing/faultyProxy.ts";
import { count } from "../format/number.ts";
import { formatUsdc } from "../format/usdc.ts";
import { HUGE, HUGE_STEPS, hugeJournal } from "../testing/hugeJournal.ts";
import { ADDRESS } from "../testing/madeUp.ts";
import { axeViolations } from "./axe.ts";
import { connect, newVisitor, openPage, type Visitor } from "./browser.ts";
import { startHostileGateways } from "./hostileGateways.ts";
import { startHostileLedger } from "./hostileLedger.ts";
import { hugeBalances } from "./hugeBalances.ts";
import { injectWallet, type WalletOptions } from "./injectedWallet.ts";
import { type LedgerProcess, startLedger } from "./ledgerProcess.ts";
import { type Scene, startScene } from "./scene.ts";
import { serveExplorer } from "./site.ts";
import { withoutTimes } from "./withoutTimes.ts";

const compiled = existsSync(fileURLToPath(new URL("../../../contracts/out/Jobs.sol/Jobs.json", import.meta.url)));
const ready = inject("chromium") !== "" && compiled;
if (!ready) console.warn("SKIPPED: explorer against a chain; it needs Chromium and compiled contracts (npm run build)");

const WITHDRAW = toFunctionSelector("withdraw(address)").slice(2);
/** the withdrawal, called on the page's RPC */
const TRIED = "tried on the chain";
const SENT = "eth_sendTransaction";

const key = (index: number) => toHex(testAccount(index).getHdKey().privateKey as Uint8Array);

describe.skipIf(!ready)("the explorer on a chain", () => {
  let browser: Browser;
  let visitor: Visitor;
  let scene: Scene;
  let proxy: FaultyProxy;
  const sites = new Map<string, ReturnType<typeof serveExplorer>>();
  let ledger: LedgerProcess | undefined;
  let ledgerStarts: Promise<LedgerProcess>;
  let ticking: ReturnType<typeof setInterval> | undefined;
  const deployment = () =>
    JSON.parse(JSON.stringify(scene.deployment, (_, v) => (typeof v === "bigint" ? Number(v) : v)));
  const config = (more: object = {}) => ({
    name: "Local chain",
    mode: "devnet",
    chainId: 31337,
    rpc: [`http://127.0.0.1:${proxy.port}`],
    blockTimeMs: 2000,
    deployment: deployment(),
    localAccounts: [
      { name: "A", privateKey: key(2) },
      { name: "B", privateKey: key(4) },
    ],
    ...more,
  });
  /** A page on a site; tests that differ in what their site is told have another one, the others share what is cached of it. */
  const openSite = async (more: object = {}) => {
    const told = JSON.stringify(more);
    const serving = sites.get(told) ?? serveExplorer({ config: config(more) });
    sites.set(told, serving);
    const site = await serving;
    const at = (pathname: string) => site.url.replace(/\/$/, "") + pathname;
    return { ...(await openPage(visitor, site.url)), host: new URL(site.url).host, at };
  };
  const open = async (pathname: string, more: object = {}) => {
    const opened = await openSite(more);
    await opened.page.goto(opened.at(pathname));
    await opened.page.locator("main h1").first().waitFor();
    return opened;
  };
  const openWithWallet = async (account: LocalAccount, options: Omit<WalletOptions, "account" | "rpc">) => {
    const { page, problems, at } = await openSite();
    const wallet = await injectWallet(page, { account, rpc: scene.chain.rpc, ...options });
    page.on("request", (request) => {
      if (new URL(request.url()).port !== String(proxy.port)) return;
      if (/eth_call/.test(request.postData() ?? "") && request.postData()?.includes(WITHDRAW)) wallet.asked.push(TRIED);
    });
    await page.goto(at(`/ledger?account=${account.address}`));
    return { page, problems, wallet };
  };
  const balanceOf = async (account: Address) =>
    scene.chain.test.readContract({
      address: scene.deployment.contracts.usdc,
      abi: testUsdcAbi,
      functionName: "balanceOf",
      args: [account],
    });
  const claimableOf = async (account: Address) => {
    const escrow = { address: scene.deployment.contracts.escrow, abi: escrowAbi };
    return (await scene.chain.test.readContract({ ...escrow, functionName: "balanceOf", args: [account] })).claimable;
  };

  beforeAll(async () => {
    scene = await startScene();
    // It takes a while to start; the test that needs it waits beside those that don't.
    ledgerStarts = startLedger(scene.chain.rpc, deployment());
    ledgerStarts.catch(() => undefined); // The test that waits for it tells.
    proxy = await startFaultyProxy(scene.chain.port);
    browser = await connect(inject("chromium"));
    visitor = await newVisitor(browser);
  });
  afterAll(async () => {
    clearInterval(ticking);
    await browser?.close();
    await Promise.all([...sites.values()].map(async (site) => (await site).close()));
    await (await ledgerStarts.catch(() => undefined))?.kill();
    await proxy?.close();
    await scene?.stop();
  });

  test("before anything is posted every page says so", async () => {
    const { page, problems, hosts, host, at, leave } = await open("/runs");
    await page.getByText("No job was posted yet.").waitFor();
    await page.goto(at("/verifiers"));
    await page.getByRole("table", { name: "Verifiers" }).waitFor();
    expect(await page.locator(".recs tbody tr").count()).toBe(3);
    await page.goto(at("/runs/1"));
    await page.getByText("No job 1 was posted on Local chain.").waitFor();
    expect(problems).toEqual([]);
    expect([...hosts].sort()).toEqual([host, `127.0.0.1:${proxy.port}`].sort());
    await leave();
  });

  test("a run as it happens: posted, trained, silent, moved, refused, taken over, finished, paid out", async () => {
    await scene.play("posted");
    const { page, problems, leave } = await open("/runs/1");
    await page.getByText("Open, waiting for a provider").waitFor();
    await scene.play("training");
    await page.getByText("Open, A training").waitFor();
    await page.getByText("50 of 200").waitFor();
    await scene.play("killed");
    await page.getByText("Open, B training").waitFor();
    await page.getByRole("heading", { name: /A to B in/ }).waitFor();
    await scene.play("refused");
    await page.getByText("Why it was refused").waitFor();
    await page.getByText("Open, C training").waitFor();
    await scene.play("accepted");
    await page.getByText("Trained, maturing").waitFor();
    await scene.play("settled");
    await page.getByText("Finished, paid out").waitFor();
    // 50 steps at 0.001 and 150 at 0.003, four rounds of three fees of 0.01, 8 % of the pay
    const paid = formatUsdc(50_000n + 450_000n + 120_000n + 40_000n, 3);
    expect(await page.locator(".esk dd").allTextContents()).toEqual([
      paid,
      "0.000",
      "0.000",
      formatUsdc(5_000_000n - 660_000n, 3),
      "5.000",
    ]);
    expect(problems).toEqual([]);
    await leave();
  });

  test("the ledger: what the contract says, the same rebuilt from events, and no difference", async () => {
    await scene.play("settled");
    const { page, problems, leave } = await open("/ledger");
    await page.getByText("Every unit owed is there.").waitFor();
    const [held, owed] = (await scene.chain.test.readContract({
      address: scene.deployment.contracts.escrow,
      abi: escrowAbi,
      functionName: "reserves",
    })) as readonly [bigint, bigint];
    const statement = await page.locator(".stmt td").allTextContents();
    expect(statement[0]).toBe(formatUsdc(held));
    expect(statement[1]).toBe(`−${formatUsdc(owed)}`);
    await page
      .locator(".stmt.b .res td")
      .filter({ hasText: /^0\.000000$/ })
      .waitFor();
    await page.getByRole("button", { name: "Refused" }).click();
    await page.getByText("steps 51–100, nothing owed").waitFor();
    await page.waitForURL(/kind=refused/);
    expect(problems).toEqual([]);
    await leave();
  });

  // From here on nobody changes what the others look at (each withdrawal has an account of its own), and most wait: side by side.
  test.concurrent("check a wallet and withdraw: tried first, signed by its own key, then nothing is left to withdraw", async () => {
    await scene.play("settled");
    const { page, problems, leave } = await open("/ledger");
    await page.getByLabel("Address", { exact: true }).fill("0x12");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("That is no address").waitFor();
    await page.getByLabel("Address", { exact: true }).fill(scene.providers.B.address);
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByRole("button", { name: "Withdraw 0.450000" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "B (local chain)" }).click();
    await page.getByText(/Paid\. Transaction/).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("button", { name: "Withdraw 0.000000" }).waitFor();
    expect(await balanceOf(scene.providers.B.address)).toBe(50_000_000n - 20_000_000n + 450_000n);
    await page.getByText("−0.450000").first().waitFor();
    expect(problems).toEqual([]);
    await leave();
  });

  test.concurrent("an injected wallet: the call is tried first, then it signs, and its own account is paid", async () => {
    await scene.play("settled");
    const [verifier] = scene.verifiers as [LocalAccount];
    const { page, wallet, problems } = await openWithWallet(verifier, { chainId: 1, name: "Test wallet" });
    const [before, claimable] = [await balanceOf(verifier.address), await claimableOf(verifier.address)];
    await page.getByRole("button", { name: `Withdraw ${formatUsdc(claimable)}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Test wallet" }).click();
    await page.getByText(/Paid\. Transaction/).waitFor();
    // It was on another chain, switched when it was asked to, and saw the withdrawal only after the chain had.
    const order = wallet.asked.filter((what) => ["wallet_switchEthereumChain", TRIED, SENT].includes(what));
    expect(order).toEqual(["wallet_switchEthereumChain", TRIED, SENT]);
    // One fee for each of its votes, the last of which the refused provider's bond has paid.
    expect(claimable).toBeGreaterThanOrEqual(40_000n);
    expect(await balanceOf(verifier.address)).toBe(before + claimable);
    expect(await claimableOf(verifier.address)).toBe(0n);
    expect(problems).toEqual([]);
    await page.close();
  });

  test.concurrent("an injected wallet on another chain that won’t switch is refused by name, and signs nothing", async () => {
    await scene.play("settled");
    const [, verifier] = scene.verifiers as [LocalAccount, LocalAccount];
    const { page, wallet } = await openWithWallet(verifier, { chainId: 1, switches: false });
    await page.getByRole("button", { name: `Withdraw ${formatUsdc(await claimableOf(verifier.address))}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Browser wallet" }).click();
    await dialog.getByText("The wallet is on chain 1; this is chain 31337. Switch it and try again.").waitFor();
    expect(wallet.asked).not.toContain(TRIED);
    expect(wallet.asked).not.toContain(SENT);

    // Switched by hand it may try again; but what fails on the chain never opens the wallet.
    wallet.chainId = 31337;
    await scene.withdraw(verifier);
    await dialog.getByRole("button", { name: "Browser wallet" }).click();
    await dialog.getByText(/NothingToWithdraw/).waitFor();
    expect(wallet.asked).toContain(TRIED);
    expect(wallet.asked).not.toContain(SENT);
    await page.close();
  });

  test.concurrent("a wallet whose owner declines, then goes to another chain midway, is told so each time; asked again it pays", async () => {
    await scene.play("settled");
    const [, , verifier] = scene.verifiers as [LocalAccount, LocalAccount, LocalAccount];
    const { page, wallet } = await openWithWallet(verifier, { chainId: 31337, name: "Test wallet" });
    const [before, claimable] = [await balanceOf(verifier.address), await claimableOf(verifier.address)];
    await page.getByRole("button", { name: `Withdraw ${formatUsdc(claimable)}` }).click();
    const dialog = page.getByRole("dialog");
    const button = dialog.getByRole("button", { name: "Test wallet" });
    wallet.signs = false;
    await button.click();
    await dialog.getByText("You declined in the wallet. Nothing was sent.").waitFor();
    expect(wallet.asked).toContain(SENT);

    // The call is tried on the right chain; when it comes to signing, the wallet is on another one.
    wallet.signs = true;
    const sentBefore = wallet.asked.filter((what) => what === SENT).length;
    const leave = (request: { postData: () => string | null }) => {
      if (request.postData()?.includes(WITHDRAW)) wallet.chainId = 10;
    };
    page.on("request", leave);
    await button.click();
    await dialog.getByText("The wallet is on chain 10; this is chain 31337. Switch it and try again.").waitFor();
    expect(wallet.asked.filter((what) => what === SENT)).toHaveLength(sentBefore);
    expect(await claimableOf(verifier.address)).toBe(claimable);

    page.off("request", leave);
    await button.click();
    await dialog.getByText(/Paid\. Transaction/).waitFor();
    expect(await balanceOf(verifier.address)).toBe(before + claimable);
    await page.close();
  });

  test.concurrent("records: providers with what was accepted, refused and dropped; a provider's own page says why work is unpaid", async () => {
    await scene.play("settled");
    const { page, at, leave } = await open(`/providers/${scene.providers.P.address}`);
    await page.getByText("50 steps refused").waitFor();
    // What a stranger says of itself is text, with nothing hidden in it, and breaks no page.
    const name = `<img src=x onerror=alert(1)> ${"W".repeat(20)}`;
    expect(await page.locator("h1").textContent()).toBe(name);
    await page.goto(at("/providers"));
    await page.getByText(name).waitFor();
    await page.getByText("0 of 1").first().waitFor();
    await page.goto(at("/provide"));
    await page.getByText(`--rpc http://127.0.0.1:${proxy.port}`).waitFor();
    await leave();
  });

  test.concurrent("with a run, claims and records on them, axe finds nothing on the pages either, and a stranger’s name breaks none", async () => {
    await scene.play("settled");
    const { A, P } = scene.providers;
    const full: readonly [pathname: string, shows: string][] = [
      ["/runs", "Finished"],
      ["/runs/1", "Finished, paid out"],
      [`/ledger?account=${A.address}`, "Every unit owed is there."],
      ["/providers", "0 of 1"],
      [`/providers/${P.address}`, "50 steps refused"],
      ["/verifiers", "Verifier 1"],
      ["/status", "Enough to seat a job."],
    ];
    const { page, at, leave } = await openSite();
    const found: string[] = [];
    for (const [index, [pathname, shows]] of full.entries()) {
      const phone = index % 2 === 0;
      await page.emulateMedia({ colorScheme: phone ? "dark" : "light", reducedMotion: "reduce" });
      await page.setViewportSize({ width: phone ? 390 : 1440, height: 900 });
      await page.goto(at(pathname));
      await page.getByText(shows).first().waitFor();
      found.push(...(await axeViolations(page)).map((line) => `${pathname} ${line}`));
      await page.setViewportSize({ width: 390, height: 900 });
      const wider = await widerThanScreen(page);
      if (wider > 0) found.push(`${pathname} is ${wider} px wider than a phone`);
      if ((await page.locator("img").count()) > 0) found.push(`${pathname} shows a picture`);
    }
    expect(found).toEqual([]);
    await leave();
  });

  test.concurrent("history from the ledger, news without a reload; with the ledger killed the chain takes over and nothing is missing", async () => {
    await scene.play("settled");
    ledger = await ledgerStarts;
    // The ledger takes up the newest blocks as later ones come; a live network always has one coming.
    ticking = setInterval(() => void scene.chain.test.mine({ blocks: 1 }), 1_000);
    const { page, problems, at, leave } = await open("/ledger", { ledger: ledger.url });
    await page.getByText(new RegExp(`from the ledger at ${new URL(ledger.url).host}`)).waitFor();
    await page.getByText("steps 51–100, nothing owed").waitFor();
    await page.getByText("Every unit owed is there.").waitFor();
    await scene.withdraw(scene.providers.A);
    await page.getByText("−0.050000").first().waitFor();
    await page.goto(at("/runs/1"));
    await page.getByText("Finished, paid out").waitFor();
    await page.goto(at("/status"));
    await page.getByText(/Indexed to block/).waitFor();
    expect(problems).toEqual([]);

    await page.getByRole("link", { name: "Ledger" }).first().click();
    await page.getByText(/from the ledger at/).waitFor();
    await ledger.kill();
    await scene.withdraw(scene.client);
    await page.getByText(/The ledger at .* can’t be used .* nothing is missing/).waitFor();
    await page.getByText("−4.340000").first().waitFor();
    await page.getByText("steps 51–100, nothing owed").waitFor();
    await page.goto(at("/status"));
    await page.getByText(/Read from the chain instead/).waitFor();
    clearInterval(ticking);
    await leave();
  });

  test.concurrent("with the RPC down the page says so, keeps what it read, still replays; and comes back by itself", async () => {
    await scene.play("settled");
    const rpc = await startFaultyProxy(scene.chain.port);
    const { page, leave } = await open("/ledger", { rpc: [`http://127.0.0.1:${rpc.port}`] });
    await page.getByText("Every unit owed is there.").waitFor();
    rpc.refuse();
    try {
      await page.getByRole("button", { name: "Read now" }).click();
      await page.getByText(/The last try failed/).waitFor({ timeout: 60_000 });
      await page.locator(".live.bad").waitFor({ timeout: 60_000 });
      await page.getByText("Every unit owed is there.").waitFor();
      await go(page, "/runs");
      await page.getByRole("link", { name: "Spam or ham" }).click();
      await page.getByText("Finished, paid out").waitFor();
    } finally {
      rpc.heal();
    }
    await page.locator(".live:not(.bad)").filter({ hasText: /\d/ }).waitFor({ timeout: 60_000 });
    await leave();
    await rpc.close();
  });

  test.concurrent("of several RPCs the first that answers is used and named; when it goes away the next one takes over", async () => {
    await scene.play("settled");
    const first = await startFaultyProxy(scene.chain.port);
    const { page, leave } = await open("/status", {
      rpc: [`http://127.0.0.1:${first.port}`, `http://127.0.0.1:${proxy.port}`],
    });
    await page.getByText(`RPC in use: 127.0.0.1:${first.port}.`).waitFor();
    first.refuse();
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.getByText(`RPC in use: 127.0.0.1:${proxy.port}.`).waitFor();
    await go(page, "/ledger");
    await page.getByText("Every unit owed is there.").waitFor();
    await first.close();
    await leave();
  });

  test.concurrent.each([
    ["no such job", "/runs/99", "No job 99 was posted on Local chain."],
    ["a number beyond all", `/runs/${"9".repeat(80)}`, "No run"],
    ["a number below", "/runs/-1", "No run"],
    ["no address", "/providers/0x12", "That is no address."],
  ])("an address in the bar that leads nowhere is answered: %s", async (_what, pathname, says) => {
    const { page, problems, leave } = await open(pathname);
    await page.getByText(says).first().waitFor();
    expect(problems.filter((problem) => problem.startsWith("exception"))).toEqual([]);
    await leave();
  });

  test.concurrent("gateways that answer garbage, or without end, change nothing that the chain says and are not asked in a circle", async () => {
    await scene.play("settled");
    const hostile = await startHostileGateways();
    const { page, problems, leave } = await open("/runs/1", { gateways: hostile.urls });
    await page.getByText("Finished, paid out").waitFor();
    await hostile.heard;
    await page.getByText("No losses to draw").waitFor();
    await page.getByText("Why it was refused").waitFor();
    expect(problems.filter((problem) => problem.startsWith("exception"))).toEqual([]);
    expect(hostile.most()).toBeLessThan(30);
    await leave();
    await hostile.close();
  });

  test.concurrent("a ledger whose pages lead nowhere, or whose news make no sense, is left for the chain, and the page says why", async () => {
    await scene.play("settled");
    const nowhere = await startHostileLedger({ rows: () => new Array(1_000).fill(hugeJournal()[0]) });
    const first = await open("/ledger", { ledger: nowhere.url });
    await first.page.getByText(/can’t be used \(The ledger’s pages lead nowhere\); nothing is missing/).waitFor();
    await first.page.getByText("steps 51–100, nothing owed").waitFor();
    expect(nowhere.asked()).toBeLessThanOrEqual(3);

    const babbling = await startHostileLedger({
      rows: () => [],
      live: [
        ["journal", '{"seq":"<b>"}'],
        ["reorg", "{}"],
        ["head", "no json"],
      ],
    });
    const second = await open("/ledger", { ledger: babbling.url });
    await second.page.getByText(/can’t be used \(its live updates make no sense\); nothing is missing/).waitFor();
    await second.page.getByText("steps 51–100, nothing owed").waitFor();
    await go(second.page, "/status");
    await second.page.getByText(/its live updates make no sense\. Read from the chain instead/).waitFor();
    // It is asked again with a later block, and used again.
    babbling.reform();
    const blocks = setInterval(() => void scene.chain.test.mine({ blocks: 1 }), 1_000);
    try {
      await go(second.page, "/ledger");
      await second.page.getByText(/0 events, from the ledger at/).waitFor();
    } finally {
      clearInterval(blocks);
    }
    for (const { problems, leave } of [first, second]) {
      expect(problems.filter((problem) => problem.startsWith("exception"))).toEqual([]);
      await leave();
    }
    await Promise.all([nowhere.close(), babbling.close()]);
  });

  test.concurrent("amounts up to 2^256 − 1 and 10^15 steps stay legible and break no page", async () => {
    const rows = hugeJournal();
    const ledger = await startHostileLedger({ rows: (after) => (after < 0 ? rows : []) });
    const { page, problems, at, leave } = await openSite({ ledger: ledger.url });
    await hugeBalances(page, proxy.port);
    const [amount, steps] = [formatUsdc(HUGE), count(HUGE_STEPS)];
    const full: readonly [pathname: string, shows: string][] = [
      ["/runs", steps],
      ["/runs/1", steps],
      [`/ledger?account=${ADDRESS.A}`, `Withdraw ${amount}`],
      ["/providers", amount],
      [`/providers/${ADDRESS.B}`, amount],
      ["/verifiers", amount],
      ["/provide", "Providers asking less"],
    ];
    const wrong: string[] = [];
    for (const [pathname, shows] of full) {
      await page.goto(at(pathname));
      await page.getByText(shows).first().waitFor();
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const wider = await widerThanScreen(page);
        const text = await page.locator("body").textContent();
        if (wider > 0) wrong.push(`${width} ${pathname}: ${wider} px wider than the screen`);
        const nonsense = /.{0,30}(NaN|Infinity|undefined|\d{30}|\de\+\d).{0,30}/.exec(text ?? "");
        if (nonsense) wrong.push(`${pathname}: ${nonsense[0]}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(problems).toEqual([]);
    await leave();
    await ledger.close();
  });

  test.concurrent("an RPC whose logs say no time: the blocks are asked, and every row of the journal has its hour", async () => {
    await scene.play("settled");
    const { page, problems, at, leave } = await openSite({ ledger: undefined });
    await withoutTimes(page, proxy.port);
    await page.goto(at("/ledger"));
    const times = page.locator("table.jr tbody tr td:first-child");
    await times.first().waitFor();
    const shown = await times.allTextContents();
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.filter((text) => !/\d\d:\d\d/.test(text))).toEqual([]);
    expect(problems).toEqual([]);
    await leave();
  });

  test.concurrent("an RPC that answers garbage is told from a chain, and nothing breaks", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "access-control-allow-origin": "*", "access-control-allow-headers": "*" });
      response.end('{"jsonrpc":"2.0","id":1,"result":"\\u202e<b>"}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { page, problems, leave } = await open("/status", { rpc: [`http://127.0.0.1:${port}`] });
    await page.locator(".live.bad").waitFor();
    expect(problems.filter((problem) => problem.startsWith("exception"))).toEqual([]);
    await leave();
    server.closeAllConnections();
    server.close();
  });

  test.concurrent("an RPC of another chain is refused by name", async () => {
    const { page, leave } = await open("/status", { chainId: 84532 });
    await page.getByText("The RPC serves chain 31337; this site is set up for 84532.").waitFor();
    await leave();
  });
});

const widerThanScreen = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Goes to another page of the site without loading it anew. */
async function go(page: Page, pathname: string): Promise<void> {
  await page.locator(`header a[href="${pathname}"]`).first().click();
}
