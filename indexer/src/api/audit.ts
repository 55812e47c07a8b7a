// The continuous self-audit. It reads the chain's logs by itself, rebuilds every table in memory with all invariants checked on
// the way, and at each finalized block holds three things against each other: the escrow's own figures, what it rebuilt, and
// what the database says, row by row in an endless sweep. A figure that was tampered with in the database is found by that.
import { publicClients } from "ponder:api";
import type { PublicClient } from "viem";
import { Auditor, type Finding } from "../../ledger/auditor.ts";
import { compareWithChain } from "../../ledger/compareWithChain.ts";
import { readEvents } from "../../ledger/readEvents.ts";
import { positions } from "./checkpoints.ts";
import { createDatabaseSweep } from "./databaseSweep.ts";
import type { LiveHub } from "./live.ts";
import { ponderGlobals, runtime } from "./runtime.ts";

/** Passes start at most this often, and at least that often, however the chain moves. */
const MIN_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 15_000;
/** While something is wrong: whoever changed one row may have changed others. */
const SEARCH_PAUSE_MS = 250;
/** Keys whose balances are asked from the chain in one pass, beside those that changed. */
const ROLLING_KEYS = 25;
/** Events applied before the API gets its turn. */
const SLICE = 200;

export interface AuditState {
  /** `off`, `starting`, `ok`, `failing`, `unable` (the chain or the database did not answer) */
  state: "off" | "starting" | "ok" | "failing" | "unable";
  ok: boolean | null;
  /** finalized block that the result is of */
  block: number | null;
  events: number | null;
  digest: string | null;
  /** what the escrow owes beyond what the logs add up to, at that block */
  difference: bigint | null;
  auditedAt: number | null;
  /** times that every row of the database has been compared */
  sweeps: number;
  message: string | null;
  findings: Finding[];
}

export interface AuditService {
  report(): AuditState;
}

