import type { Abi, Address, Hash, TransactionReceipt } from "viem";

/** What a log needs to be for this room; a pino logger fits. */
export interface ChainLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface SendParameters {
  /**
   * The name of what is to happen once, unique per key, e.g. `acquire:7:3`. Sending the same intent again, also after a
   * restart, gives the first one's result and no second transaction.
   */
  intent: string;
  address: Address;
  abi: Abi;
  functionName: string;
  args?: readonly unknown[];
  /** Wei. */
  value?: bigint;
  /** Unix seconds. Not sent after it; when it is out already, its nonce is used up by an empty transaction instead. */
  deadline?: number;
  /** Gas limit. Default: estimated, plus a quarter. */
  gas?: bigint;
  /**
   * Where the call is tried first: on the `pending` block (default), on the `latest`, as if the next block had the given
   * time (needs `gas`), or not at all (needs `gas`).
   */
  simulate?: "pending" | "latest" | { atTimestamp: bigint } | false;
}

export interface SendResult {
  hash: Hash;
  receipt: TransactionReceipt;
}

/**
 * Sends transactions of one key, one nonce after the other.
 *
 * `send` fails with REVERTED (`data.errorName`, `data.args`: the contract's own error; `data.hash` when it was mined),
 * INTENT_EXPIRED (past its deadline), INTENT_REFUSED (no node takes it, e.g. not enough ether for gas) or with the
 * signal's reason. RPC outages and rate limits are waited out.
 */
export interface Sender {
  readonly address: Address;
  send(parameters: SendParameters): Promise<SendResult>;
  /** Intents that were still open when the process ended are sent again; resolves once they are under way. */
  resume(): Promise<void>;
  /** What an intent of before came to, waited for; undefined when it was never signed, or is to be signed anew. */
  find(intent: string): Promise<SendResult | undefined>;
  /** How many intents are open. */
  readonly open: number;
}
