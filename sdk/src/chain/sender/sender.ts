import { encodeFunctionData, keccak256, type LocalAccount, type TransactionReceipt } from "viem";
import { retry } from "../../daemon/backoff.ts";
import { GpuchainError, isGpuchainError } from "../../daemon/errors.ts";
import { abortable } from "../../daemon/sleep.ts";
import type { GpuchainClient } from "../client.ts";
import { fromContractError } from "../contractErrors.ts";
import { isPassing, shortMessage } from "../rpcErrors.ts";
import { classifyRefusal } from "./classifyRefusal.ts";
import { bumpFees, type Fees, suggestFees } from "./fees.ts";
import type { IntentRecord, IntentStore, IntentVersion } from "./intents.ts";
import { createMutex } from "./mutex.ts";
import { settlementError } from "./settlement.ts";
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

interface Tracked {
  record: IntentRecord;
  functionName: string;
  settled: Promise<TransactionReceipt>;
  resolve(receipt: TransactionReceipt): void;
  reject(error: unknown): void;
  /** Epoch milliseconds of the newest version's first broadcast. */
  sentAt: number;
  /** Whether the caller has its result; from then on only a reorg matters. */
  told: boolean;
  /** How many reviews in a row saw the nonce used and no receipt. */
  missing: number;
}

