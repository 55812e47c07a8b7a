import type { Log } from "viem";

type Placed = Pick<Log, "blockNumber" | "blockHash" | "logIndex">;

/** Each log once and in the chain's order, whatever an endpoint that stitches its shards together made of them. */
export function inOrder<Entry extends Placed>(logs: readonly Entry[]): Entry[] {
  const place = ({ blockNumber, logIndex }: Placed) => [blockNumber ?? 0n, logIndex ?? 0] as const;
  const sorted = logs.toSorted((a, b) => {
    const [[block, index], [otherBlock, otherIndex]] = [place(a), place(b)];
    return block === otherBlock ? index - otherIndex : block < otherBlock ? -1 : 1;
  });
  return sorted.filter((log, i) => {
    const before = sorted[i - 1];
    return before === undefined || before.logIndex !== log.logIndex || before.blockHash !== log.blockHash;
  });
}
