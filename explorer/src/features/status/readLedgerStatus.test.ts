import { expect, test } from "vitest";
import { readLedgerStatus } from "./readLedgerStatus.ts";

const honest = { indexed: { block: 9 }, lag: { blocks: 1, seconds: 2 }, audit: { ok: true, block: 8 } };

test("what the ledger says of itself", () => {
  const audit = "Its own audit against the chain holds, at block 8.";
  expect(readLedgerStatus(honest)).toEqual({ block: 9, blocksBehind: 1, secondsBehind: 2, audit });
  expect(readLedgerStatus({ indexed: null, lag: null, audit: {} })).toEqual({ block: 0 });
  expect(readLedgerStatus({ ...honest, audit: { ok: false } }).audit).toMatch("FAILS");
});

test("nonsense is said to be nonsense, and is never a number to print", () => {
  const indexed = [undefined, {}, { block: "1e30" }, { block: -1 }, { block: 1e30 }, { block: Number.NaN }, "x", 7];
  for (const body of [undefined, null, [], "x", 7, ...indexed.map((one) => ({ ...honest, indexed: one }))]) {
    expect(readLedgerStatus(body)).toEqual({ problem: "what it says of itself makes no sense" });
  }
  expect(readLedgerStatus({ ...honest, lag: { blocks: "1e30", seconds: 1 }, audit: { ok: true, block: "x" } })).toEqual(
    {
      block: 9,
    },
  );
});
