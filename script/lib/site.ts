// The explorer and, where wanted, the ledger of a local network.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Hex } from "viem";
import type { LocalNetwork } from "./network.ts";
import { freePort } from "./processes.ts";
import { root } from "./root.ts";

interface ExplorerServer {
  url: string;
  close(): Promise<void>;
}

interface ServeModule {
  serveExplorer(options: { port: number; config: object }): Promise<ExplorerServer>;
}

export interface SiteOptions {
  /** 0: any free one */
  port: number;
  mode: "devnet" | "demo";
  ledger?: string | undefined;
  /** throw-away accounts that the explorer may sign with */
  localAccounts?: { name: string; privateKey: Hex }[];
}

/** Serves the built explorer for this network. @throws PortTakenError when the port is another program's */
export async function serveSite(
  network: LocalNetwork,
  { port, mode, ledger, localAccounts = [] }: SiteOptions,
): Promise<ExplorerServer> {
  const { serveExplorer } = (await import(pathToFileURL(path.join(root, "explorer/serve.mjs")).href)) as ServeModule;
  const gateways = network.daemons.flatMap(({ endpoint }) => endpoint ?? []);
  return serveExplorer({
    port: await freePort(port),
    config: {
      name: "Local chain",
      mode,
      chainId: network.deployment.chainId,
      rpc: network.chain.rpcUrl,
      blockTimeMs: network.chain.blockTimeMs,
      deployment: JSON.parse(readFileSync(network.deploymentFile, "utf8")),
      ...{ gateways, localAccounts },
      ...(ledger && { ledger }),
    },
  });
}

/** Starts the ledger and waits until it has caught up. @returns its address */
export async function startLedger(network: LocalNetwork, wanted: number): Promise<string> {
  const port = await freePort(wanted);
  const process_ = network.group.start({
    name: "ledger",
    file: process.execPath,
    args: [path.join(root, "indexer/bin/start.mjs")],
    env: {
      PONDER_RPC_URL: network.chain.rpcUrl,
      PONDER_WS_URL: network.chain.wsUrl,
      DEPLOYMENT_FILE: network.deploymentFile,
      PGLITE_DIRECTORY: path.join(network.group.directory, "ledger"),
      PORT: String(port),
      LOG_FORMAT: "json",
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const gone = process_.exited.then(({ code }) => {
    throw new Error(`the ledger ended with code ${code}:\n${process_.tail()}`);
  });
  gone.catch(() => undefined);
  await Promise.race([answers(`${url}/ready`), gone]);
  return url;
}

/** Settles once the address answers with 200; asked every 200 ms, because nothing announces it. */
async function answers(url: string): Promise<void> {
  for (;;) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
