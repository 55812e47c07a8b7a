import { type ChainLog, createSender, type GpuchainClient, type Sender } from "@gpuchain/sdk/chain";
import type { Journal } from "@gpuchain/sdk/daemon";
import type { LocalAccount } from "viem";
import { createJournalIntentStore } from "./intentStore.ts";

export interface OpenSenderParameters {
  readonly client: GpuchainClient;
  readonly account: LocalAccount;
  readonly database: Journal;
  readonly signal: AbortSignal;
  readonly log: ChainLog;
}

/** The node's one sender: its intents live in the journal, and those that an earlier process left open are taken up again first. */
export async function openSender({ client, account, database, signal, log }: OpenSenderParameters): Promise<Sender> {
  const sender = createSender({ client, account, intents: createJournalIntentStore(database), log, signal });
  await sender.resume();
  return sender;
}
