// A row of the ledger's journal, before anything is done with it: whoever runs a ledger may send anything at all.
import { type ChainEvent, toEventArgs } from "../chain/chainEvent.ts";

export interface LedgerEvent extends ChainEvent {
  /** the ledger's own order */
  readonly seq: number;
}

interface JournalRow {
  readonly seq: number;
  readonly block: number;
  /** seconds since the epoch */
  readonly timestamp: number;
  readonly txHash: string;
  readonly logIndex: number;
  readonly contract: string;
  readonly name: string;
  readonly args: unknown;
}

/**
 * A row of the ledger's journal as an event.
 * @throws Error when it is none
 */
export function toEvent(row: unknown): LedgerEvent {
  if (!isRow(row)) throw new Error("What the ledger sends is no journal.");
  return {
    seq: row.seq,
    contract: row.contract.charAt(0).toUpperCase() + row.contract.slice(1),
    name: row.name,
    args: toEventArgs(typeof row.args === "string" ? parse(row.args) : row.args),
    block: row.block,
    timestamp: row.timestamp,
    tx: row.txHash,
    logIndex: row.logIndex,
  };
}

/** Whether one row may stand behind another: a journal is in the order of the chain, and no event stands in it twice. */
export function follows(row: LedgerEvent, before: LedgerEvent | undefined): boolean {
  if (!before) return true;
  return (
    row.seq > before.seq && (row.block > before.block || (row.block === before.block && row.logIndex > before.logIndex))
  );
}

function isRow(value: unknown): value is JournalRow {
  if (typeof value !== "object" || value === null) return false;
  const row = value as Record<keyof JournalRow, unknown>;
  return (
    [row.seq, row.block, row.timestamp, row.logIndex].every(isCount) &&
    [row.txHash, row.contract, row.name].every((text) => typeof text === "string" && text.length <= 100)
  );
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
