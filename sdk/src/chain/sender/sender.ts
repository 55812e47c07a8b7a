import { encodeFunctionData, type LocalAccount } from "viem";
import { isGpuchainError } from "../../daemon/errors.ts";
import { abortable } from "../../daemon/sleep.ts";
import type { GpuchainClient } from "../client.ts";
import { fromContractError } from "../contractErrors.ts";
import { createChainView } from "./chainView.ts";
import { expired, NonceHeld, NonceLost, receiptMissing } from "./errors.ts";
import { createFollower, type Tracked } from "./follower.ts";
import type { IntentRecord, IntentStore } from "./intents.ts";
import { createMutex } from "./mutex.ts";
import { createOutbox } from "./outbox.ts";
import { simulateCall } from "./simulate.ts";
import type { ChainLog, Sender, SendParameters, SendResult } from "./types.ts";

export interface SenderParameters {
  client: GpuchainClient;
  account: LocalAccount;
  intents: IntentStore;
  log: ChainLog;
  signal?: AbortSignal;
  /** A transaction that no block took for this long is replaced at a higher fee, milliseconds. Default 12,000. */
  stuckAfterMs?: number;
  /** Never pays more than this, wei a gas. Default: no cap. */
  maxFeePerGas?: bigint;
  /** Blocks after which a mined transaction is no longer watched for reorgs. Default 12. */
  finalityDepth?: number;
}

/**
 * The one way to send transactions of a key.
 *
 * - Serial: one nonce after the other; receipts are awaited side by side.
 * - Each intent at most once: what will be signed is in the store before it is signed, and the signed bytes before they
 *   are sent. After a crash the same bytes are sent again; all versions of an intent share one nonce, so only one of them
 *   can be mined.
 * - Repairs itself: transactions that vanished from the pool are sent again, stuck ones replaced at a higher fee, a hole
 *   in the nonces is filled with an empty transaction (and the log says so), reorgs undo and redo.
 *
 * @example
 * const sender = createSender({ client, account, intents: createMemoryIntentStore(), log });
 * const { receipt } = await sender.send({ intent: "faucet:1", address: usdc, abi: testUsdcAbi, functionName: "mint", args: [to, 1n] });
 */
