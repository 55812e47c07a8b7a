import type { LocalAccount, TransactionReceipt } from "viem";
import { isGpuchainError } from "../../daemon/errors.ts";
import type { GpuchainClient } from "../client.ts";
import { isPassing, shortMessage } from "../rpcErrors.ts";
import type { ChainView } from "./chainView.ts";
import { NonceLost } from "./errors.ts";
import type { IntentRecord, IntentStore, IntentVersion } from "./intents.ts";
import { emptyGas, newest, type Outbox } from "./outbox.ts";
import { settlementError } from "./settlement.ts";
import type { ChainLog } from "./types.ts";

/** An intent that is out, or mined and not yet past reorgs. */
export interface Tracked {
  record: IntentRecord;
  functionName: string;
  /** Its first receipt, or why it failed. */
  settled: Promise<TransactionReceipt>;
  resolve(receipt: TransactionReceipt): void;
  reject(error: unknown): void;
  /** When the newest version went out, epoch milliseconds; 0: not known, ask. */
  sentAt: number;
  /** Whether the caller has its result; from then on only a reorg matters. */
  told: boolean;
  /** How many reviews in a row saw the nonce used and no receipt. */
  missing: number;
}

export interface Follower {
  readonly items: ReadonlyMap<string, Tracked>;
  track(record: IntentRecord, functionName: string): Tracked;
  /** Looks at everything that is out and repairs what is wrong. Call it under the sender's lock. */
  review(): Promise<void>;
  settle(record: IntentRecord, status: IntentRecord["status"]): void;
  /** A receipt is there: tells the caller, and goes on watching for a reorg until it is deep enough. */
  finish(item: Tracked, receipt: TransactionReceipt): Promise<void>;
}

export interface FollowerParameters {
  client: GpuchainClient;
  account: LocalAccount;
  intents: IntentStore;
  view: ChainView;
  outbox: Outbox;
  /** Runs a task under the sender's lock. */
  exclusive: (task: () => Promise<void>) => Promise<void>;
  log: ChainLog;
  signal: AbortSignal | undefined;
  stuckAfterMs: number;
  finalityDepth: number;
}

/** Between two looks at open transactions while no block arrives. */
const reviewEveryMs = 2_000;
/** Reviews without a receipt for a used nonce before it counts as used by somebody else: endpoints lag behind themselves. */
const missingLimit = 4;
/** A transaction that is in no pool, or a hole before it, is looked into after this long at the latest. */
const patienceMs = 4_000;