const fillGas = 21_000n;
/** Between two looks at open transactions while no block arrives. */
const reviewEveryMs = 2_000;
/** Reviews without a receipt for a used nonce before it counts as used by somebody else: endpoints lag behind themselves. */
const missingLimit = 4;

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
  const { client, account, intents, log, signal } = parameters;
  const { stuckAfterMs = 12_000, finalityDepth = 12 } = parameters;
  const chainId = client.deployment.chainId;
  const exclusive = createMutex();
  const tracked = new Map<string, Tracked>();
  const running = new Map<string, Promise<SendResult>>();
  let reviewQueued = false;
  let stopListening: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastCount = -1;
  let countSince = 0;

  // ----- time and nonces ---------------------------------------------------------------------------------------------

  /** The chain's clock now: its newest block's, and how long ago that came. */
  async function chainTime(): Promise<number> {
    const { latest, lastHeadAt } = client.heads;
    if (latest !== undefined) return Number(latest.timestamp) + Math.floor((Date.now() - lastHeadAt) / 1000);
    return Number((await client.public.getBlock({ blockTag: "latest" })).timestamp);
  }

  const timeIsOver = ({ deadline }: IntentRecord) => {
    const { latest, lastHeadAt } = client.heads;
    if (deadline === undefined || latest === undefined) return false;
    return Number(latest.timestamp) + (Date.now() - lastHeadAt) / 1000 > deadline;
  };

  const countAt = (blockTag: "latest" | "pending") =>
    client.public.getTransactionCount({ address: account.address, blockTag });

  async function takeNonce(): Promise<number> {
    const known = [...tracked.values()].map(({ record }) => record.nonce + 1);
    return Math.max(await countAt("pending"), ...known);
  }

  // ----- one version: record, sign, send -----------------------------------------------------------------------------

  async function capped(fees: Fees): Promise<Fees> {
    const cap = parameters.maxFeePerGas;
    if (cap === undefined || fees.maxFeePerGas <= cap) return fees;
    const tip = fees.maxPriorityFeePerGas < cap ? fees.maxPriorityFeePerGas : cap;
    return { maxFeePerGas: cap, maxPriorityFeePerGas: tip };
  }

  /** Adds a version to a record and signs it; both are durable before this returns. */
  async function addVersion(record: IntentRecord, version: IntentVersion): Promise<void> {
    record.versions.push(version);
    intents.put(record);
    await sign(record, version);
  }

  async function sign(record: IntentRecord, version: IntentVersion): Promise<void> {
    const call = version.kind === "call" ? { to: record.to, data: record.data, value: record.value } : emptyCall();
    const { maxFeePerGas, maxPriorityFeePerGas, gas } = version;
    const base = { type: "eip1559", chainId, nonce: record.nonce } as const;
    version.raw = await account.signTransaction({ ...base, ...call, gas, maxFeePerGas, maxPriorityFeePerGas });
    version.hash = keccak256(version.raw);
    intents.put(record);
  }

  const emptyCall = () => ({ to: account.address, data: "0x", value: 0n }) as const;

  /** Sends the newest version until a node has it. Outages are waited out; past the deadline it gives up. */
  async function broadcast(record: IntentRecord): Promise<"sent" | "nonceUsed" | "nonceTaken"> {
    for (;;) {
      const version = newest(record);
      try {
        await retry(() => sendRaw(version), {
          ...(signal && { signal }),
          baseMs: 200,
          maxMs: 5_000,
          isRetryable: (error) => isPassing(error) && !timeIsOver(record),
          onRetry: (error, waitMs) =>
            log.debug({ intent: record.intent, waitMs, reason: shortMessage(error) }, "not sent yet"),
        });
        return "sent";
      } catch (error) {
        signal?.throwIfAborted();
        // A node may or may not have it: it is followed, and its nonce used up, as soon as one answers again.
        if (isPassing(error)) return "sent";
        const refusal = classifyRefusal(error);
        if (refusal === "known") return "sent";
        if (refusal === "nonceUsed" || refusal === "nonceTaken") return refusal;
        if (refusal === "feeTooLow") {
          const fees = await capped(bumpFees(version, await suggestFees(client.public, client.heads)));
          if (fees.maxFeePerGas <= version.maxFeePerGas) throw overCap(record, error);
          log.info({ intent: record.intent, nonce: record.nonce }, "the fee rose before we sent: raising ours");
          await addVersion(record, { kind: version.kind, gas: version.gas, ...fees });
          continue;
        }
        throw refusedError(record, error);
      }
    }
  }

  async function sendRaw(version: IntentVersion): Promise<void> {
    if (version.raw === undefined) throw new TypeError("a version is signed before it is sent");
    // Its own patience is off: only this loop knows the deadline.
    await client.public.request({ method: "eth_sendRawTransaction", params: [version.raw] }, {
      patienceMs: 0,
    } as object);
  }

  // ----- a new intent ------------------------------------------------------------------------------------------------

  async function submit(parameters: SendParameters): Promise<Tracked> {
    const { intent, address: to, abi, functionName, args = [], value = 0n, deadline } = parameters;
    const data = encodeFunctionData({ abi, functionName, args });
    if (deadline !== undefined && (await chainTime()) > deadline) throw expired(intent);
    const [gas, market] = await Promise.all([
      simulateCall(client.public, { account, ...parameters, value, data }),
      suggestFees(client.public, client.heads),
    ]);
    if (deadline !== undefined && (await chainTime()) > deadline) throw expired(intent);
    const nonce = await takeNonce();
    const base = { intent, account: account.address, chainId, nonce, status: "open", to, data, value } as const;
    const record: IntentRecord = { ...base, versions: [], ...(deadline !== undefined && { deadline }) };
    await addVersion(record, { kind: "call", gas, ...(await capped(market)) });
    return deliver(record, functionName);
  }

  /** First broadcast of a record whose nonce is the newest one. */
  async function deliver(record: IntentRecord, functionName: string): Promise<Tracked> {
    try {
      const outcome = await broadcast(record);
      if (outcome === "sent" || (await findReceipt(record)) !== undefined) return track(record, functionName);
      // Another program uses this key: whatever it sent with our nonce stands, and we take the next one.
      log.warn(
        { intent: record.intent, nonce: record.nonce },
        "the nonce was taken by another transaction of this key",
      );
      settle(record, outcome === "nonceUsed" ? "replaced" : "refused");
      throw new NonceLost();
    } catch (error) {
      // No node has it and nothing comes after it: its nonce is free for the next intent.
      if (isGpuchainError(error, "INTENT_REFUSED")) settle(record, "refused");
      throw error;
    }
  }

  async function run(parameters: SendParameters): Promise<SendResult> {
    for (;;) {
      try {
        const item = await find(parameters);
        const receipt = await abortable(item.settled, signal);
        return { hash: receipt.transactionHash, receipt };
      } catch (error) {
        if (error instanceof NonceHeld) await abortable(error.until, signal);
        else if (!(error instanceof NonceLost)) throw error;
      }
    }
  }

  /** What is already known of an intent, or a new transaction for it. */
  function find(parameters: SendParameters): Promise<Tracked> {
    return exclusive(async () => {
      const { intent, functionName } = parameters;
      const followed = tracked.get(intent);
      if (followed !== undefined) return followed;
      const record = intents.get(chainId, account.address, intent);
      if (record === undefined || record.status === "replaced") return submit(parameters);
      if (record.status === "refused") {
        const settledAfterAll = await findReceipt(record);
        if (settledAfterAll !== undefined) return track({ ...record, status: "open" }, functionName);
        // Signed anew only once its old bytes are dead: whoever has its nonce now must be mined first.
        const holder = [...tracked.values()].find((item) => item.record.nonce === record.nonce);
        if (holder !== undefined && holder.record.status === "open") throw new NonceHeld(holder.settled);
        return submit(parameters);
      }
      if (record.status === "cancelled") throw expired(intent);
      const receipt = await findReceipt(record);
      if (receipt === undefined && record.status === "final") {
        throw new GpuchainError(
          "RECEIPT_MISSING",
          `"${intent}" was mined in ${record.hash}, which this chain no longer knows`,
          {
            hint: "check that the RPC serves the same chain as before",
          },
        );
      }
      const item = track(record, functionName);
      if (receipt !== undefined) await finish(item, receipt);
      else await review();
      return item;
    });
  }

  // ----- following what is out ---------------------------------------------------------------------------------------

  function track(record: IntentRecord, functionName: string): Tracked {
    const known = tracked.get(record.intent);
    if (known !== undefined) return known;
    const item = deferred(record, functionName);
    tracked.set(record.intent, item);
    stopListening ??= client.heads.listen(requestReview);
    schedule();
    return item;
  }

  function schedule() {
    clearTimeout(timer);
    if (tracked.size > 0 && !signal?.aborted) timer = setTimeout(requestReview, reviewEveryMs);
  }

  function requestReview() {
    if (reviewQueued) return;
    reviewQueued = true;
    void exclusive(() => {
      reviewQueued = false;
      return review();
    });
  }

  function untrack(item: Tracked) {
    tracked.delete(item.record.intent);
    if (tracked.size > 0) return;
    stopListening?.();
    stopListening = undefined;
    clearTimeout(timer);
  }

  function settle(record: IntentRecord, status: IntentRecord["status"]) {
    record.status = status;
    intents.put(record);
  }

  async function findReceipt(record: IntentRecord): Promise<TransactionReceipt | undefined> {
    const hashes = record.versions.flatMap(({ hash }) => (hash === undefined ? [] : [hash]));
    const receipts = await Promise.all(hashes.map((hash) => getReceipt(hash)));
    return receipts.find((receipt) => receipt !== undefined);
  }

  async function getReceipt(hash: `0x${string}`): Promise<TransactionReceipt | undefined> {
    try {
      return await client.public.getTransactionReceipt({ hash });
    } catch (error) {
      if (error instanceof Error && error.name === "TransactionReceiptNotFoundError") return undefined;
      throw error;
    }
  }

  /** A receipt is there: tells the caller, and goes on watching for a reorg until it is deep enough. */
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
    const head = client.heads.latest?.number ?? receipt.blockNumber;
    if (head - receipt.blockNumber >= BigInt(finalityDepth)) finalize(item, receipt);
  }

  function finalize(item: Tracked, receipt: TransactionReceipt) {
    const version = item.record.versions.find(({ hash }) => hash === receipt.transactionHash);
    const failed = receipt.status === "reverted";
    settle(item.record, version?.kind === "cancel" ? "cancelled" : failed ? "reverted" : "final");
    untrack(item);
  }

  /** Looks at everything that is out; each head and every two seconds. Runs under the lock. */
  async function review(): Promise<void> {
    try {
      if (signal?.aborted || tracked.size === 0) return;
      const count = await countAt("latest");
      if (count !== lastCount) {
        lastCount = count;
        countSince = Date.now();
      }
      const items = [...tracked.values()].sort((a, b) => a.record.nonce - b.record.nonce);
      for (const item of items) await reviewOne(item, count);
      await fillHole(count);
    } catch (error) {
      if (!signal?.aborted)
        log.debug({ reason: shortMessage(error) }, "could not look at open transactions; trying again");
    } finally {
      schedule();
    }
  }

  async function reviewOne(item: Tracked, count: number): Promise<void> {
    const { record } = item;
    if (record.nonce < count) {
      const deep = (client.heads.latest?.number ?? 0n) - (record.blockNumber ?? 0n) >= BigInt(finalityDepth);
      if (item.told && !deep) return;
      const receipt = await findReceipt(record);
      if (receipt !== undefined) return finish(item, receipt);
      item.missing += 1;
      if (item.missing < missingLimit) return;
      log.warn({ intent: record.intent, nonce: record.nonce }, "another transaction of this key used the nonce");
      settle(record, "replaced");
      untrack(item);
      item.reject(new NonceLost());
      return;
    }
    if (record.status === "mined") {
      log.warn({ intent: record.intent, nonce: record.nonce }, "a reorg undid this transaction: sending it again");
      settle(record, "open");
      item.told = false;
      item.sentAt = 0;
    }
    const version = newest(record);
    if (record.deadline !== undefined && version.kind === "call" && (await chainTime()) > record.deadline) {
      return replace(item, { kind: "cancel", gas: fillGas }, "its time is over: using its nonce up");
    }
    const waitedMs = Date.now() - item.sentAt;
    if (waitedMs < Math.min(stuckAfterMs, 4_000)) return;
    if (!(await inPool(version))) return resend(item);
    if (item.sentAt === 0) item.sentAt = Date.now();
    else if (record.nonce === count && waitedMs >= stuckAfterMs * 2 ** (record.versions.length - 1)) {
      await replace(item, { kind: version.kind, gas: version.gas }, "stuck: replacing it at a higher fee");
    }
  }

  async function inPool({ hash }: IntentVersion): Promise<boolean> {
    if (hash === undefined) return false;
    try {
      await client.public.getTransaction({ hash });
      return true;
    } catch (error) {
      if (error instanceof Error && error.name === "TransactionNotFoundError") return false;
      throw error;
    }
  }

  async function resend(item: Tracked): Promise<void> {
    const { record } = item;
    try {
      const outcome = await broadcast(record);
      item.sentAt = Date.now();
      log.info({ intent: record.intent, nonce: record.nonce, outcome }, "was in no pool: sent again");
    } catch (error) {
      if (!isGpuchainError(error, "INTENT_REFUSED")) throw error;
      item.sentAt = Date.now();
      log.warn({ intent: record.intent, nonce: record.nonce, reason: error.message }, "no node takes it; trying again");
    }
  }

  async function replace(item: Tracked, next: Pick<IntentVersion, "kind" | "gas">, why: string): Promise<void> {
    const { record } = item;
    const old = newest(record);
    const fees = await capped(bumpFees(old, await suggestFees(client.public, client.heads)));
    if (fees.maxFeePerGas <= old.maxFeePerGas) {
      log.warn(
        { intent: record.intent, maxFeePerGas: old.maxFeePerGas.toString() },
        "stuck, and our fee is at its cap",
      );
      item.sentAt = Date.now();
      return;
    }
    log.warn(
      { event: "tx.replaced", intent: record.intent, nonce: record.nonce, maxFeePerGas: fees.maxFeePerGas.toString() },
      why,
    );
    await addVersion(record, { ...next, ...fees });
    item.sentAt = Date.now();
    await broadcast(record);
  }

  /**
   * Nothing of ours has the next nonce, and what comes after it waits in vain: some transaction was lost on the way. An
   * empty one takes its place.
   */
  async function fillHole(count: number): Promise<void> {
    const waiting = [...tracked.values()]
      .filter(({ record }) => record.nonce >= count)
      .map(({ record }) => record.nonce);
    if (waiting.length === 0 || Math.min(...waiting) === count) return;
    if (Date.now() - countSince < Math.min(stuckAfterMs, 4_000)) return;
    const { to, data, value } = emptyCall();
    const base = { account: account.address, chainId, status: "open", to, data, value } as const;
    const record: IntentRecord = { ...base, intent: `fill-nonce:${count}:${Date.now()}`, nonce: count, versions: [] };
    await addVersion(record, {
      kind: "call",
      gas: fillGas,
      ...(await capped(await suggestFees(client.public, client.heads))),
    });
    countSince = Date.now();
    if ((await broadcast(record)) !== "sent") return settle(record, "refused");
    log.warn(
      { event: "tx.hole-filled", nonce: count, hash: newest(record).hash },
      `filled a hole in the nonces at ${count}`,
    );
    track(record, "fill");
  }

  async function resume(): Promise<void> {
    await exclusive(async () => {
      const records = intents.unsettled(chainId, account.address);
      for (const record of records) {
        for (const version of record.versions) if (version.raw === undefined) await sign(record, version);
        const item = track(record, "resumed call");
        item.sentAt = 0;
      }
      if (records.length > 0) log.info({ intents: records.length }, "taking up transactions from before the restart");
      await review();
    });
  }

  signal?.addEventListener(
    "abort",
    () => {
      clearTimeout(timer);
      stopListening?.();
      for (const item of tracked.values()) item.reject(signal.reason);
      tracked.clear();
    },
    { once: true },
  );

  return {
    address: account.address,
    send(request) {
      const known = running.get(request.intent);
      if (known !== undefined) return known;
      const mine = run(request).catch((error: unknown) => {
        throw signal?.aborted ? signal.reason : fromContractError(error, request.functionName);
      });
      running.set(request.intent, mine);
      return mine.finally(() => running.delete(request.intent));
    },
    resume,
    get open() {
      return [...tracked.values()].filter(({ record }) => record.status === "open").length;
    },
  };
}

