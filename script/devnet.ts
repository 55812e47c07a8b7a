// `npm run devnet`: the demo's network, kept running: a chain, the contracts, verifiers, providers, the ledger and the explorer.
import { copyFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { createShutdown, exitWith, GpuchainError, parseInteger } from "@gpuchain/sdk/daemon";
import { Command } from "commander";
import { localAccounts } from "./lib/anvil.ts";
import { type LocalNetwork, startNetwork } from "./lib/network.ts";
import { PortTakenError } from "./lib/processes.ts";
import { root } from "./lib/root.ts";
import { serveSite, startLedger } from "./lib/site.ts";
import { createTerminal } from "./lib/terminal.ts";

interface DevnetOptions {
  blockTime: number;
  rpcPort: number;
  explorerPort: number;
  ledgerPort: number;
  verifiers: number;
  providers: string;
  ledger: boolean;
  threads: number;
}

const command = new Command("devnet")
  .description("Starts a local GPUChain network and keeps it running until Ctrl-C. Nothing of it is kept afterwards.")
  .option("--block-time <seconds>", "seconds between blocks", parseSeconds, 2)
  .option("--rpc-port <port>", "port of the chain", parsePort, 8545)
  .option("--explorer-port <port>", "port of the explorer", parsePort, 4173)
  .option("--ledger-port <port>", "port of the ledger", parsePort, 42_069)
  .option("--verifiers <n>", "verifiers, at least three", parseInteger({ min: 3, max: 20 }), 3)
  .option("--providers <list>", "name:price pairs, USDC a step", "A:0.001,B:0.003")
  .option("--threads <n>", "threads of each provider", parseInteger({ min: 1, max: 64 }), 2)
  .option("--no-ledger", "without the ledger")
  .addHelpText(
    "after",
    "\nExamples:\n  npm run devnet\n  npm run devnet -- --block-time 1 --providers A:0.001,B:0.002,C:0.003\n",
  );

/** Where the command line's `local` network looks. */
const DEPLOYMENT = path.join(root, "deployments/31337.json");

async function main(): Promise<void> {
  const terminal = createTerminal(process.stdout);
  const shutdown = createShutdown();
  let network: LocalNetwork | undefined;
  try {
    const options = command.parse().opts<DevnetOptions>();
    const providers = parseProviders(options.providers);
    network = await startNetwork({
      ...{ blockTime: options.blockTime, verifiers: options.verifiers, rpcPort: options.rpcPort },
      onProgress: terminal.progress,
      signal: shutdown.signal,
    });
    const running = network;
    shutdown.onClose("network", () => running.close());
    terminal.progress(`starting providers ${providers.map(({ name }) => name).join(", ")}`);
    await Promise.all(providers.map((provider) => running.addProvider({ ...provider, threads: options.threads })));
    mkdirSync(path.dirname(DEPLOYMENT), { recursive: true });
    copyFileSync(running.deploymentFile, DEPLOYMENT);
    if (options.ledger) terminal.progress("starting the ledger");
    const ledger = options.ledger ? await startLedger(running, options.ledgerPort) : undefined;
    const site = await serveSite(running, { port: options.explorerPort, mode: "devnet", ledger });
    shutdown.onClose("explorer", () => site.close());
    terminal.clear();
    for (const line of describe(running, site.url, ledger)) terminal.line(line);
    const failed = Promise.race(
      running.group.processes
        .filter((one) => one.running())
        .map(async (one) => {
          const { code } = await one.exited;
          if (!shutdown.signal.aborted) throw new Error(`${one.name} ended with code ${code}:\n${one.tail()}`);
        }),
    );
    await Promise.race([failed, new Promise((resolve) => shutdown.signal.addEventListener("abort", resolve))]);
  } catch (error) {
    terminal.clear();
    if (!shutdown.signal.aborted) exitWith(explain(error));
  } finally {
    terminal.progress("stopping");
    await shutdown.close();
    terminal.clear();
  }
}

function describe(network: LocalNetwork, explorer: string, ledger: string | undefined): string[] {
  const rows: [string, string][] = [
    ["explorer", explorer],
    [
      "chain",
      `${network.chain.rpcUrl} (id ${network.deployment.chainId}, a block every ${network.chain.blockTimeMs / 1000} s)`,
    ],
    ...(ledger ? [["ledger", `${ledger}/graphql`] as [string, string]] : []),
    ["deployment file", path.relative(root, DEPLOYMENT)],
    ["client with coins", `${localAccounts.client.address} (account 1 of Foundry's public test phrase)`],
    ...network.daemons.map(({ name, role, account, endpoint }): [string, string] => [
      `${role} ${name}`,
      endpoint ? `${account.address}, ${endpoint}` : account.address,
    ]),
    ["logs and keys", network.group.directory],
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  return ["", ...rows.map(([label, value]) => `  ${label.padEnd(width)}${value}`), "", "Ctrl-C stops everything."];
}

function parseProviders(text: string): { name: string; price: string }[] {
  return text.split(",").map((pair) => {
    const [name = "", price = ""] = pair.split(":");
    if (!/^[A-Za-z0-9_-]{1,20}$/.test(name) || !/^\d+(\.\d{1,6})?$/.test(price)) {
      throw new GpuchainError("USAGE", `--providers: "${pair}" is no name:price`, {
        hint: "for example A:0.001,B:0.003",
      });
    }
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
