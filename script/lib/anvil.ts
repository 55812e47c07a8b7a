// A local chain: anvil with blocks at a fixed interval, as Base makes them.
import { createPublicClient, createTestClient, http, type PublicClient, type TestClient } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { foundryBinary } from "../forge.mjs";
import { freePort, type ManagedProcess, type ProcessGroup } from "./processes.ts";

/** Foundry's public test phrase: its accounts hold coins on local chains only, and its keys are known to everybody. */
const TEST_PHRASE = "test test test test test test test test test test test junk";

/** Who the first test accounts are in a local network. */
export const localAccounts = {
  deployer: mnemonicToAccount(TEST_PHRASE, { addressIndex: 0 }),
  client: mnemonicToAccount(TEST_PHRASE, { addressIndex: 1 }),
  treasury: mnemonicToAccount(TEST_PHRASE, { addressIndex: 2 }),
  arbiter: mnemonicToAccount(TEST_PHRASE, { addressIndex: 3 }),
  guest: mnemonicToAccount(TEST_PHRASE, { addressIndex: 4 }),
} as const;

export interface LocalChain {
  process: ManagedProcess;
  rpcUrl: string;
  wsUrl: string;
  blockTimeMs: number;
  public: PublicClient;
  test: TestClient;
}

export interface LocalChainOptions {
  /** seconds between blocks; fractions are allowed */
  blockTime: number;
  port?: number;
  chainId?: number;
}

/** Starts anvil and waits until it answers. @throws PortTakenError, or an error with anvil's own words */
export async function startAnvil(group: ProcessGroup, options: LocalChainOptions): Promise<LocalChain> {
  const port = await freePort(options.port ?? 0);
  const process = group.start({
    name: "anvil",
    file: foundryBinary("anvil"),
    args: [
      ...["--port", String(port), "--block-time", String(options.blockTime), "--mnemonic", TEST_PHRASE],
      // Without pruning anvil keeps every state and fills the disk in hours; 256 blocks still serve reorgs and late calls.
      ...["--prune-history", "256", "--chain-id", String(options.chainId ?? foundry.id)],
    ],
  });
  const rpcUrl = `http://127.0.0.1:${port}`;
  const listening = new Promise<void>((resolve) => {
    process.onLine((line) => {
      if (line.startsWith("Listening on")) resolve();
    });
  });
  const died = process.exited.then(({ code }) => {
    throw new Error(`anvil ended with code ${code}:\n${process.tail()}`);
  });
  await Promise.race([listening, died]);
  // From here on its end is told by `process.exited`, not by an unhandled rejection.
  died.catch(() => undefined);
  const transport = http(rpcUrl);
  return {
    process,
    rpcUrl,
    wsUrl: `ws://127.0.0.1:${port}`,
    blockTimeMs: options.blockTime * 1000,
    public: createPublicClient({ transport, pollingInterval: Math.min(500, options.blockTime * 250) }),
    test: createTestClient({ mode: "anvil", transport }),
  };
}