function deferred(record: IntentRecord, functionName: string): Tracked {
  const item: Partial<Tracked> = { record, functionName, sentAt: Date.now(), told: false, missing: 0 };
  item.settled = new Promise((resolve, reject) => Object.assign(item, { resolve, reject }));
  // Nobody may be waiting (after `resume`); the outcome is also in the log and in the store.
  item.settled.catch(() => undefined);
  return item as Tracked;
}

/** The nonce that an intent was refused with is in use; it waits until that transaction is mined. */
class NonceHeld extends Error {
  readonly until: Promise<void>;

  constructor(settled: Promise<unknown>) {
    super("nonce held");
    const done = () => undefined;
    this.until = settled.then(done, done);
  }
}

/** Our nonce went to another transaction; the intent gets a new one. */
class NonceLost extends Error {}

function newest(record: IntentRecord): IntentVersion {
  const version = record.versions.at(-1);
  if (version === undefined) throw new TypeError(`${record.intent} has no version`);
  return version;
}

function expired(intent: string): GpuchainError {
  return new GpuchainError("INTENT_EXPIRED", `"${intent}" was not mined in time and is given up`, {
    hint: "look at the state again before trying anew",
  });
}

function refusedError(record: IntentRecord, error: unknown): GpuchainError {
  const poor = /insufficient funds/i.test(shortMessage(error));
  return new GpuchainError("INTENT_REFUSED", `"${record.intent}" was not taken: ${shortMessage(error)}`, {
    hint: poor ? `send some ether for gas to ${record.account}` : "see the message; nothing was sent",
    cause: error,
    retryable: poor,
  });
}

function overCap(record: IntentRecord, error: unknown): GpuchainError {
  return new GpuchainError("INTENT_REFUSED", `"${record.intent}" was not sent: fees are above the cap`, {
    hint: "wait for fees to fall, or raise the cap",
    cause: error,
    retryable: true,
  });
}
