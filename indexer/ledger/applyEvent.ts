import { courtAbi, escrowAbi, jobsAbi, registryAbi } from "./abi.ts";
import { Entry } from "./entry.ts";
import { EventRows } from "./eventRows.ts";
import type { ContractName, LedgerEvent } from "./events.ts";
import { checkpointHandlers } from "./handlers/checkpoints.ts";
import { chainHandlers, courtHandlers } from "./handlers/court.ts";
import { escrowHandlers } from "./handlers/escrow.ts";
import type { Handlers } from "./handlers/handler.ts";
import { jobHandlers } from "./handlers/jobs.ts";
import { leaseHandlers } from "./handlers/leases.ts";
import { registryHandlers } from "./handlers/registry.ts";
import { seatHandlers, seatReleases } from "./handlers/seats.ts";
import { verdictHandlers } from "./handlers/verdicts.ts";
import type { Store } from "./store.ts";

const jobsHandlers: Handlers<typeof jobsAbi> = {
  ...jobHandlers,
  ...seatHandlers,
  ...seatReleases,
  ...leaseHandlers,
  ...checkpointHandlers,
  ...verdictHandlers,
  ...chainHandlers,
};

const handlers = {
  Jobs: jobsHandlers,
  Escrow: escrowHandlers satisfies Handlers<typeof escrowAbi>,
  Registry: registryHandlers satisfies Handlers<typeof registryAbi>,
  Court: courtHandlers satisfies Handlers<typeof courtAbi>,
};

const abis = { Jobs: jobsAbi, Escrow: escrowAbi, Registry: registryAbi, Court: courtAbi };

/** The events of a contract. */
export function eventNames(contract: ContractName): string[] {
  return abis[contract].flatMap((item) => (item.type === "event" ? [item.name] : []));
}

/**
 * Applies one event to the tables: the whole of what the indexer does, and of what the audit does again.
 * Events must come in chain order, each once; their arguments normalized (`normalizeArgs`).
 * @throws when the event is unknown or contradicts what came before
 */
export async function applyEvent(store: Store, event: LedgerEvent): Promise<void> {
  const known: Record<string, unknown> = handlers[event.contract];
  const handler = known[event.name];
  if (typeof handler !== "function") throw new Error(`no handler for ${event.contract}.${event.name}`);
  const rows = new EventRows(store);
  const entry = await Entry.open(rows, event);
  await handler(entry, event.args);
  await entry.close();
  await rows.flush();
}
