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
  return logs.flatMap((log) => {
    const event = decodeEvent(deployment.contracts, log);
    if (!event) return [];
    const stamp = (log as { blockTimestamp?: bigint | string }).blockTimestamp;
    return [
      {
        contract: CONTRACT_NAMES[event.contract] ?? event.contract,
        name: event.eventName,
        args: toEventArgs(event.args),
        block: Number(event.blockNumber),
        timestamp: stamp === undefined ? undefined : Number(stamp),
        tx: event.transactionHash,
        logIndex: event.logIndex,
      },
    ];
  });
}
