// A whole local network: chain, contracts, verifiers and providers, each a process of its own with its own key.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Deployment, loadDeployment } from "@gpuchain/sdk/chain";
import { createKeystore } from "@gpuchain/sdk/crypto";
import { type Address, type PrivateKeyAccount, parseEther } from "viem";
import { type LocalChain, localAccounts, startAnvil } from "./anvil.ts";
import { deployContracts } from "./deploy.ts";
import { freePort, type ManagedProcess, ProcessGroup } from "./processes.ts";
import { root } from "./root.ts";

export interface NetworkOptions {
  /** seconds between blocks */
  blockTime: number;
  verifiers: number;
  rpcPort?: number | undefined;
  chainId?: number | undefined;
  /** ends the start */
  signal?: AbortSignal;
  /** told what is being done, for a progress line */
  onProgress?: (text: string) => void;
  /** what stands between the parties, for faults */
  detours?: Detours;
}

/** Puts something between a daemon and what it talks to. */
export interface Detours {
  /** the RPC address that this daemon is given */
  rpc?(name: string, chain: LocalChain): Promise<string>;
  /** the public address of a gateway that listens on this local port */
  endpoint?(name: string, port: number): Promise<string>;
  /** prepares an empty data folder */
  data?(name: string, directory: string): void;
}

/** A daemon of the network, and what it has said so far. */
export interface Daemon {
  name: string;
  role: "verifier" | "provider";
  account: PrivateKeyAccount;
  process: ManagedProcess;
  dataDir: string;
  /** a verifier's gateway */
  endpoint?: string | undefined;
  /** Settles with the first log event of this name that `matches`; rejects when the process ends before. */
  waitFor(event: string, matches?: (line: DaemonLine) => boolean): Promise<DaemonLine>;
}

/** One JSON line of a daemon's log. */
export interface DaemonLine {
  event?: string;
  time: number;
  level: string;
  msg?: string;
  [field: string]: unknown;
}

export interface ProviderOptions {
  name: string;
  /** USDC per step, as a person writes it */
  price: string;
  /** another program that runs the node, for faults */
  entry?: string;
  args?: string[];
  env?: Record<string, string>;
  threads?: number;
  runtime?: "native" | "wasm";
}

export interface LocalNetwork {
  group: ProcessGroup;
  chain: LocalChain;
  deployment: Deployment;
  deploymentFile: string;
  /** opens every key file of the network */
  passwordFile: string;
  daemons: Daemon[];
  onLine(listener: (daemon: Daemon, line: DaemonLine) => void): void;
  addVerifier(name: string): Promise<Daemon>;
  addProvider(options: ProviderOptions): Promise<Daemon>;
  /** Starts a daemon again on the data directory and key it had. */
  restart(daemon: Daemon, env?: Record<string, string>): Daemon;
  /** Starts a second process with the daemon's key, in a folder of its own; a verifier's twin listens elsewhere. */
  startTwin(daemon: Daemon): Promise<Daemon>;
  close(): Promise<void>;
}

const GAS_MONEY = parseEther("10");
/** Of every key file of a local network: they live for minutes and hold nothing outside its chain. */
export const LOCAL_PASSWORD = "local network";

/** Starts the chain, deploys the contracts and starts the verifiers; providers are added afterwards. */
export async function startNetwork(options: NetworkOptions): Promise<LocalNetwork> {
  const say = options.onProgress ?? (() => undefined);
  const group = new ProcessGroup();
  // Without this an interrupted start would wait for daemons that are gone.
  const onAbort = () => void group.close();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    options.signal?.throwIfAborted();
    say("starting a local chain");
    const chain = await startAnvil(group, {
      blockTime: options.blockTime,
      ...(options.rpcPort === undefined ? {} : { port: options.rpcPort }),
      ...(options.chainId === undefined ? {} : { chainId: options.chainId }),
    });
    say("deploying the contracts");
    const deploymentFile = path.join(group.directory, "deployment.json");
    await deployContracts(group, chain, deploymentFile);
    const network = new Network(group, chain, loadDeployment(deploymentFile), deploymentFile, options.detours ?? {});
    say(`starting ${options.verifiers} verifiers`);
    const names = Array.from({ length: options.verifiers }, (_, index) => `V${index + 1}`);
    await Promise.all(names.map((name) => network.addVerifier(name)));
    return network;
  } catch (error) {
    await group.close();
    throw options.signal?.aborted ? options.signal.reason : error;
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
  }
}

class Network implements LocalNetwork {
  readonly daemons: Daemon[] = [];
  readonly group: ProcessGroup;
  readonly chain: LocalChain;
  readonly deployment: Deployment;
  readonly deploymentFile: string;
  private readonly listeners: ((daemon: Daemon, line: DaemonLine) => void)[] = [];
  readonly passwordFile: string;
  private readonly commands = new Map<Daemon, { file: string; args: string[]; env: Record<string, string> }>();

  private readonly detours: Detours;

  constructor(
    group: ProcessGroup,
    chain: LocalChain,
    deployment: Deployment,
    deploymentFile: string,
    detours: Detours,
  ) {
    this.detours = detours;
    this.group = group;
    this.chain = chain;
    this.deployment = deployment;
    this.deploymentFile = deploymentFile;
    this.passwordFile = path.join(group.directory, "password");
    writeFileSync(this.passwordFile, `${LOCAL_PASSWORD}\n`, { mode: 0o600 });
  }

