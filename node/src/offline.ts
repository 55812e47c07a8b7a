import { join } from "node:path";
import { assertDeployment, createGpuchainClient, loadDeployment } from "@gpuchain/sdk/chain";
import { createLogger, formatUsdc, GpuchainError, type Logger, openJournal } from "@gpuchain/sdk/daemon";
import type { Hex } from "@gpuchain/sdk/records";
import type { Address } from "viem";
import { openSender } from "./chain/openSender.ts";
import { createTransactions } from "./chain/transactions.ts";
import type { ConnectionConfig } from "./config.ts";
import { createNodeJournal, type Earnings } from "./journal/nodeJournal.ts";
import { freeReservations } from "./lease/freeReservations.ts";
import { openAccount } from "./openAccount.ts";

export interface OfflineStatus {
  readonly address: Address;
  readonly payout: Address;
  readonly claimable: bigint;
  readonly earnings: Earnings;
}

/** A node's key, journal and chain without its daemon: for commands while it does not run. The journal's lock keeps the two apart. */
async function withNode<T>(config: ConnectionConfig, work: (node: OfflineNode) => Promise<T>): Promise<T> {
  const log = createLogger({ name: "node", level: "warn", destination: process.stderr });
  const deployment = loadDeployment(config.deployment);
  const account = await openAccount(config, log, false);
  const database = openJournal(join(config.data, "journal.db"));
  const client = createGpuchainClient({ rpc: config.rpc, deployment, log });
  const end = new AbortController();
  try {
    await assertDeployment(client);
    const sender = await openSender({ client, account, database, log, signal: end.signal });
    return await work({
      address: account.address,
      client,
      journal: createNodeJournal(database),
      transactions: createTransactions(client, sender),
      nonce: async () => String(await client.public.getTransactionCount({ address: account.address })),
      log,
    });
  } finally {
    end.abort();
    client.close();
    database.close();
  }
}

interface OfflineNode {
  readonly address: Address;
  readonly client: ReturnType<typeof createGpuchainClient>;
  readonly journal: ReturnType<typeof createNodeJournal>;
  readonly transactions: ReturnType<typeof createTransactions>;
  readonly nonce: () => Promise<string>;
  readonly log: Logger;
}

const payoutOf = async ({ client, address }: OfflineNode): Promise<Address> => {
  const { registered, payout } = await client.read.getProvider({ account: address });
  return registered ? payout : address;
};

/** What is known of a node that does not run: from its journal and from the chain. */
export const offlineStatus = (config: ConnectionConfig): Promise<OfflineStatus> =>
  withNode(config, async (node) => {
    const payout = await payoutOf(node);
    const { claimable } = await node.client.read.getAccount({ account: payout });
    return { address: node.address, payout, claimable, earnings: node.journal.earnings() };
  });

/** Pauses or resumes a node before its next start, on chain too. */
export const setOfflinePaused = (config: ConnectionConfig, paused: boolean): Promise<void> =>
  withNode(config, async ({ address, client, journal, transactions, nonce }) => {
    journal.set("paused", paused ? "1" : "0");
    const { registered, accepting } = await client.read.getProvider({ account: address });
    if (registered && accepting === paused) await transactions.setAccepting(!paused, await nonce());
  });

/** Pays out what is claimable. @throws GpuchainError `NOT_PAYOUT`, `NOTHING_TO_WITHDRAW` */
export const offlineWithdraw = (config: ConnectionConfig, to?: Address): Promise<{ amount: bigint; hash: Hex }> =>
  withNode(config, (node) => withdraw(node, to));

export interface Unbonding {
  /** base units */
  readonly bond: bigint;
  /** seconds of chain time until the bond may be taken out; 0: it has been, and is claimable by the payout wallet */
  readonly secondsLeft: number;
}

/**
 * Leaves for good, in two calls: the first takes the provider off the registry, a later one, past the unbonding time, makes its bond
 * claimable.
 *
 * @throws GpuchainError `NOT_REGISTERED`, `STILL_RESERVED`
 */
export const offlineUnbond = (config: ConnectionConfig): Promise<Unbonding> =>
  withNode(config, async ({ address, client, transactions, nonce, log }) => {
    const { bond } = await client.read.getAccount({ account: address });
    let { registered, exitAt } = await client.read.getProvider({ account: address });
    if (!registered)
      throw new GpuchainError("NOT_REGISTERED", `${address} is no registered provider`, {
        hint: "its bond is out already, or it was never started",
      });
    if (exitAt === 0) {
      await transactions.requestExit(await nonce());
      ({ exitAt } = await client.read.getProvider({ account: address }));
    }
    const { timestamp } = await client.public.getBlock();
    const secondsLeft = exitAt - Number(timestamp);
    if (secondsLeft > 0) return { bond, secondsLeft };
    const reserved = await freeReservations(client, address, transactions, log);
    if (reserved > 0n)
      throw new GpuchainError("STILL_RESERVED", `${formatUsdc(reserved)} USDC of the bond still answer for work`, {
        hint: "that ends once the last checkpoint of each lease is decided and past appeal: try again later",
      });
    await transactions.withdrawBond(await nonce());
    return { bond, secondsLeft: 0 };
  });

/** The withdrawal itself, the same for a running node. */
export async function withdraw(
  node: Omit<OfflineNode, "journal" | "log">,
  to?: Address,
): Promise<{ amount: bigint; hash: Hex }> {
  const { address, client, transactions, nonce } = node;
  const { registered, payout } = await client.read.getProvider({ account: address });
  if (registered && payout.toLowerCase() !== address.toLowerCase())
    throw new GpuchainError("NOT_PAYOUT", `pay goes to ${payout}, whose key is not here`, {
      hint: "withdraw with that wallet: Escrow.withdraw(to)",
    });
  const { claimable } = await client.read.getAccount({ account: address });
  if (claimable === 0n)
    throw new GpuchainError("NOTHING_TO_WITHDRAW", "nothing is claimable yet", {
      hint: "accepted work becomes claimable once its dispute window is over and somebody calls payOut",
    });
  const { hash } = await transactions.withdraw(to ?? address, await nonce());
  return { amount: claimable, hash };
}
