import { decodeEvent, getLogsRange } from "@gpuchain/sdk/chain";
import type { ChainAccess } from "./access.ts";
import { type ChainEvent, toEventArgs } from "./chainEvent.ts";

const CONTRACT_NAMES: Readonly<Record<string, string>> = {
  jobs: "Jobs",
  registry: "Registry",
  escrow: "Escrow",
  court: "Court",
};

/** All events of the protocol from a block on, read by this browser from the chain itself. */
export async function fetchChainEvents(
  { client, deployment }: ChainAccess,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<ChainEvent[]> {
  const { jobs, registry, escrow, court } = deployment.contracts;
  const logs = await getLogsRange(client.public, { address: [jobs, registry, escrow, court], fromBlock, toBlock });
  const times = await blockTimes(client, logs);
  return logs.flatMap((log) => {
    const event = decodeEvent(deployment.contracts, log);
    if (!event) return [];
    return [
      {
        contract: CONTRACT_NAMES[event.contract] ?? event.contract,
        name: event.eventName,
        args: toEventArgs(event.args),
        block: Number(event.blockNumber),
        timestamp: times.get(log.blockHash ?? ""),
        tx: event.transactionHash,
        logIndex: event.logIndex,
      },
    ];
  });
}

type Logs = Awaited<ReturnType<typeof getLogsRange>>;

/** Headers asked for at once. */
const AT_ONCE = 8;
/** Moments of blocks that were asked for before, by hash, in seconds. */
const asked = new Map<string, number>();

/** When the blocks of these logs were made. Not every RPC says so with the log; the others are asked for each block's header, once. */
async function blockTimes({ public: reader }: ChainAccess["client"], logs: Logs): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  const missing = new Set<`0x${string}`>();
  for (const log of logs) {
    const hash = log.blockHash;
    if (hash === null) continue;
    const stamp = (log as { blockTimestamp?: bigint | string }).blockTimestamp ?? asked.get(hash);
    if (stamp === undefined) missing.add(hash);
    else times.set(hash, Number(stamp));
  }
  const hashes = [...missing];
  for (let at = 0; at < hashes.length; at += AT_ONCE) {
    const blocks = await Promise.all(
      hashes.slice(at, at + AT_ONCE).map((blockHash) => reader.getBlock({ blockHash, includeTransactions: false })),
    );
    for (const { hash, timestamp } of blocks) {
      asked.set(hash, Number(timestamp));
      times.set(hash, Number(timestamp));
    }
  }
  return times;
}