  onLine(listener: (daemon: Daemon, line: DaemonLine) => void): void {
    this.listeners.push(listener);
  }

  async addVerifier(name: string): Promise<Daemon> {
    const port = await freePort();
    const entry = path.join(root, "verifier/dist/main.js");
    const endpoint = (await this.detours.endpoint?.(name, port)) ?? `http://127.0.0.1:${port}`;
    const args = ["start", "--register", "--listen", `127.0.0.1:${port}`, "--endpoint", endpoint];
    const daemon = await this.add("verifier", name, entry, args, {});
    daemon.endpoint = endpoint;
    await daemon.waitFor("verifier.ready");
    return daemon;
  }

  async addProvider(options: ProviderOptions): Promise<Daemon> {
    const entry = options.entry ?? path.join(root, "node/dist/main.js");
    const args = ["start", "--name", options.name, "--price", options.price, ...(options.args ?? [])];
    if (options.threads) args.push("--threads", String(options.threads));
    if (options.runtime) args.push("--runtime", options.runtime);
    const daemon = await this.add("provider", options.name, entry, args, options.env ?? {});
    await daemon.waitFor("node.ready");
    return daemon;
  }

  restart(old: Daemon, env: Record<string, string> = {}): Daemon {
    const command = this.commandOf(old);
    const daemon = this.launch(old.role, old.name, old.account, old.dataDir, command, env);
    daemon.endpoint = old.endpoint;
    return daemon;
  }

  async startTwin(old: Daemon): Promise<Daemon> {
    const { file, args, env } = this.commandOf(old);
    const dataDir = path.join(this.group.directory, `${old.name}-twin-${this.daemons.length}`);
    mkdirSync(dataDir, { mode: 0o700 });
    const own = [...args];
    const set = (flag: string, value: string) => {
      const at = own.indexOf(flag);
      if (at >= 0) own[at + 1] = value;
    };
    set("--data", dataDir);
    if (old.role === "verifier") set("--listen", `127.0.0.1:${await freePort()}`);
    return this.launch(old.role, `${old.name}'`, old.account, dataDir, { file, args: own, env });
  }

  private commandOf(daemon: Daemon): { file: string; args: string[]; env: Record<string, string> } {
    const command = this.commands.get(daemon);
    if (!command) throw new Error(`${daemon.name} was not started by this network`);
    return command;
  }

  close(): Promise<void> {
    return this.group.close();
  }

  private async add(role: Daemon["role"], name: string, entry: string, args: string[], env: Record<string, string>) {
    const dataDir = path.join(this.group.directory, name);
    mkdirSync(dataDir, { mode: 0o700 });
    this.detours.data?.(name, dataDir);
    const rpc = (await this.detours.rpc?.(name, this.chain)) ?? this.chain.wsUrl;
    const keystore = path.join(dataDir, "key.json");
    const account = await createKeystore(keystore, LOCAL_PASSWORD, { strength: "light" });
    await this.fund(account.address);
    const common = [
      ...["--rpc", rpc, "--deployment", this.deploymentFile, "--data", dataDir],
      ...["--keystore", keystore, "--password-file", this.passwordFile, "--log", "json"],
    ];
    return this.launch(role, name, account, dataDir, { file: entry, args: [...args, ...common], env });
  }

  private launch(
    role: Daemon["role"],
    name: string,
    account: PrivateKeyAccount,
    dataDir: string,
    command: { file: string; args: string[]; env: Record<string, string> },
    env: Record<string, string> = {},
  ): Daemon {
    const process_ = this.group.start({
      name,
      file: process.execPath,
      args: ["--enable-source-maps", command.file, ...command.args],
      env: { ...command.env, ...env },
    });
    const waiting: { event: string; matches: (line: DaemonLine) => boolean; resolve: (line: DaemonLine) => void }[] =
      [];
    const seen: DaemonLine[] = [];
    const daemon: Daemon = {
      name,
      role,
      account,
      process: process_,
      dataDir,
      waitFor: (event, matches = () => true) => {
        const past = seen.find((line) => line.event === event && matches(line));
        if (past) return Promise.resolve(past);
        const found = new Promise<DaemonLine>((resolve) => waiting.push({ event, matches, resolve }));
        const gone = process_.exited.then(({ code, signal }) => {
          throw new Error(`${name} ended (${signal ?? `code ${code}`}) before "${event}":\n${process_.tail()}`);
        });
        return Promise.race([found, gone]);
      },
    };
    process_.onLine((text) => {
      const line = parseLine(text);
      if (!line) return;
      // Steps are many and nobody waits for one that has passed.
      if (line.event !== undefined && line.event !== "step") seen.push(line);
      for (const one of waiting.filter(({ event, matches }) => event === line.event && matches(line))) {
        waiting.splice(waiting.indexOf(one), 1);
        one.resolve(line);
      }
      for (const listener of this.listeners) listener(daemon, line);
    });
    this.commands.set(daemon, command);
    this.daemons.push(daemon);
    return daemon;
  }

  private fund(address: Address): Promise<void> {
    return this.chain.test.setBalance({ address, value: GAS_MONEY });
  }
}

function parseLine(text: string): DaemonLine | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as DaemonLine;
  } catch {
    return undefined; // A line cut short by a kill.
  }
}

export { localAccounts };
