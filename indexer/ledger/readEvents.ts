import { type Address, decodeEventLog, hexToNumber, numberToHex, type PublicClient } from "viem";
import { courtAbi, escrowAbi, jobsAbi, registryAbi } from "./abi.ts";
import { type ContractName, type LedgerEvent, normalizeArgs } from "./events.ts";
import type { Hex } from "./rows.ts";

/** Where the four contracts are. */
export interface LedgerContracts {
  jobs: Address;
  escrow: Address;
  registry: Address;
  court: Address;
}

const abis = { Jobs: jobsAbi, Escrow: escrowAbi, Registry: registryAbi, Court: courtAbi };

/** Blocks asked for at once; halved when the RPC refuses or has much to say, doubled again when it answers with little. */
const MAX_RANGE = 10_000;
const FIRST_RANGE = 64;
/** More logs than this at once are only memory. */
const MANY_LOGS = 1_500;

interface RawLog {
  address: Hex;
  topics: [Hex, ...Hex[]];
  data: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  blockTimestamp?: Hex;
  transactionHash: Hex;
  logIndex: Hex;
  removed?: boolean;
}

/**
 * Every event of the deployment from `fromBlock` to `toBlock`, both included, in chain order, straight from the RPC.
 * Logs do not say who sent a transaction, so `transaction.from` is zero.
 * @throws the RPC's error when it refuses even a single block
 */
export async function* readEvents({
  client,
  contracts,
  fromBlock,
  toBlock,
}: {
  client: PublicClient;
  contracts: LedgerContracts;
  fromBlock: number;
  toBlock: number;
}): AsyncGenerator<LedgerEvent[]> {
  const names = new Map<string, ContractName>([
    [contracts.jobs.toLowerCase(), "Jobs"],
    [contracts.escrow.toLowerCase(), "Escrow"],
    [contracts.registry.toLowerCase(), "Registry"],
    [contracts.court.toLowerCase(), "Court"],
  ]);
  const timestamps = new Map<Hex, number>();
  const timestampOf = async ({ blockTimestamp, blockNumber, blockHash }: RawLog): Promise<number> => {
    if (blockTimestamp) return hexToNumber(blockTimestamp);
    let time = timestamps.get(blockHash);
    if (time === undefined) {
      time = Number((await client.getBlock({ blockNumber: BigInt(blockNumber) })).timestamp);
      timestamps.set(blockHash, time);
    }
    return time;
  };

  let range = FIRST_RANGE;
  for (let from = fromBlock; from <= toBlock; ) {
    const to = Math.min(toBlock, from + range - 1);
    let logs: RawLog[];
    try {
      const filter = { address: [...names.keys()], fromBlock: numberToHex(from), toBlock: numberToHex(to) };
      logs = (await client.request({ method: "eth_getLogs", params: [filter as never] })) as unknown as RawLog[];
    } catch (error) {
      if (from === to) throw error;
      range = Math.max(1, Math.floor((to - from + 1) / 2));
      continue;
    }
    logs.sort(
      (a, b) =>
        hexToNumber(a.blockNumber) - hexToNumber(b.blockNumber) || hexToNumber(a.logIndex) - hexToNumber(b.logIndex),
    );
    const events: LedgerEvent[] = [];
    for (const log of logs) {
      const contract = names.get(log.address.toLowerCase());
      if (!contract) continue;
      events.push(toEvent(contract, log, await timestampOf(log)));
    }
    if (events.length > 0) yield events;
    from = to + 1;
    range = logs.length > MANY_LOGS ? Math.max(1, Math.floor(range / 2)) : Math.min(MAX_RANGE, range * 2);
  }
}

function decode(contract: ContractName, { topics, data, blockNumber }: RawLog) {
  try {
    return decodeEventLog({ abi: abis[contract], topics, data, strict: true });
  } catch (cause) {
    // A contract that says what its ABI does not know is not the contract this code was written for.
    throw new Error(`block ${hexToNumber(blockNumber)}: ${contract} logged an unknown event ${topics[0]}`, { cause });
  }
}

const NOBODY: Hex = `0x${"0".repeat(40)}`;

function toEvent(contract: ContractName, log: RawLog, timestamp: number): LedgerEvent {
  const { topics, data } = log;
  const { eventName, args } = decode(contract, log);
  return {
    contract,
    name: eventName,
    args: normalizeArgs(args ?? {}),
    block: { number: hexToNumber(log.blockNumber), timestamp, hash: log.blockHash },
    transaction: { hash: log.transactionHash, from: NOBODY },
    log: { index: hexToNumber(log.logIndex), address: log.address, topics, data },
  };
}
