// A local network for tests: a real anvil on a free port with the contracts deployed, ended with the test.
import { type ChildProcess, spawn } from "node:child_process";
import { setMaxListeners } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  createEventFeed,
  createGpuchainClient,
  createMemoryIntentStore,
  createSender,
  type Deployment,
  type GpuchainClient,
  type GpuchainEvent,
  type GpuchainEventName,
  type Sender,
} from "@gpuchain/sdk/chain";
import { createLogger, type Logger } from "@gpuchain/sdk/daemon";
import {
  type Abi,
  type Address,
  type Chain,
  createTestClient,
  getContractAddress,
  type Hex,
  type HttpTransport,
  http,
  type PublicActions,
  publicActions,
  type TestClient,
  type WalletActions,
  walletActions,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { foundry } from "viem/chains";

const PHRASE = "test test test test test test test test test test test junk";
const ROOT = join(import.meta.dirname, "../../..");

/** Anvil's own funded accounts, known to everybody. 0 deploys, 8 is arbiter, 9 is treasury. */
export const testAccount = (index: number) => mnemonicToAccount(PHRASE, { addressIndex: index });

export type NamedEvent<Name extends GpuchainEventName> = Extract<GpuchainEvent, { eventName: Name }>;

export interface TestNetwork {
  readonly rpc: string;
  readonly ws: string;
  readonly deployment: Deployment;
  readonly client: GpuchainClient;
  readonly test: AnvilClient;
  readonly log: Logger;
  /** everything that happened, in order */
  readonly events: readonly GpuchainEvent[];
  sender(index: number): Sender;
  /** The first event, past or future, of that name that fits. */
  until<Name extends GpuchainEventName>(
    name: Name,
    fits?: (event: NamedEvent<Name>) => boolean,
  ): Promise<NamedEvent<Name>>;
  stop(): Promise<void>;
}

type AnvilClient = TestClient<"anvil", HttpTransport, Chain> &
  PublicActions<HttpTransport, Chain> &
  WalletActions<Chain>;

const testClient = (rpc: string): AnvilClient =>
  createTestClient({ mode: "anvil", chain: foundry as Chain, transport: http(rpc), pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions) as AnvilClient;

export async function startNetwork({ blockTime = 1 }: { blockTime?: number } = {}): Promise<TestNetwork> {
  const platform = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const binary = createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${platform}/bin/anvil`);
  const args = ["--port", "0", "--prune-history", "256", "--mnemonic", PHRASE, "--accounts", "20", "--no-mining"];
  const child = spawn(binary, args, { stdio: ["ignore", "pipe", "inherit"] });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const port = await listeningPort(child);
  const rpc = `http://127.0.0.1:${port}`;
  const test = testClient(rpc);
  await test.setAutomine(true);
  const deployment = await deploy(test);
  await test.setAutomine(false);
  await test.setIntervalMining({ interval: blockTime });

  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  const log = createLogger({ name: "test", level: "warn" });
  const client = createGpuchainClient({ rpc, deployment, signal: abort.signal });
  const events: GpuchainEvent[] = [];
  const listeners = new Set<() => void>();
  const reading = (async () => {
    for await (const item of createEventFeed({ client, signal: abort.signal })) {
      if (item.type !== "block") continue;
      events.push(...item.events);
      for (const listener of [...listeners]) listener();
    }
  })().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });

  return {
    rpc,
    ws: `ws://127.0.0.1:${port}`,
    deployment,
    client,
    test,
    log,
    events,
    sender: (index) =>
      createSender({
        client,
        account: testAccount(index),
        intents: createMemoryIntentStore(),
        log,
        signal: abort.signal,
      }),
    until: (name, fits = () => true) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = events.find((event) => event.eventName === name && fits(event as never));
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found as never);
        };
        listeners.add(look);
        look();
      }),
    async stop() {
      abort.abort(new Error("the test is over"));
      client.close();
      await reading;
      process.off("exit", kill);
      const gone = new Promise((resolve) => child.once("exit", resolve));
      kill();
      if (child.exitCode === null && child.signalCode === null) await gone;
    },
  };
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`anvil ended with ${code}`)));
    if (child.stdout === null) throw new Error("anvil has no output");
    createInterface({ input: child.stdout }).on("line", (line) => {
      const port = /Listening on .*:(\d+)$/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
}

function artifact(name: string): { abi: Abi; bytecode: Hex } {
  const path = join(process.env.FOUNDRY_OUT ?? join(ROOT, "contracts/out"), `${name}.sol/${name}.json`);
  if (!existsSync(path)) throw new Error(`${path} is missing: compile the contracts first (npm run build)`);
  const { abi, bytecode } = JSON.parse(readFileSync(path, "utf8"));
  return { abi, bytecode: bytecode.object };
}

/** The local chain's limits, as in the deploy script. */
const LIMITS = {
  minLeaseDuration: 3,
  minVerdictTimeout: 5,
  minDisputeWindow: 2,
  maxBudget: 0n,
  minProviderBond: 1_000_000n,
  minVerifierBond: 100_000_000n,
  appealWindow: 5,
  arbiterPeriod: 3 * 86_400,
  unbondingPeriod: 60,
  drawDelay: 0,
  longCoolDown: 2,
  shortCoolDown: 2,
};

async function deploy(test: AnvilClient): Promise<Deployment> {
  const account = testAccount(0);
  let nonce = await test.getTransactionCount({ address: account.address });
  const create = async (name: string, args: readonly unknown[]): Promise<Address> => {
    const hash = await test.deployContract({ ...artifact(name), args, account, nonce: nonce++ } as Parameters<
      typeof test.deployContract
    >[0]);
    const { contractAddress } = await test.waitForTransactionReceipt({ hash });
    return contractAddress as Address;
  };
  const startBlock = await test.getBlockNumber();
  const usdc = await create("TestUSDC", []);
  const foretold = (offset: number): Address =>
    getContractAddress({ from: account.address, nonce: BigInt(nonce + offset) });
  const [escrow, registry, settlement, jobs, court] = [0, 1, 2, 3, 4].map(foretold) as [
    Address,
    Address,
    Address,
    Address,
    Address,
  ];
  const config = { arbiter: testAccount(8).address, treasury: testAccount(9).address };
  await create("Escrow", [usdc, jobs, registry, court]);
  await create("Registry", [account.address, escrow, jobs, court, config, LIMITS]);
  await create("Settlement", [escrow, registry, court, LIMITS]);
  await create("Jobs", [escrow, registry, court, settlement, LIMITS]);
  await create("Court", [escrow, registry, jobs, LIMITS]);
  const lens = await create("Lens", [jobs]);
  for (const name of ["text-classification", "text-classification-lora", "language-model", "mlp"]) {
    const hash = await test.writeContract({
      address: registry,
      abi: artifact("Registry").abi,
      functionName: "approveTemplate",
      args: [name, 1_000n],
      account,
      nonce: nonce++,
    });
    await test.waitForTransactionReceipt({ hash });
  }
  return { protocolVersion: 1, chainId: 31337, startBlock, contracts: { jobs, court, registry, escrow, usdc, lens } };
}
