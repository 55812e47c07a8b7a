// A local network whose every link can be troubled: RPC and gateways behind proxies, data folders on small disks.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { createEventFeed } from "@gpuchain/sdk/chain";
import { type ClientParty, createClientParty } from "../lib/clientParty.ts";
import { type Daemon, type LocalNetwork, localAccounts, startNetwork } from "../lib/network.ts";
import type { ManagedProcess } from "../lib/processes.ts";
import { type CutProxy, startCutProxy } from "./cutProxy.ts";
import { disksUnavailable, mount, unmount } from "./disk.ts";
import { createPostingClient, type PostingClient } from "./postingClient.ts";
import { type RpcProxy, startRpcProxy } from "./rpcProxy.ts";
import type { Watcher } from "./watcher.ts";

/** Whoever takes part, whichever process it is at the moment. */
export interface Party {
  readonly name: string;
  readonly role: Daemon["role"] | "client";
  /** lower case */
  readonly address: string;
  readonly process: ManagedProcess;
  readonly dataDir: string;
  readonly rpc: RpcProxy;
  /** in front of a verifier's gateway */
  readonly gateway: CutProxy | undefined;
  /** what is done to it happens one after another */
  turn: Promise<void>;
  /** its clock is set wrong */
  skewed: boolean;
}

export interface DaemonParty extends Party {
  daemon: Daemon;
}

export interface Arena {
  readonly network: LocalNetwork;
  /** looks, funds and withdraws */
  readonly client: ClientParty;
  /** posts the stories' jobs */
  readonly posting: PostingClient;
  readonly parties: readonly Party[];
  readonly daemons: readonly DaemonParty[];
  /** why some kinds of fault cannot be made here, in words; empty when all can */
  readonly lacking: { readonly disk?: string; readonly clock?: string };
  /** what the running story watches */
  watcher: Watcher | undefined;
  /** ends the process and waits for its end */
  kill(party: Party): Promise<void>;
  /** starts it again and waits until it is ready */
  revive(party: Party, env?: Record<string, string>): Promise<void>;
  /** Starts a second process with the party's key; undefined for a client, which is none that stays. */
  startTwin(party: Party): Promise<Daemon | undefined>;
  close(): Promise<void>;
}

export interface ArenaOptions {
  readonly blockTime?: number;
  readonly verifiers?: number;
  readonly providers?: number;
  readonly signal: AbortSignal;
  readonly say?: (text: string) => void;
}

/** Where Debian's package `faketime` puts the library; others by the variable. */
const FAKETIME = [process.env.LIBFAKETIME, "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"].find(
  (file) => file !== undefined && existsSync(file),
);

/** Environment of a process whose wall clock is off, and whose timers are not. */
export const skewedClock = (seconds: number): Record<string, string> => ({
  LD_PRELOAD: FAKETIME ?? "",
  FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}s`,
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
  DONT_FAKE_MONOTONIC: "1",
});

const ready = (party: DaemonParty) => party.daemon.waitFor(party.role === "verifier" ? "verifier.ready" : "node.ready");

/** Starts chain, verifiers and providers, each behind its own proxies. */
export async function startArena(options: ArenaOptions): Promise<Arena> {
  const { blockTime = 0.25, verifiers = 4, providers = 2, say = () => undefined } = options;
  const end = new AbortController();
  const signal = AbortSignal.any([options.signal, end.signal]);
  const rpcs = new Map<string, RpcProxy>();
  const gateways = new Map<string, CutProxy>();
  const disks: string[] = [];
  let disk: string | undefined;
  const network = await startNetwork({
    blockTime,
    verifiers,
    signal,
    onProgress: say,
    detours: {
      async rpc(name, chain) {
        const proxy = await startRpcProxy(Number(new URL(chain.rpcUrl).port));
        rpcs.set(name, proxy);
        // Both ways of talking to a chain are in use: every second daemon polls.
        return rpcs.size % 2 === 0 ? proxy.httpUrl : proxy.wsUrl;
      },
      async endpoint(name, port) {
        const proxy = await startCutProxy(port);
        gateways.set(name, proxy);
        return `http://127.0.0.1:${proxy.port}`;
      },
      data(_name, directory) {
        disk ??= disksUnavailable(directory);
        if (disk !== undefined) return;
        disk = mount(directory);
        if (disk === undefined) disks.push(directory);
      },
    },
  });
  const close = async () => {
    end.abort(new Error("the arena is closed"));
    for (const one of network.group.processes) one.signal("SIGKILL");
    await Promise.all(network.group.processes.map(({ exited }) => exited));
    for (const proxy of [...rpcs.values(), ...gateways.values()]) proxy.close();
    for (const directory of disks) unmount(directory);
    await network.close();
  };
  try {
    for (let index = 0; index < providers; index++)
      await network.addProvider({ name: "ABCDEFGH"[index] ?? `P${index}`, price: "0.001", threads: 1 });
  } catch (error) {
    await close();
    throw error;
  }
  const clientRpc = await startRpcProxy(Number(new URL(network.chain.rpcUrl).port));
  rpcs.set("client", clientRpc);
  const posting = createPostingClient(network, clientRpc.wsUrl);
  const daemons = network.daemons.map((daemon): DaemonParty => {
    const rpc = rpcs.get(daemon.name);
    if (rpc === undefined) throw new Error(`${daemon.name} has no proxy`);
    const { name, role, account, dataDir } = daemon;
    return {
      ...{ name, role, address: account.address.toLowerCase(), daemon, dataDir, rpc, gateway: gateways.get(name) },
      get process() {
        return this.daemon.process;
      },
      turn: Promise.resolve(),
      skewed: false,
    };
  });
  const poster: Party = {
    ...{ name: "client", role: "client", address: localAccounts.client.address.toLowerCase() },
    ...{ dataDir: posting.dataDir, rpc: clientRpc, gateway: undefined, turn: Promise.resolve(), skewed: false },
    get process() {
      return posting.process;
    },
  };
  const client = createClientParty(network, signal);
  const arena: Arena = {
    network,
    client,
    posting,
    parties: [...daemons, poster],
    daemons,
    lacking: {
      ...(disk === undefined ? {} : { disk: `no tmpfs can be mounted: ${disk}` }),
      ...(FAKETIME === undefined
        ? { clock: "libfaketime is missing: install the package faketime, or set LIBFAKETIME" }
        : {}),
    },
    watcher: undefined,
    async kill(party) {
      const { process } = party;
      process.signal("SIGKILL");
      await process.exited;
    },
    async revive(party, env) {
      const daemon = daemons.find((one) => one === party);
      if (daemon === undefined) return posting.again();
      daemon.daemon = network.restart(daemon.daemon, env);
      await ready(daemon);
    },
    async startTwin(party) {
      const daemon = daemons.find((one) => one === party);
      return daemon && network.startTwin(daemon.daemon);
    },
    close,
  };
  network.onLine((daemon, line) => arena.watcher?.onLine(daemon, line));
  void (async () => {
    for await (const item of createEventFeed({ client: client.client, signal }))
      if (item.type === "block") for (const event of item.events) arena.watcher?.onEvent(event);
  })();
  return arena;
}

/** The files of a journal, set aside or put back while its process is down. */
export function copyJournal(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(to)) if (isJournal(name)) rmSync(path.join(to, name));
  for (const name of readdirSync(from)) if (isJournal(name)) cpSync(path.join(from, name), path.join(to, name));
}

const isJournal = (name: string): boolean => name.startsWith("journal.db");
