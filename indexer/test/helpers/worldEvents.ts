import { Auditor } from "../../ledger/auditor.ts";
import { type LedgerEvent, normalizeArgs } from "../../ledger/events.ts";
import { hash, type WorldEvent } from "./world.ts";

/** A world's events as if they had been read from a chain: one block each, two seconds apart. */
export function ledgerEvents(events: readonly WorldEvent[]): LedgerEvent[] {
  return events.map(({ contract, name, args, at }, index) => ({
    ...{ contract, name, args: normalizeArgs(args) },
    block: { number: index + 1, timestamp: at, hash: hash(0xb, index) },
    transaction: { hash: hash(0x7, index), from: `0x${"ee".repeat(20)}` },
    log: { index: 0, address: `0x${"11".repeat(20)}`, topics: [hash(0x70, index)], data: "0x" },
  }));
}

/** Audits a world's events from the start. */
export async function apply(events: readonly WorldEvent[]): Promise<Auditor> {
  const auditor = new Auditor();
  for (const event of ledgerEvents(events)) await auditor.apply(event);
  return auditor;
}

/** All that an audit found wrong, each with its invariant's id in front. */
export function violations({ findings }: Auditor): string[] {
  return findings.flatMap(({ id, violations: found }) => found.map((text) => `${id}: ${text}`));
}