/** Follows sent transactions to their end: sends again, replaces, fills holes, undoes what a reorg undid. */
export function createFollower(parameters: FollowerParameters): Follower {
  const { client, account, intents, view, outbox, exclusive, log, signal, stuckAfterMs, finalityDepth } = parameters;
  const items = new Map<string, Tracked>();
  const graceMs = Math.min(stuckAfterMs, patienceMs);
  let stopListening: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let queued = false;
  let lastCount = -1;
  let countSince = 0;

  function request() {
    if (queued) return;
    queued = true;
    void exclusive(() => {
      queued = false;
      return review();
    });
  }

  function schedule() {
    clearTimeout(timer);
    if (items.size > 0 && !signal?.aborted) timer = setTimeout(request, reviewEveryMs);
  }

  function track(record: IntentRecord, functionName: string): Tracked {
    const known = items.get(record.intent);
    if (known !== undefined) return known;
    const item = deferred(record, functionName);
    items.set(record.intent, item);
    stopListening ??= client.heads.listen(request);
    schedule();
    return item;
  }

  function untrack(item: Tracked) {
    items.delete(item.record.intent);
    if (items.size > 0) return;
    stopListening?.();
    stopListening = undefined;
    clearTimeout(timer);
  }

  function settle(record: IntentRecord, status: IntentRecord["status"]) {
    record.status = status;
    intents.put(record);
  }

  const depth = ({ blockNumber }: IntentRecord) => (client.heads.latest?.number ?? 0n) - (blockNumber ?? 0n);

  async function finish(item: Tracked, receipt: TransactionReceipt): Promise<void> {
    const { record } = item;
    record.hash = receipt.transactionHash;
    record.blockNumber = receipt.blockNumber;
    record.blockHash = receipt.blockHash;
    item.missing = 0;
    settle(record, "mined");
    const error = await settlementError(client.public, account, record, item.functionName, receipt);
    item.told = true;
    if (error === undefined) item.resolve(receipt);
    else {
      log.warn({ intent: record.intent, hash: receipt.transactionHash, reason: error.message }, "a transaction failed");
      item.reject(error);
    }
    if (depth(record) < BigInt(finalityDepth)) return;
    const winner = record.versions.find(({ hash }) => hash === receipt.transactionHash);
    settle(record, winner?.kind === "cancel" ? "cancelled" : receipt.status === "reverted" ? "reverted" : "final");
    untrack(item);
  }

  async function review(): Promise<void> {
    try {
      if (signal?.aborted || items.size === 0) return;
      const count = await view.count("latest");
      if (count !== lastCount) {
        lastCount = count;
        countSince = Date.now();
      }
      for (const item of [...items.values()].sort((a, b) => a.record.nonce - b.record.nonce)) {
        await (item.record.nonce < count ? reviewUsed(item) : reviewWaiting(item, count));
      }
      await fillHole(count);
    } catch (error) {
      if (signal?.aborted) return;
      // An outage is said by the transport. Anything else is a fault of ours that trying again may not mend.
      const level = isPassing(error) ? "debug" : "warn";
      log[level]({ reason: shortMessage(error) }, "could not look at open transactions; trying again");
    } finally {
      schedule();
    }
  }

  /** Its nonce is used: by it, or by another transaction of the key. */
  async function reviewUsed(item: Tracked): Promise<void> {
    const { record } = item;
    if (item.told && depth(record) < BigInt(finalityDepth)) return;
    const receipt = await view.receipt(record);
    if (receipt !== undefined) return finish(item, receipt);
    item.missing += 1;
    if (item.missing < missingLimit) return;
    log.warn({ intent: record.intent, nonce: record.nonce }, "another transaction of this key used the nonce");
    settle(record, "replaced");
    untrack(item);
    item.reject(new NonceLost());
  }

  /** It is not mined, or no longer. */
  async function reviewWaiting(item: Tracked, count: number): Promise<void> {
    const { record } = item;
    if (record.status === "mined") {
      log.warn({ intent: record.intent, nonce: record.nonce }, "a reorg undid this transaction: sending it again");
      settle(record, "open");
      item.told = false;
      item.sentAt = 0;
    }
    const version = newest(record);
    if (record.deadline !== undefined && version.kind === "call" && (await view.time()) > record.deadline) {
      return replace(item, { kind: "cancel", gas: emptyGas }, "its time is over: using its nonce up");
    }
    const waitedMs = Date.now() - item.sentAt;
    if (waitedMs < graceMs) return;
    if (!(await view.knows(version))) return resend(item);
    if (item.sentAt === 0) item.sentAt = Date.now();
    else if (record.nonce === count && waitedMs >= stuckAfterMs * 2 ** (record.versions.length - 1)) {
      await replace(item, { kind: version.kind, gas: version.gas }, "stuck: replacing it at a higher fee");
    }
  }

  async function resend(item: Tracked): Promise<void> {
    const { record } = item;
    item.sentAt = Date.now();
    try {
      const outcome = await outbox.broadcast(record);
      log.info({ intent: record.intent, nonce: record.nonce, outcome }, "was in no pool: sent again");
    } catch (error) {
      if (!isGpuchainError(error, "INTENT_REFUSED")) throw error;
      log.warn({ intent: record.intent, nonce: record.nonce, reason: error.message }, "no node takes it; trying again");
    }
  }

  async function replace(item: Tracked, next: Pick<IntentVersion, "kind" | "gas">, why: string): Promise<void> {
    const { record } = item;
    item.sentAt = Date.now();
    const fees = await outbox.higher(newest(record));
    const about = { intent: record.intent, nonce: record.nonce };
    if (fees === undefined) return log.warn(about, "stuck, and our fee is at its cap");
    log.warn({ event: "tx.replaced", ...about, maxFeePerGas: fees.maxFeePerGas.toString() }, why);
    await outbox.add(record, { ...next, ...fees });
    await outbox.broadcast(record);
  }

  /**
   * Nothing of ours has the next nonce, and what comes after it waits in vain: some transaction was lost on the way. An
   * empty one takes its place.
   */
  async function fillHole(count: number): Promise<void> {
    const waiting = [...items.values()].map(({ record }) => record.nonce).filter((nonce) => nonce >= count);
    if (waiting.length === 0 || Math.min(...waiting) === count || Date.now() - countSince < graceMs) return;
    const call = { to: account.address, data: "0x", value: 0n } as const;
    const key = {
      account: account.address,
      chainId: client.deployment.chainId,
      intent: `fill-nonce:${count}:${Date.now()}`,
    };
    const record: IntentRecord = { ...key, ...call, nonce: count, status: "open", versions: [] };
    countSince = Date.now();
    await outbox.add(record, { kind: "call", gas: emptyGas, ...(await outbox.market()) });
    // Somebody else's transaction waits there: it is no hole.
    if ((await outbox.broadcast(record)) !== "sent") return settle(record, "refused");
    log.warn(
      { event: "tx.hole-filled", nonce: count, hash: newest(record).hash },
      `filled a hole in the nonces at ${count}`,
    );
    track(record, "fill");
  }

  signal?.addEventListener(
    "abort",
    () => {
      clearTimeout(timer);
      stopListening?.();
      for (const item of items.values()) item.reject(signal.reason);
      items.clear();
    },
    { once: true },
  );

  return { items, track, review, settle, finish };
}

function deferred(record: IntentRecord, functionName: string): Tracked {
  const item: Partial<Tracked> = { record, functionName, sentAt: Date.now(), told: false, missing: 0 };
  item.settled = new Promise((resolve, reject) => Object.assign(item, { resolve, reject }));
  // Nobody may be waiting (after `resume`); the outcome is also in the log and in the store.
  item.settled.catch(() => undefined);
  return item as Tracked;
}
