import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { getAddress, type LocalAccount } from "viem";
import {
  assertDeployment,
  createGpuchainClient,
  createSender,
  type GpuchainClient,
  loadDeployment,
} from "../chain/index.ts";
import type { ClientContext } from "../client/index.ts";
import { openKeystore, readKeystoreAddress, resolvePassword } from "../crypto/index.ts";
import { accountOf } from "../crypto/keystore.ts";
import {
  createJournalIntentStore,
  createLogger,
  GpuchainError,
  isGpuchainError,
  type Journal,
  openJournal,
  redactUrl,
  type Shutdown,
  toGpuchainError,
} from "../daemon/index.ts";
import type { Output } from "./output.ts";
import { type Network, networkOf, type Settings } from "./settings.ts";

/** What a command works with. */
export interface Session {
  settings: Settings;
  network: Network;
  output: Output;
  signal: AbortSignal;
  /** A checked connection to the network. */
  connect(): Promise<GpuchainClient>;
  /** The key, for reading and signing only. */
  account(): Promise<LocalAccount>;
  /** The address of the key, without asking for its password where the key file tells it; undefined without a key. */
  address(): Promise<`0x${string}` | undefined>;
  /** Connection, key and sender; transactions under way survive a crash. */
  context(): Promise<ClientContext>;
}

/** @param begun the program's shutdown, which takes Ctrl-C over when it is first asked for */
export function createSession(settings: Settings, output: Output, begun: () => Shutdown): Session {
  const network = networkOf(settings);
  const log = createLogger({
    ...{ name: "gpuchain", level: "warn", destination: process.stderr },
    colour: process.stderr.isTTY === true && !process.env.NO_COLOR,
  });
  if (showsCredentials(settings.profile, network))
    log.warn(
      `${settings.profile} holds an address with credentials, and other users of this machine can read it: run chmod 600`,
    );
  let client: Promise<GpuchainClient> | undefined;
  let account: Promise<LocalAccount> | undefined;

  async function open(): Promise<GpuchainClient> {
    const { signal } = session;
    const deployment = loadDeployment(network.deployment);
    const opened = createGpuchainClient({ rpc: network.rpc, deployment, signal, log, patienceMs: 60_000 });
    begun().onClose("connection", () => opened.close());
    // Limits of a public endpoint are waited out, but a chain that is not there should be told at once.
    await opened.public.request({ method: "eth_chainId" }, { patienceMs: 2_000 } as object).catch((error: unknown) => {
      if (toGpuchainError(error).code !== "RPC_RATE_LIMITED") throw error;
    });
    await assertDeployment(opened);
    return opened;
  }

  async function readKey(): Promise<LocalAccount> {
    const { privateKey, password } = settings;
    if (privateKey !== undefined && settings.keystore === undefined) {
      const found = /^0x[0-9a-fA-F]{64}$/.test(privateKey) ? accountOf(privateKey as `0x${string}`) : undefined;
      if (found !== undefined) return found;
      throw new GpuchainError("KEY_INVALID", "GPUCHAIN_PRIVATE_KEY is no key", {
        hint: "it is 0x and 64 hexadecimal digits",
      });
    }
    if (network.keystore === undefined) {
      throw new GpuchainError("KEY_MISSING", "this command needs your key", {
        hint: "give --keystore FILE (and --password-file), or set GPUCHAIN_PRIVATE_KEY on a test network",
      });
    }
    // Read before the password is asked for: a wrong file should not cost the typing.
    await readKeystoreAddress(network.keystore);
    const prompt = `password of ${network.keystore}: `;
    const secret = await resolvePassword({
      file: network.passwordFile,
      value: password,
      prompt,
      signal: session.signal,
    });
    return openKeystore(network.keystore, secret);
  }

  const session: Session = {
    settings,
    network,
    output,
    get signal() {
      return begun().signal;
    },
    connect() {
      client ??= open();
      return client;
    },
    account() {
      account ??= readKey();
      return account;
    },
    async address() {
      if (settings.privateKey === undefined && network.keystore === undefined) return undefined;
      const told = network.keystore === undefined ? undefined : await readKeystoreAddress(network.keystore);
      return told === undefined ? (await session.account()).address : getAddress(told);
    },
    async context() {
      const opened = await session.connect();
      const key = await session.account();
      const journal = openTransactions(settings.dataDir);
      const { signal } = session;
      begun().onClose("journal", () => journal.close());
      const sender = createSender({
        client: opened,
        account: key,
        intents: createJournalIntentStore(journal),
        log,
        signal,
      });
      return { client: opened, account: key, sender, log, signal };
    },
  };
  return session;
}

/** Whether others can read the profile file, and in it what gives access to an endpoint. */
function showsCredentials(profile: string, { rpc, ledger = "" }: Network): boolean {
  if (process.platform === "win32" || ![rpc, ledger].some((url) => redactUrl(url).includes("***"))) return false;
  return ((statSync(profile, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

/** Where transactions under way are kept: one command at a time, or two could post under one name. */
function openTransactions(folder: string): Journal {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openJournal(join(folder, "client.db"));
  } catch (cause) {
    if (isGpuchainError(cause, "JOURNAL_BUSY")) {
      throw new GpuchainError("JOURNAL_BUSY", "another gpuchain command is sending transactions just now", {
        hint: "wait until it is done, and run this again",
        cause,
      });
    }
    if (cause instanceof GpuchainError) throw cause;
    throw new GpuchainError("DATA_DIR_INVALID", `cannot write to the folder ${folder}`, {
      hint: "give another one with --data-dir",
      cause,
    });
  }
}
