import type { Address, Hash, Hex } from "viem";

/** One signed attempt at an intent: all of an intent's versions share its nonce, so at most one of them can be mined. */
export interface IntentVersion {
  /** `call` does what was asked; `cancel` only uses the nonce up, after the intent's deadline. */
  kind: "call" | "cancel";
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  gas: bigint;
  /** Absent between the moment the version was recorded and the moment it was signed. */
  raw?: Hex;
  hash?: Hash;
}

/**
 * - `open`: recorded, perhaps signed, perhaps sent; its nonce is taken.
 * - `mined`: in a block, may still be undone by a reorg.
 * - `final`: in a block, past the depth that the sender watches.
 * - `reverted`: in a block, and the call failed there.
 * - `refused`: no node took it; its nonce is free again.
 * - `cancelled`: a `cancel` version was mined.
 * - `replaced`: another transaction of this key used the nonce; it can never be mined.
 */
export type IntentStatus = "open" | "mined" | "final" | "reverted" | "refused" | "cancelled" | "replaced";

export interface IntentRecord {
  /** The caller's name for what it wants done once, e.g. `commit:7:3:1200`. */
  intent: string;
  account: Address;
  chainId: number;
  nonce: number;
  status: IntentStatus;
  to: Address;
  data: Hex;
  value: bigint;
  /** Unix seconds after which the call is pointless; undefined: never. */
  deadline?: number;
  versions: IntentVersion[];
  /** Set once mined. */
  hash?: Hash;
  blockNumber?: bigint;
  blockHash?: Hash;
}

/**
 * Where the sender keeps its intents. `put` returns only once the record is durable: that is what makes an intent happen
 * at most once, also across `kill -9`.
 */
export interface IntentStore {
  get(chainId: number, account: Address, intent: string): IntentRecord | undefined;
  put(record: IntentRecord): void;
  /** Records that are `open` or `mined`, by rising nonce. */
  unsettled(chainId: number, account: Address): IntentRecord[];
}

/** Intents in memory, for one-off commands and browsers: idempotent within the process only. */
export function createMemoryIntentStore(): IntentStore {
  const records = new Map<string, IntentRecord>();
  const key = (chainId: number, account: Address, intent: string) => `${chainId}:${account.toLowerCase()}:${intent}`;
  return {
    get: (chainId, account, intent) => clone(records.get(key(chainId, account, intent))),
    put: (record) => void records.set(key(record.chainId, record.account, record.intent), clone(record)),
    unsettled: (chainId, account) =>
      [...records.values()]
        .filter((record) => record.chainId === chainId && record.account.toLowerCase() === account.toLowerCase())
        .filter((record) => record.status === "open" || record.status === "mined")
        .map((record) => clone(record))
        .sort((a, b) => a.nonce - b.nonce),
  };
}

function clone<T>(value: T): T {
  return structuredClone(value);
}
