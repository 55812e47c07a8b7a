import type { Address, Hash, TransactionReceipt } from "viem";
import type { GpuchainClient } from "../client.ts";
import type { IntentRecord, IntentVersion } from "./intents.ts";

/** What a sender asks of the chain about one key. */
export interface ChainView {
  /** How many transactions of the key are mined, or mined and waiting in a pool. */
  count(blockTag: "latest" | "pending"): Promise<number>;
  /** The chain's clock now, Unix seconds: its newest block's, and how long ago that came. */
  time(): Promise<number>;
  /** Whether a deadline has passed, as far as is known without asking. */
  isOver(deadline: number | undefined): boolean;
  /** The receipt of whichever version of an intent was mined. */
  receipt(record: IntentRecord): Promise<TransactionReceipt | undefined>;
  /** Whether the endpoint knows a version, mined or waiting. */
  knows(version: IntentVersion): Promise<boolean>;
}

export function createChainView(client: GpuchainClient, address: Address): ChainView {
  const clock = () => {
    const { latest, lastHeadAt } = client.heads;
    return latest === undefined ? undefined : Number(latest.timestamp) + (Date.now() - lastHeadAt) / 1000;
  };

  /** Undefined where viem throws its "not found" error. */
  async function found<T>(ask: Promise<T>): Promise<T | undefined> {
    try {
      return await ask;
    } catch (error) {
      if (error instanceof Error && /NotFoundError$/.test(error.name)) return undefined;
      throw error;
    }
  }

  return {
    count: (blockTag) => client.public.getTransactionCount({ address, blockTag }),
    time: async () => clock() ?? Number((await client.public.getBlock({ blockTag: "latest" })).timestamp),
    isOver: (deadline) => deadline !== undefined && (clock() ?? 0) > deadline,
    async receipt(record) {
      const hashes = record.versions.flatMap(({ hash }): Hash[] => (hash === undefined ? [] : [hash]));
      const receipts = await Promise.all(hashes.map((hash) => found(client.public.getTransactionReceipt({ hash }))));
      return receipts.find((receipt) => receipt !== undefined);
    },
    async knows({ hash }) {
      return hash !== undefined && (await found(client.public.getTransaction({ hash }))) !== undefined;
    },
  };
}
