// A local network for tests: a real anvil with the real contracts, verifiers and nodes as processes of their own, all ended with the test.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import {
  contractAbis,
  createEventFeed,
  createGpuchainClient,
  createMemoryIntentStore,
  createSender,
  type Deployment,
  type GpuchainClient,
  type GpuchainEvent,
  type GpuchainEventName,
} from "@gpuchain/sdk/chain";
import { createKeystore } from "@gpuchain/sdk/crypto";
import { createLogger, retry } from "@gpuchain/sdk/daemon";
import { createHttpBlobStore, openSession } from "@gpuchain/sdk/gateway";
import { providersRoot, sha256Hex } from "@gpuchain/sdk/records";
import { createProgram, initialState, stateHash } from "@gpuchain/sdk/training";
import {
  type Abi,
  type Address,
  createTestClient,
  getContractAddress,
  type Hex,
  http,
  parseEther,
  publicActions,
  walletActions,
  zeroHash,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import type { TestJob } from "./testJob.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PHRASE = "test test test test test test test test test test test junk";
export const testAccount = (index: number) => mnemonicToAccount(PHRASE, { addressIndex: index });
const CLIENT = testAccount(1);

/** What must have been built for these tests to run; undefined when all is there. */
export function missingBuild(): string | undefined {
  if (!existsSync(artifactPath("Jobs"))) return "contracts/out (npm run build)";
  return existsSync(join(ROOT, "verifier/src/main.ts")) ? undefined : "the verifier";
}

/** One JSON line of a daemon. */
export type Line = { event?: string; [field: string]: unknown };

export interface Daemon {
  readonly address: Address;
  readonly data: string;
  readonly lines: readonly Line[];
  /** The first line, past or future, of that event that fits. */
  until(event: string, fits?: (line: Line) => boolean): Promise<Line>;
  kill(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Starts it again on the same key and folder. */
  restart(): Promise<Daemon>;
}

export type NamedEvent<Name extends GpuchainEventName> = Extract<GpuchainEvent, { eventName: Name }>;

export interface TestNetwork {
  readonly client: GpuchainClient;
  readonly deployment: Deployment;
  readonly deploymentFile: string;
  readonly passwordFile: string;
  readonly rpc: string;
  readonly folder: string;
  readonly events: readonly GpuchainEvent[];
  startNode(name: string, price: string): Promise<Daemon>;
  cancelJob(job: bigint): Promise<void>;
  /** @param lost nobody ever gets the job's data */
  postJob(job: TestJob, terms?: Record<string, unknown>, lost?: boolean): Promise<bigint>;
  until<Name extends GpuchainEventName>(
    name: Name,
    fits?: (event: NamedEvent<Name>) => boolean,
  ): Promise<NamedEvent<Name>>;
  of<Name extends GpuchainEventName>(name: Name): NamedEvent<Name>[];
  stop(): Promise<void>;
}

/** Starts chain, contracts and verifiers. */
export async function startNetwork({
  blockTime,
  verifiers,
}: {
  blockTime: number;
  verifiers: number;
}): Promise<TestNetwork> {
  const folder = mkdtempSync(join(tmpdir(), "gpuchain-node-"));
  const abort = new AbortController();
  const children = new Set<ChildProcess>();
  const killAll = () => {
    for (const child of children) child.kill("SIGKILL");
  };
  process.once("exit", killAll);
  const run = (file: string, args: readonly string[]) => {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
    children.add(child);
    child.once("exit", () => children.delete(child));
    return child;
  };

  const anvil = createRequire(import.meta.url).resolve(
    `@foundry-rs/anvil-${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}/bin/anvil`,
  );
  const chain = run(anvil, ["--port", "0", "--prune-history", "256", "--mnemonic", PHRASE]);
  const port = await new Promise<string>((resolve) => {
    createInterface({ input: chain.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      const found = /Listening on .*:(\d+)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const rpc = `http://127.0.0.1:${port}`;
  const test = createTestClient({ mode: "anvil", chain: foundry, transport: http(rpc), pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions);
  const deployment = await deploy(test as unknown as Deployer);
  await test.setAutomine(false);
  await test.setIntervalMining({ interval: blockTime });

  const deploymentFile = join(folder, "deployment.json");
  writeFileSync(deploymentFile, JSON.stringify({ ...deployment, startBlock: Number(deployment.startBlock) }));
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, "test\n", { mode: 0o600 });
  const log = createLogger({ name: "test", level: "warn" });
  const client = createGpuchainClient({ rpc, deployment, signal: abort.signal, log });
  const sender = createSender({
    client,
    account: CLIENT,
    intents: createMemoryIntentStore(),
    log,
    signal: abort.signal,
  });

  const events: GpuchainEvent[] = [];
  const watchers = new Set<() => void>();
  const reading = (async () => {
    for await (const item of createEventFeed({ client, signal: abort.signal })) {
      if (item.type !== "block") continue;
      events.push(...item.events);
      for (const watcher of [...watchers]) watcher();
    }
  })().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });
  const until: TestNetwork["until"] = (name, fits = () => true) =>
    new Promise((resolve) => {
      const look = () => {
        const found = events.find((event) => event.eventName === name && fits(event as never));
        if (found === undefined) return;
        watchers.delete(look);
        resolve(found as never);
      };
      watchers.add(look);
      look();
    });

  const launch = async (
    entry: string,
    address: Address,
    data: string,
    args: readonly string[],
    ready: string,
  ): Promise<Daemon> => {
    const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
    const child = run(process.execPath, ["--import", loader, "--conditions=source", join(ROOT, entry), ...args]);
    const lines: Line[] = [];
    const waiting = new Set<() => void>();
    const gone = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
      child.once("exit", (code, signal) => resolve({ code, signal })),
    );
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (text) => {
      lines.push(JSON.parse(text) as Line);
      for (const look of [...waiting]) look();
    });
    const daemon: Daemon = {
      address,
      data,
      lines,
      until: (event, fits = () => true) =>
        new Promise((resolve, reject) => {
          const look = () => {
            const found = lines.find((line) => line.event === event && fits(line));
            if (found === undefined) return;
            waiting.delete(look);
            resolve(found);
          };
          waiting.add(look);
          look();
          void gone.then(({ code, signal }) =>
            reject(new Error(`${entry} ended (${signal ?? code}) before "${event}"`)),
          );
        }),
      kill: (signal) => {
        child.kill(signal);
        return gone;
      },
      restart: () => launch(entry, address, data, args, ready),
    };
    await daemon.until(ready);
    return daemon;
  };
  const add = async (entry: string, name: string, args: readonly string[], ready: string) => {
    const data = join(folder, name);
    mkdirSync(data);
    const keystore = join(data, "key.json");
    const { address } = await createKeystore(keystore, "test", { strength: "light" });
    await test.setBalance({ address, value: parseEther("10") });
    const common = ["--rpc", rpc, "--deployment", deploymentFile, "--data", data, "--keystore", keystore];
    return launch(entry, address, data, [...args, ...common, "--password-file", passwordFile, "--log", "json"], ready);
  };

  await Promise.all(
    Array.from({ length: verifiers }, async (_, i) => {
      const endpoint = `127.0.0.1:${await freePort()}`;
      const args = ["start", "--register", "--listen", endpoint, "--endpoint", `http://${endpoint}`];
      await add("verifier/src/main.ts", `V${i}`, args, "verifier.ready");
    }),
  );
  let calls = 0;
  const send = (contract: "usdc" | "jobs", functionName: string, args: readonly unknown[]) =>
    sender.send({
      intent: `${++calls}`,
      address: deployment.contracts[contract],
      abi: contractAbis[contract],
      functionName,
      args,
    });

  return {
    client,
    deployment,
    deploymentFile,
    passwordFile,
    rpc,
    folder,
    events,
    until,
    of: (name) => events.filter((event) => event.eventName === name) as never,
    startNode: (name, price) =>
      add("node/src/main.ts", name, ["start", "--name", name, "--price", price, "--threads", "1"], "node.ready"),
    async cancelJob(job) {
      await send("jobs", "cancel", [job]);
    },
    async postJob({ spec, specBytes, train, heldOut }, terms = {}, lost = false) {
      const budget = 50_000_000n;
      await send("usdc", "mint", [CLIENT.address, budget]);
      await send("usdc", "approve", [deployment.contracts.escrow, budget]);
      const { timestamp } = await client.public.getBlock();
      const { receipt } = await send("jobs", "postJob", [
        {
          templateId: 3,
          specHash: sha256Hex(specBytes),
          genesisHash: stateHash(createProgram(spec), initialState(createProgram(spec))),
          eligibilityRoot: spec.providers === undefined ? zeroHash : providersRoot(spec.providers),
          totalSteps: spec.training.steps,
          checkpointInterval: spec.checkpoint.interval,
          maxPricePerStep: 3_000n,
          verifierFee: 10_000n,
          leaseDuration: 60,
          segmentTimeout: 600,
          pulseTimeoutMs: 30_000,
          auctionRamp: 0,
          verdictTimeout: 60,
          deadline: Number(timestamp) + 3_600,
          gracePeriod: 600,
          disputeWindow: 2,
          budget,
          ...terms,
        },
      ]);
      const posted = await until("JobPosted", (event) => event.transactionHash === receipt.transactionHash);
      for (const { endpoint } of await client.read.listVerifiers()) {
        const store = createHttpBlobStore(await openSession({ endpoint, account: CLIENT }), { job: posted.args.jobId });
        // A gateway learns of the job a moment after we do.
        for (const blob of lost ? [specBytes] : [specBytes, train, heldOut])
          await retry(() => store.put(blob, { sha256: sha256Hex(blob) }), { attempts: 40, baseMs: 100, maxMs: 500 });
      }
      return posted.args.jobId;
    },
    async stop() {
      abort.abort(new Error("the test is over"));
      client.close();
      await reading;
      process.off("exit", killAll);
      const gone = [...children].map((child) => new Promise((resolve) => child.once("exit", resolve)));
      killAll();
      await Promise.all(gone);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const artifactPath = (name: string) => join(ROOT, "contracts/out", `${name}.sol`, `${name}.json`);
function artifact(name: string): { abi: Abi; bytecode: Hex } {
  const { abi, bytecode } = JSON.parse(readFileSync(artifactPath(name), "utf8"));
  return { abi, bytecode: bytecode.object };
}

/** The part of a viem client that deploying needs. */
interface Deployer {
  getTransactionCount(parameters: { address: Address }): Promise<number>;
  getBlockNumber(): Promise<bigint>;
  deployContract(parameters: object): Promise<Hex>;
  writeContract(parameters: object): Promise<Hex>;
  waitForTransactionReceipt(parameters: { hash: Hex }): Promise<{ contractAddress?: Address | null }>;
}

/** As contracts/script/Deploy.s.sol does on a local chain. */
async function deploy(client: Deployer): Promise<Deployment> {
  const account = testAccount(0);
  const limits = {
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
  const startBlock = await client.getBlockNumber();
  const first = await client.getTransactionCount({ address: account.address });
  const at = (offset: number) => getContractAddress({ from: account.address, nonce: BigInt(first + offset) });
  const [usdc, escrow, registry, settlement, jobs, court, lens] = [at(0), at(1), at(2), at(3), at(4), at(5), at(6)];
  const config = { arbiter: testAccount(8).address, treasury: testAccount(9).address };
  const plan: [string, readonly unknown[]][] = [
    ["TestUSDC", []],
    ["Escrow", [usdc, jobs, registry, court]],
    ["Registry", [account.address, escrow, jobs, court, config, limits]],
    ["Settlement", [escrow, registry, court, limits]],
    ["Jobs", [escrow, registry, court, settlement, limits]],
    ["Court", [escrow, registry, jobs, limits]],
    ["Lens", [jobs]],
  ];
  for (const [name, args] of plan)
    await client.waitForTransactionReceipt({ hash: await client.deployContract({ ...artifact(name), args, account }) });
  for (const name of ["text-classification", "text-classification-lora", "language-model", "mlp"]) {
    const call = {
      address: registry,
      abi: artifact("Registry").abi,
      functionName: "approveTemplate",
      args: [name, 1_000n],
    };
    await client.waitForTransactionReceipt({ hash: await client.writeContract({ ...call, account }) });
  }
  return { protocolVersion: 1, chainId: 31337, startBlock, contracts: { jobs, court, registry, escrow, usdc, lens } };
}
