import { expect, it } from "vitest";
import { inOrder } from "./logOrder.ts";

const log = (block: bigint, logIndex: number, hash = block) => ({
  blockNumber: block,
  blockHash: `0x${hash.toString(16).padStart(64, "0")}` as const,
  logIndex,
});

it("logs that an endpoint repeats or mixes up are told once and in the chain's order", () => {
  const right = [log(7n, 0), log(7n, 1), log(8n, 0), log(10n, 3)];
  expect(inOrder([...right.toReversed(), ...right])).toEqual(right);
  // The same place in two blocks of one number, as around a reorg, is two logs.
  expect(inOrder([log(7n, 0, 1n), log(7n, 0, 2n)])).toHaveLength(2);
  expect(inOrder([])).toEqual([]);
});