export function startAudit(hub: LiveHub): AuditService {
  const { settings } = runtime();
  const { PONDER_COMMON: common } = ponderGlobals();
  const state: AuditState = {
    ...{ state: settings.audit ? "starting" : "off", ok: null, block: null, events: null, digest: null },
    ...{ difference: null, auditedAt: null, sweeps: 0, message: null, findings: [] },
  };
  if (!settings.audit) return { report: () => state };

  const { contracts, startBlock } = settings.deployment;
  const client = publicClients.gpuchain as unknown as PublicClient;
  let auditor = new Auditor({ compact: true });
  let sweep = createDatabaseSweep(auditor.store);
  /** the newest block whose events are in, and its hash */
  let audited: { block: number; hash: string | undefined } = { block: startBlock - 1, hash: undefined };
  let rolling = 0;
  let lastPass = 0;
  let suspects = { accounts: new Set<string>(), jobs: new Set<bigint>() };
  let lastSweep = 0;
  let database: Finding[] = [];
  /** violations that have been said in the log */
  let shouted = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = false;

  const schedule = (pause: number, least = MIN_PAUSE_MS): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void pass(), Math.max(pause, lastPass + least - Date.now()));
    timer.unref();
  };
  hub.onCommit(() => {
    if (!running) schedule(0);
  });
  common.apiShutdown.add(() => clearTimeout(timer));
  schedule(MIN_PAUSE_MS);

  async function pass(): Promise<void> {
    if (running || common.apiShutdown.isKilled) return;
    running = true;
    try {
      await audit();
    } catch (error) {
      if (common.apiShutdown.isKilled) return;
      state.state = "unable";
      state.ok = null;
      state.message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    } finally {
      running = false;
      lastPass = Date.now();
      if (common.apiShutdown.isKilled) clearTimeout(timer);
      else if (sweep.isSearching()) schedule(0, SEARCH_PAUSE_MS);
      else if (sweep.sweeps() === 0) schedule(0);
      else schedule(MAX_PAUSE_MS);
    }
    const found = state.findings.flatMap(({ id, violations }) => violations.map((text) => `${id}: ${text}`));
    for (const text of found) if (!shouted.has(text)) common.logger.error({ msg: `AUDIT FAILS: ${text}` });
    shouted = new Set(found);
  }

  async function audit(): Promise<void> {
    if (!hub.isLive()) return;
    const indexed = (await positions())?.indexed.block ?? 0;
    const block = indexed - settings.finality;
    if (block < startBlock) return;
    // A reorg below what was taken for final: what was rebuilt is void, so it is rebuilt.
    if (audited.hash && (await hashOf(Math.min(audited.block, block))) !== audited.hash) startOver();
    // What was found wrong is looked at again, until it is right.
    const touched = { accounts: new Set(suspects.accounts), jobs: new Set(suspects.jobs) };
    let news = state.block === null;
    if (block > audited.block) {
      let slice = 0;
      for await (const events of readEvents({ client, contracts, fromBlock: audited.block + 1, toBlock: block })) {
        for (const event of events) {
          await auditor.apply(event).catch((error: unknown) => {
            // Half a block is no state to go on from.
            startOver();
            throw error;
          });
          news = true;
          if (++slice % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
          if (common.apiShutdown.isKilled) return;
        }
        audited = { block: events.at(-1)?.block.number ?? audited.block, hash: events.at(-1)?.block.hash };
      }
      audited = { block, hash: await hashOf(block) };
    }
    const { store } = auditor;
    for (const { address, block: changed } of store.all("account")) {
      if (changed > (state.block ?? -1)) touched.accounts.add(address);
    }
    for (const { id, block: changed } of store.all("job")) if (changed > (state.block ?? -1)) touched.jobs.add(id);
    // The thorough part is done when something happened, until every row has been looked at once or what was found wrong has been
    // looked at in full, and now and then in quiet times: nothing should change by itself.
    const unfinished = sweep.sweeps() === 0 || sweep.isSearching();
    const thorough = news || unfinished || Date.now() - lastSweep >= MAX_PAUSE_MS;
    if (thorough) {
      addRolling(
        touched.accounts,
        store.all("account").map(({ address }) => address),
      );
      addRolling(
        touched.jobs,
        store.all("job").map(({ id }) => id),
      );
      rolling += ROLLING_KEYS;
    }
    const chain = await compareWithChain({
      ...{ client, escrow: contracts.escrow, store, block },
      ...{ accounts: [...touched.accounts], jobs: [...touched.jobs] },
    });
    if (thorough) {
      database = await sweep.pass(block);
      lastSweep = Date.now();
    }
    suspects = chain.findings.some(({ violated }) => violated > 0) ? touched : { accounts: new Set(), jobs: new Set() };
    const total = store.get("total", "1");
    state.findings = [...auditor.findings, ...chain.findings, ...database];
    state.ok = state.findings.every(({ violated }) => violated === 0);
    state.state = state.ok ? "ok" : "failing";
    state.message = state.ok ? null : "The ledger, its logs and the contracts do not agree.";
    state.block = block;
    state.events = total?.events ?? 0;
    state.digest = total?.digest ?? null;
    state.difference = chain.owed - chain.rebuilt;
    state.auditedAt = Math.floor(Date.now() / 1000);
    state.sweeps = sweep.sweeps();
  }

  async function hashOf(block: number): Promise<string | undefined> {
    return (await client.getBlock({ blockNumber: BigInt(block) })).hash ?? undefined;
  }

  function startOver(): void {
    auditor = new Auditor({ compact: true });
    sweep = createDatabaseSweep(auditor.store);
    audited = { block: startBlock - 1, hash: undefined };
    state.block = null;
  }

  function addRolling<T>(into: Set<T>, all: readonly T[]): void {
    for (let i = 0; i < Math.min(ROLLING_KEYS, all.length); i++) {
      const key = all[(rolling + i) % all.length];
      if (key !== undefined) into.add(key);
    }
  }

  return { report: () => state };
}
