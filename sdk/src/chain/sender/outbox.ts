import { keccak256, type LocalAccount } from "viem";
import { retry } from "../../daemon/backoff.ts";
import type { GpuchainClient } from "../client.ts";
import { isPassing, shortMessage } from "../rpcErrors.ts";
import type { ChainView } from "./chainView.ts";
import { classifyRefusal } from "./classifyRefusal.ts";
import { overCap, refused } from "./errors.ts";
import { bumpFees, type Fees, suggestFees } from "./fees.ts";
import type { IntentRecord, IntentStore, IntentVersion } from "./intents.ts";
import type { ChainLog } from "./types.ts";

/** Gas of a transaction that does nothing. */
export const emptyGas = 21_000n;

/** Signs the versions of an intent and gets them to a node. */
export interface Outbox {
  /** Adds a version and signs it; both are durable before this returns. */
  add(record: IntentRecord, version: IntentVersion): Promise<void>;
  /** Signs a version that was recorded and not yet signed when the process ended; the same bytes come out. */
  sign(record: IntentRecord, version: IntentVersion): Promise<void>;
  /** Sends the newest version until a node has it. Outages are waited out, but not beyond the deadline. */
  broadcast(record: IntentRecord): Promise<"sent" | "nonceUsed" | "nonceTaken">;
  /** Fees for a new transaction. */
  market(): Promise<Fees>;
  /** Fees that replace a version; undefined when the cap does not allow it. */
  higher(version: IntentVersion): Promise<Fees | undefined>;
}

export interface OutboxParameters {
  client: GpuchainClient;
  account: LocalAccount;
  intents: IntentStore;
  view: ChainView;
  log: ChainLog;
  signal: AbortSignal | undefined;
  maxFeePerGas: bigint | undefined;
}

export function createOutbox(parameters: OutboxParameters): Outbox {
  const { client, account, intents, view, log, signal, maxFeePerGas: cap } = parameters;
  const chainId = client.deployment.chainId;

  const capped = (fees: Fees): Fees => {
    if (cap === undefined || fees.maxFeePerGas <= cap) return fees;
    return { maxFeePerGas: cap, maxPriorityFeePerGas: smaller(fees.maxPriorityFeePerGas, cap) };
  };
  const suggested = () => suggestFees(client.public, client.heads);

  const outbox: Outbox = {
    async add(record, version) {
      record.versions.push(version);
      intents.put(record);
      await outbox.sign(record, version);
    },
    async sign(record, version) {
      const empty = { to: account.address, data: "0x", value: 0n } as const;
      const call = version.kind === "call" ? { to: record.to, data: record.data, value: record.value } : empty;
      const { maxFeePerGas, maxPriorityFeePerGas, gas } = version;
      const base = { type: "eip1559", chainId, nonce: record.nonce } as const;
      version.raw = await account.signTransaction({ ...base, ...call, gas, maxFeePerGas, maxPriorityFeePerGas });
      version.hash = keccak256(version.raw);
      intents.put(record);
    },
    market: async () => capped(await suggested()),
    async higher(version) {
      const fees = capped(bumpFees(version, await suggested()));
      return fees.maxFeePerGas > version.maxFeePerGas ? fees : undefined;
    },
    async broadcast(record) {
      for (;;) {
        const version = newest(record);
        const error = await attempt(record, version);
        if (error === undefined) return "sent";
        signal?.throwIfAborted();
        // A node may or may not have it: it is followed, and its nonce used up, as soon as one answers again.
        if (isPassing(error)) return "sent";
        const refusal = classifyRefusal(error);
        if (refusal === "known") return "sent";
        if (refusal === "nonceUsed" || refusal === "nonceTaken") return refusal;
        if (refusal === "refused") throw refused(record, error);
        const fees = await outbox.higher(version);
        if (fees === undefined) throw overCap(record, error);
        log.info({ intent: record.intent, nonce: record.nonce }, "the fee rose before we sent: raising ours");
        await outbox.add(record, { kind: version.kind, gas: version.gas, ...fees });
      }
    },
  };

  /** The error that ended the tries; undefined once a node took it. */
  async function attempt(record: IntentRecord, { raw }: IntentVersion): Promise<unknown> {
    if (raw === undefined) throw new TypeError("a version is signed before it is sent");
    // The client's own patience is off: only this loop knows the deadline.
    const send = () =>
      client.public.request({ method: "eth_sendRawTransaction", params: [raw] }, { patienceMs: 0 } as object);
    try {
      await retry(send, {
        ...(signal && { signal }),
        baseMs: 200,
        maxMs: 5_000,
        isRetryable: (error) => isPassing(error) && !view.isOver(record.deadline),
        onRetry: (error, waitMs) =>
          log.debug({ intent: record.intent, waitMs, reason: shortMessage(error) }, "not sent yet"),
      });
      return undefined;
    } catch (error) {
      return error;
    }
  }

  return outbox;
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

/** The version that was signed last. */
export function newest(record: IntentRecord): IntentVersion {
  const version = record.versions.at(-1);
  if (version === undefined) throw new TypeError(`${record.intent} has no version`);
  return version;
}