export function createSender(parameters: SenderParameters): Sender {
  const { client, account, intents, log, signal, stuckAfterMs = 12_000, finalityDepth = 12 } = parameters;
  const chainId = client.deployment.chainId;
  const exclusive = createMutex();
  const view = createChainView(client, account.address);
  const common = { client, account, intents, view, log, signal };
  const outbox = createOutbox({ ...common, maxFeePerGas: parameters.maxFeePerGas });
  const follower = createFollower({ ...common, outbox, exclusive, stuckAfterMs, finalityDepth });
  const running = new Map<string, Promise<SendResult>>();

  const stored = (intent: string) => intents.get(chainId, account.address, intent);

  async function submit(call: SendParameters): Promise<Tracked> {
    const { intent, address: to, abi, functionName, args = [], value = 0n, deadline } = call;
    const data = encodeFunctionData({ abi, functionName, args });
    const assertInTime = async () => {
      if (deadline !== undefined && (await view.time()) > deadline) throw expired(intent);
    };
    await assertInTime();
    const [gas, fees, pending] = await Promise.all([
      simulateCall(client.public, { account, ...call, value, data }),
      outbox.market(),
      view.count("pending"),
    ]);
    await assertInTime();
    const nonce = Math.max(pending, ...[...follower.items.values()].map(({ record }) => record.nonce + 1));
    const base = { intent, account: account.address, chainId, nonce, status: "open", to, data, value } as const;
    const record: IntentRecord = { ...base, versions: [], ...(deadline !== undefined && { deadline }) };
    await outbox.add(record, { kind: "call", gas, ...fees });
    return deliver(record, functionName);
  }

  /** From before a crash: a version that was recorded and not yet signed is signed now, or nothing could ever be sent. */
  async function complete(record: IntentRecord): Promise<IntentRecord> {
    for (const version of record.versions) if (version.raw === undefined) await outbox.sign(record, version);
    return record;
  }

  /** First broadcast of a record whose nonce is the newest one. */
  async function deliver(record: IntentRecord, functionName: string): Promise<Tracked> {
    try {
      const outcome = await outbox.broadcast(record);
      if (outcome === "sent" || (await view.receipt(record)) !== undefined) return follower.track(record, functionName);
      // Another program uses this key: whatever it sent with our nonce stands, and we take the next one.
      log.warn(
        { intent: record.intent, nonce: record.nonce },
        "the nonce was taken by another transaction of this key",
      );
      follower.settle(record, outcome === "nonceUsed" ? "replaced" : "refused");
      throw new NonceLost();
    } catch (error) {
      // No node has it and nothing comes after it: its nonce is free for the next intent.
      if (isGpuchainError(error, "INTENT_REFUSED")) follower.settle(record, "refused");
      throw error;
    }
  }

  /** What is already known of an intent: followed, or found in the store; undefined when it is to be signed (anew). */
  async function recall(intent: string, functionName: string): Promise<Tracked | undefined> {
    const followed = follower.items.get(intent);
    if (followed !== undefined) return followed;
    const record = stored(intent);
    if (record === undefined || record.status === "replaced") return undefined;
    if (record.status === "cancelled") throw expired(intent);
    const receipt = await view.receipt(record);
    if (receipt === undefined && record.status === "final") throw receiptMissing(record);
    if (receipt === undefined && record.status === "refused") {
      // Signed anew only once its old bytes are dead: whoever has its nonce now must be mined first.
      const holder = [...follower.items.values()].find((item) => item.record.nonce === record.nonce);
      if (holder?.record.status === "open") throw new NonceHeld(holder.settled);
      return undefined;
    }
    if (record.status === "refused") record.status = "open";
    const item = follower.track(await complete(record), functionName);
    if (receipt !== undefined) await follower.finish(item, receipt);
    else {
      // From before a restart: whether it ever left is not known, so a node that lacks it gets it at once.
      item.sentAt = 0;
      await follower.review();
    }
    return item;
  }

  async function run(call: SendParameters): Promise<SendResult> {
    for (;;) {
      try {
        const item = await exclusive(async () => (await recall(call.intent, call.functionName)) ?? submit(call));
        const receipt = await abortable(item.settled, signal);
        return { hash: receipt.transactionHash, receipt };
      } catch (error) {
        if (error instanceof NonceHeld) await abortable(error.until, signal);
        else if (!(error instanceof NonceLost)) throw error;
      }
    }
  }

  return {
    address: account.address,
    send(call) {
      const known = running.get(call.intent);
      if (known !== undefined) return known;
      const mine = run(call).catch((error: unknown) => {
        throw signal?.aborted ? signal.reason : fromContractError(error, call.functionName);
      });
      running.set(call.intent, mine);
      return mine.finally(() => running.delete(call.intent));
    },
    async find(intent) {
      try {
        const item = await exclusive(() => recall(intent, "call"));
        const receipt = item === undefined ? undefined : await abortable(item.settled, signal);
        return receipt === undefined ? undefined : { hash: receipt.transactionHash, receipt };
      } catch (error) {
        if (error instanceof NonceHeld || error instanceof NonceLost) return undefined;
        throw signal?.aborted ? signal.reason : fromContractError(error, intent);
      }
    },
    resume: () =>
      exclusive(async () => {
        const records = intents.unsettled(chainId, account.address);
        for (const record of records) {
          follower.track(await complete(record), "resumed call").sentAt = 0;
        }
        if (records.length > 0) log.info({ intents: records.length }, "taking up transactions from before the restart");
        await follower.review();
      }),
    get open() {
      return [...follower.items.values()].filter(({ record }) => record.status === "open").length;
    },
  };
}
