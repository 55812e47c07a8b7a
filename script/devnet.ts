// `npm run devnet`: the demo's network, kept running: a chain, the contracts, verifiers, providers, the ledger and the explorer.

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { createShutdown, exitWith, GpuchainError, parseInteger, untilAborted } from "@gpuchain/sdk/daemon";
import { Command, Option } from "commander";
import { localAccounts } from "./lib/anvil.ts";
import { endWithParent } from "./lib/endWithParent.ts";
import { type Guests, welcomeGuests } from "./lib/guests.ts";
import { type LocalNetwork, startNetwork } from "./lib/network.ts";
import { PortTakenError } from "./lib/processes.ts";
import { readOptions } from "./lib/readOptions.ts";
import { root } from "./lib/root.ts";
import { serveSite, startLedger } from "./lib/site.ts";
import { createTerminal, type Terminal } from "./lib/terminal.ts";

interface DevnetOptions {
  blockTime: number;
  rpcPort: number;
  explorerPort: number;
  ledgerPort: number;
  verifiers: number;
  providers: readonly ProviderPrice[];
  ledger: boolean;
  threads: number;
  deploymentFile: string;
}

/** Where the command line's `local` network looks. */
const DEPLOYMENT = path.join(root, "deployments/31337.json");

const PROVIDERS = "A:0.001,B:0.003";

interface ProviderPrice {
  readonly name: string;
  readonly price: string;
}

const command = new Command("devnet")
  .description("Starts a local GPUChain network and keeps it running until Ctrl-C. Nothing of it is kept afterwards.")
  .option("--block-time <seconds>", "seconds between blocks", parseSeconds, 2)
  .option("--rpc-port <port>", "port of the chain", parsePort, 8545)
  .option("--explorer-port <port>", "port of the explorer", parsePort, 4173)
  .option("--ledger-port <port>", "port of the ledger", parsePort, 42_069)
  .option("--verifiers <n>", "verifiers, at least three", parseInteger({ min: 3, max: 20 }), 3)
  .addOption(
    new Option("--providers <list>", "name:price pairs, USDC a step")
      .argParser(parseProviders)
      .default(parseProviders(PROVIDERS), PROVIDERS),
  )
  .option("--threads <n>", "threads of each provider", parseInteger({ min: 1, max: 64 }), 2)
  .option("--no-ledger", "without the ledger")
  .option("--deployment-file <file>", "where the deployment file is copied to, and removed from in the end", DEPLOYMENT)
  .addHelpText(
    "after",
    "\nExamples:\n  npm run devnet\n  npm run devnet -- --block-time 1 --providers A:0.001,B:0.002,C:0.003\n",
  );

async function main(): Promise<void> {
  const options = readOptions<DevnetOptions>(command);
  const terminal = createTerminal(process.stdout);
  const shutdown = createShutdown();
  endWithParent();
  let network: LocalNetwork | undefined;
  try {
    const { providers } = options;
    network = await startNetwork({
      ...{ blockTime: options.blockTime, verifiers: options.verifiers, rpcPort: options.rpcPort },
      onProgress: terminal.progress,
      signal: shutdown.signal,
    });
    const running = network;
    shutdown.onClose("network", () => running.close());
    terminal.progress(`starting providers ${providers.map(({ name }) => name).join(", ")}`);
    await Promise.all(providers.map((provider) => running.addProvider({ ...provider, threads: options.threads })));
    const copy = path.resolve(options.deploymentFile);
    mkdirSync(path.dirname(copy), { recursive: true });
    copyFileSync(running.deploymentFile, copy);
    shutdown.onClose("deployment file", () => forget(copy, running.deploymentFile));
    terminal.progress("giving the test accounts their USDC");
    const guests = await welcomeGuests(running);
    if (options.ledger) terminal.progress("starting the ledger");
    const ledger = options.ledger ? await startLedger(running, options.ledgerPort) : undefined;
    const site = await serveSite(running, {
      ...{ port: options.explorerPort, mode: "devnet", ledger, localAccounts: guests.explorer },
    });
    shutdown.onClose("explorer", () => site.close());
    terminal.clear();
    for (const line of describe(running, { copy, explorer: site.url, ledger, guests })) terminal.line(line);
    await Promise.race([chainLost(running, terminal, shutdown.signal), untilAborted(shutdown.signal)]);
  } catch (error) {
    terminal.clear();
    if (!shutdown.signal.aborted) exitWith(explain(error));
  } finally {
    terminal.progress("stopping");
    await shutdown.close();
    terminal.clear();
  }
}

