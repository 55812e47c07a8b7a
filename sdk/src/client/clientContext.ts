import type { LocalAccount } from "viem";
import type { ChainLog, GpuchainClient, Sender } from "../chain/index.ts";

/** What a client's actions take: the chain, and the key that pays. */
export interface ClientContext {
  client: GpuchainClient;
  account: LocalAccount;
  sender: Sender;
  log?: ChainLog;
  signal?: AbortSignal;
}
