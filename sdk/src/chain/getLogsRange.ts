import type { AbiEvent, Address, Log, PublicClient } from "viem";
import { isGpuchainError } from "../daemon/errors.ts";

export interface GetLogsRangeParameters {
  address: Address[];
  /** Only this event, with these indexed arguments. Default: all events of the addresses. */
  event?: AbiEvent | undefined;
  args?: Record<string, unknown>;
  fromBlock: bigint;
  /** Default: the newest block. */
  toBlock?: bigint;
  /** First guess at how many blocks one request may span. Default 10,000. */
  span?: bigint;
}

type MinedLog = Log<bigint, number, false>;

/**
 * Logs of a range of any length, in order. Endpoints cap the span or the number of results, each in its own words: a
 * refused request is halved until it passes, and the span grows again afterwards.
 */
export async function getLogsRange(client: PublicClient, parameters: GetLogsRangeParameters): Promise<MinedLog[]> {
  const { address, event, args, fromBlock } = parameters;
  const toBlock = parameters.toBlock ?? (await client.getBlockNumber({ cacheTime: 0 }));
  const logs: MinedLog[] = [];
  let span = parameters.span ?? 10_000n;
  for (let from = fromBlock; from <= toBlock; ) {
    const to = from + span - 1n < toBlock ? from + span - 1n : toBlock;
    try {
      const filter = event === undefined ? {} : { event, ...(args !== undefined && { args }) };
      logs.push(...((await client.getLogs({ address, fromBlock: from, toBlock: to, ...filter })) as MinedLog[]));
      from = to + 1n;
      if (span < 10_000n) span *= 2n;
    } catch (error) {
      const size = to - from + 1n;
      if (size <= 1n || isGpuchainError(error)) throw error;
      span = size / 2n;
    }
  }
  return logs;
}
