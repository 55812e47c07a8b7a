// A local chain for tests: a real anvil on a free port, ended with the test.
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import {
  createTestClient,
  type Hash,
  type HttpTransport,
  http,
  type PublicActions,
  publicActions,
  type TestClient,
  type TransactionReceipt,
  type WalletActions,
  walletActions,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { foundry } from "viem/chains";

const phrase = "test test test test test test test test test test test junk";

/** Anvil's own funded accounts, known to everybody. */
export const testAccount = (index: number) => mnemonicToAccount(phrase, { addressIndex: index });

export interface TestChainOptions {
  /** Seconds between blocks. Default: a block for each transaction. */
  blockTime?: number;
  /** No blocks but those that the test asks for. */
  noMining?: boolean;
  port?: number;
  /** Time of the first block, in seconds; each further block is a second later. Default: now, and as time passes. */
  startTime?: number;
}

export interface TestChain {
  port: number;
  rpc: string;
  ws: string;
  /** Whether it was started with a block time. */
  minesOnTime: boolean;
  /** Anvil's own methods, and everything else. */
  test: TestClient<"anvil", HttpTransport, typeof foundry> &
    PublicActions<HttpTransport, typeof foundry> &
    WalletActions<typeof foundry>;
  stop(): Promise<void>;
}

/** Starts anvil; `stop` ends it. */
export async function startTestChain(options: TestChainOptions = {}): Promise<TestChain> {
  const platform = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const require = createRequire(import.meta.url);
  const binary = require.resolve(`@foundry-rs/anvil-${platform}/bin/anvil`);
  const timing = options.noMining
    ? ["--no-mining"]
    : options.blockTime
      ? ["--block-time", String(options.blockTime)]
      : [];
  // Room for a whole deployment in one block: of a sender's transactions behind one that the block has no room for, anvil
  // drops every one as invalid, since their nonces are too high.
  const room = ["--gas-limit", "200000000"];
  const args = [
    "--port",
    String(options.port ?? 0),
    "--prune-history",
    "256",
    "--mnemonic",
    phrase,
    ...room,
    ...timing,
  ];
  if (options.startTime !== undefined) args.push("--timestamp", String(options.startTime));
  const child = spawn(binary, args, { stdio: ["ignore", "pipe", "inherit"] });
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const port = await listeningPort(child);
  const rpc = `http://127.0.0.1:${port}`;
  const test = createTestClient({ mode: "anvil", chain: foundry, transport: http(rpc), pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions);
  if (options.startTime !== undefined) await test.setBlockTimestampInterval({ interval: 1 });
  return {
    port,
    rpc,
    ws: `ws://127.0.0.1:${port}`,
    minesOnTime: options.blockTime !== undefined,
    test,
    async stop() {
      process.off("exit", end);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      end();
      await gone;
    },
  };
}

/**
 * Has all of these mined and waits for their receipts. A chain that mines on time is only waited for.
 *
 * @throws with the hash of one that reverted
 */
export async function mined(chain: TestChain, hashes: readonly Hash[]): Promise<TransactionReceipt[]> {
  if (!chain.minesOnTime) await chain.test.mine({ blocks: 1 });
  const receipts = await Promise.all(hashes.map((hash) => chain.test.waitForTransactionReceipt({ hash })));
  const reverted = receipts.find(({ status }) => status !== "success");
  if (reverted !== undefined) throw new Error(`${reverted.transactionHash} reverted`);
  return receipts;
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`anvil ended with ${code}`)));
    if (child.stdout === null) return reject(new Error("anvil has no output"));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const port = /Listening on .*:(\d+)$/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
}
