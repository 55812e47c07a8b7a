import { type Address, decodeEventLog, type Hash, type Log, type ParseEventLogsReturnType } from "viem";
import type { DeploymentContracts } from "./deployment.ts";
import { courtAbi, escrowAbi, jobsAbi, registryAbi } from "./generated/index.ts";

/** Every event of the protocol's contracts; the token's own are not among them. */
export const protocolAbi = [...jobsAbi, ...registryAbi, ...escrowAbi, ...courtAbi] as const;

type Parsed = ParseEventLogsReturnType<typeof protocolAbi, undefined, true>[number];

/** A decoded event of one of the contracts, told apart by `eventName`. Enums in `args` are numbers, see enums.ts. */
export type GpuchainEvent = Parsed extends infer Event
  ? Event extends { eventName: infer Name; args: infer Args }
    ? {
        contract: EventContract;
        address: Address;
        eventName: Name;
        args: Args;
        blockNumber: bigint;
        blockHash: Hash;
        transactionHash: Hash;
        transactionIndex: number;
        logIndex: number;
      }
    : never
  : never;

export type GpuchainEventName = GpuchainEvent["eventName"];

/** The arguments of one event. */
export type GpuchainEventArgs<Name extends GpuchainEventName> = Extract<GpuchainEvent, { eventName: Name }>["args"];

export type EventContract = "jobs" | "registry" | "escrow" | "court";

const abis = { jobs: jobsAbi, registry: registryAbi, escrow: escrowAbi, court: courtAbi };
export const eventContracts = Object.keys(abis) as EventContract[];

/** Decodes one log of a deployment; undefined when it is none of its events (a later version's, or another contract's). */
export function decodeEvent(
  contracts: DeploymentContracts,
  log: Log<bigint, number, false>,
): GpuchainEvent | undefined {
  const contract = eventContracts.find((name) => contracts[name].toLowerCase() === log.address.toLowerCase());
  if (contract === undefined) return undefined;
  const [signature] = log.topics;
  const known = abis[contract].some((item) => item.type === "event");
  if (signature === undefined || !known) return undefined;
  try {
    const decoded = decodeEventLog({ abi: abis[contract], topics: log.topics, data: log.data, strict: true });
    const { address, blockNumber, blockHash, transactionHash, transactionIndex, logIndex } = log;
    const place = { address, blockNumber, blockHash, transactionHash, transactionIndex, logIndex };
    return { contract, eventName: decoded.eventName, args: decoded.args, ...place } as GpuchainEvent;
  } catch (error) {
    // Unknown signature or layout: a contract of this address may emit more than this version knows.
    if (error instanceof Error && /^Abi|^Decode/.test(error.name)) return undefined;
    throw error;
  }
}