/**
 * Tells of every process that ends: killing one is what a devnet is for, so the rest goes on. Without the chain nothing does.
 * @throws when the chain ends
 */
function chainLost(network: LocalNetwork, terminal: Terminal, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    for (const one of network.group.processes.filter((process_) => process_.running())) {
      void one.exited.then(({ code, signal: by }) => {
        if (signal.aborted) return;
        if (one === network.chain.process) reject(new Error(`the chain ended with code ${code}:\n${one.tail()}`));
        else terminal.line(`${one.name} ended (${by ?? `code ${code}`}); the rest goes on`);
      });
    }
  });
}

/** The copy is this network's alone: another network's must not be taken away. */
function forget(copy: string, deploymentFile: string): void {
  if (existsSync(copy) && readFileSync(copy).equals(readFileSync(deploymentFile))) rmSync(copy);
}

interface Places {
  /** of the deployment file */
  copy: string;
  explorer: string;
  ledger: string | undefined;
  guests: Guests;
}

function describe(network: LocalNetwork, { copy, explorer, ledger, guests }: Places): string[] {
  const { chain, deployment, daemons, group } = network;
  const file = path.relative(root, copy);
  const rows: [string, string][] = [
    ["explorer", explorer],
    ["chain", `${chain.rpcUrl} (id ${deployment.chainId}, a block every ${chain.blockTimeMs / 1000} s)`],
    ...(ledger ? [["ledger", `${ledger}/graphql`] as [string, string]] : []),
    ["deployment", file],
    ["logs and keys", group.directory],
    ["client", `${localAccounts.client.address}, 10,000 test USDC, in the explorer's wallet too`],
    ["guest", `${localAccounts.guest.address}, the same`],
    ["arbiter", `${localAccounts.arbiter.address}, in the explorer's wallet too`],
    ...daemons.map(({ name, role, account, endpoint, process: { pid } }): [string, string] => [
      `${role} ${name}`,
      `${account.address}, process ${pid}${endpoint ? `, ${endpoint}` : ""}`,
    ]),
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  const keys = (key: string) => `--keystore ${key} --password-file ${guests.passwordFile}`;
  const at = `--rpc ${chain.wsUrl} --deployment ${file}`;
  return [
    "",
    ...rows.map(([label, value]) => `  ${label.padEnd(width)}${value}`),
    "",
    "Post a job and watch it (in another terminal, in this folder; docs/client.md tells more):",
    "  bin/gpuchain init job.jsonc --data docs/examples/messages.csv",
    `  bin/gpuchain ${at} ${keys(guests.clientKey)} post job.jsonc`,
    `  bin/gpuchain ${at} watch 1`,
    "Kill a provider with `kill -9` and its process number: another one goes on from its last checkpoint.",
    "Start a provider of your own:",
    `  bin/gpuchain-node start ${at} ${keys(guests.providerKey)} --data .gpuchain/guest --name guest --price 0.002`,
    "",
    "Ctrl-C stops everything.",
  ];
}

function parseProviders(text: string): ProviderPrice[] {
  const names = new Set<string>();
  return text.split(",").map((pair) => {
    const [name = "", price = ""] = pair.split(":");
    const isPrice = /^\d{1,6}(\.\d{1,6})?$/.test(price) && Number(price) > 0;
    if (!/^[A-Za-z0-9_-]{1,20}$/.test(name) || !isPrice)
      throw new GpuchainError("USAGE", `"${pair}" is no name:price; for example ${PROVIDERS}`);
    if (names.has(name)) throw new GpuchainError("USAGE", `two providers are called ${name}`);
    names.add(name);
    return { name, price };
  });
}

function explain(error: unknown): unknown {
  if (!(error instanceof PortTakenError)) return error;
  return new GpuchainError("PORT_TAKEN", error.message, {
    hint: "another devnet may be running; or give --rpc-port, --explorer-port or --ledger-port",
  });
}

function parseSeconds(text: string): number {
  const value = Number(text);
  if (!(value >= 0.1 && value <= 60))
    throw new GpuchainError("USAGE", `--block-time ${text} is not between 0.1 and 60`);
  return value;
}

function parsePort(text: string): number {
  return parseInteger({ min: 0, max: 65_535 })(text);
}

await main();
