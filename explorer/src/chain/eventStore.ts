import type { SiteConfig } from "../config/config.ts";
import type { LedgerEvent } from "../graphql/journalRow.ts";
import type { ChainAccess } from "./access.ts";
import type { ChainEvent } from "./chainEvent.ts";
import { createLagWatch } from "./lagWatch.ts";

export interface EventLog {
  readonly state: "none" | "loading" | "ready" | "failed";
  readonly events: readonly ChainEvent[];
  /** who told: the ledger, or the chain read by this browser */
  readonly source: "ledger" | "chain" | undefined;
  /** events are complete up to this block */
  readonly throughBlock: number;
  /** what keeps the source from answering just now */
  readonly problem: string | undefined;
  /** why the ledger isn't the source, when one is configured */
  readonly ledgerProblem: string | undefined;
}

export interface EventStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly get: () => EventLog;
  /** Called when the head has moved. */
  readonly extend: (head: number) => void;
}

const EMPTY: EventLog = {
  state: "loading",
  events: [],
  source: undefined,
  throughBlock: -1,
  problem: undefined,
  ledgerProblem: undefined,
};

/** A ledger that stands still is asked again much later than one that does not answer. */
const STALE_RETRY_MS = 300_000;
const RETRY_MS = 15_000;
/** Between two pages nobody listens for a moment: what is followed is kept for longer than that. */
const LINGER_MS = 5_000;

/** Blocks read again with each extension, so that a reorganization is taken back. */
const REREAD = 12;

/**
 * History for every page: from the ledger while it answers, else read from the chain by this browser. One small request
 * a block for the whole site, whatever is open.
 */
export function createEventStore(config: SiteConfig, openChain: () => Promise<ChainAccess>): EventStore {
  let log: EventLog = config.rpc.length > 0 || config.ledger ? EMPTY : { ...EMPTY, state: "none" };
  let busy = false;
  let wanted = -1;
  let stopLive: (() => void) | undefined;
  let ledgerRetryAt = 0;
  let standsStill = createLagWatch();
  let loseLedger: ((reason: string, retryMs?: number) => void) | undefined;
  let lingering: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  const publish = (next: EventLog) => {
    log = next;
    for (const listener of listeners) listener();
  };

  async function run(): Promise<void> {
    if (busy || log.state === "none" || listeners.size === 0) return;
    busy = true;
    const head = wanted;
    try {
      const problem = await fromLedger();
      if (problem !== undefined) await fromChain(problem || undefined);
    } catch (error) {
      const text = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
      publish({ ...log, state: log.events.length > 0 ? "ready" : "failed", problem: text });
    }
    busy = false;
    if (wanted > head) void run();
  }

  /** @returns undefined when the ledger told or tells by itself; else why not ("" when there is none) */
  async function fromLedger(): Promise<string | undefined> {
    if (!config.ledger) return "";
    if (stopLive) return undefined;
    if (Date.now() < ledgerRetryAt) return log.ledgerProblem ?? "";
    try {
      const [{ fetchLedgerEvents }, { followLedger }, { follows }] = await Promise.all([
        import("../graphql/fetchLedgerEvents.ts"),
        import("../graphql/followLedger.ts"),
        import("../graphql/journalRow.ts"),
      ]);
      // Coming back from the chain, or for the first time, the ledger is read from its beginning.
      let known: readonly LedgerEvent[] = await fetchLedgerEvents(config.ledger, -1);
      let through = known.at(-1)?.block ?? -1;
      const tell = () => {
        const ready = { state: "ready", source: "ledger", problem: undefined, ledgerProblem: undefined } as const;
        publish({ ...ready, events: known, throughBlock: through });
      };
      tell();
      // Everybody left while it was read: the next to come reads it again.
      if (listeners.size === 0) return undefined;
      const onLost = (reason: string, retryMs = RETRY_MS) => {
        stopLive?.();
        stopLive = undefined;
        ledgerRetryAt = Date.now() + retryMs;
        publish({ ...log, ledgerProblem: reason });
        void run();
      };
      standsStill = createLagWatch();
      loseLedger = onLost;
      stopLive = followLedger(config.ledger, known.at(-1)?.seq ?? 0, {
        onLost,
        onEvents(news) {
          // Told twice, it would be counted twice.
          const inOrder = news.every((event, i) => follows(event, i > 0 ? news[i - 1] : known.at(-1)));
          if (!inOrder) return onLost("its live updates repeat themselves");
          known = [...known, ...news];
          through = Math.max(through, news.at(-1)?.block ?? through);
          tell();
        },
        onReorg(after) {
          known = known.filter((event) => event.seq <= after);
          through = Math.min(through, known.at(-1)?.block ?? -1);
          tell();
        },
        onHead(block) {
          through = block;
          tell();
        },
      });
      return undefined;
    } catch (error) {
      ledgerRetryAt = Date.now() + RETRY_MS;
      return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
    }
  }

  async function fromChain(ledgerProblem: string | undefined): Promise<void> {
    const [chain, { fetchChainEvents }] = await Promise.all([openChain(), import("./fetchChainEvents.ts")]);
    const head = await chain.client.public.getBlockNumber({ cacheTime: 0 });
    const keep = log.source === "chain";
    const start = chain.deployment.startBlock;
    const again = BigInt(Math.max(0, log.throughBlock - REREAD + 1));
    const from = keep && again > start ? again : start;
    const news = await fetchChainEvents(chain, from, head);
    const old = keep ? log.events.filter((event) => event.block < Number(from)) : [];
    publish({
      state: "ready",
      events: [...old, ...news],
      source: "chain",
      throughBlock: Number(head),
      problem: undefined,
      ledgerProblem,
    });
  }

  function watchLag(head: number): void {
    const behind = head - log.throughBlock;
    if (stopLive && standsStill(behind, Date.now())) {
      loseLedger?.(`it stays ${behind} blocks behind the chain`, STALE_RETRY_MS);
    }
  }

  return {
    get: () => log,
    extend(head) {
      watchLag(head);
      if (head <= wanted && log.state === "ready" && log.problem === undefined) return;
      wanted = Math.max(head, wanted);
      void run();
    },
    subscribe(listener) {
      clearTimeout(lingering);
      listeners.add(listener);
      void run();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearTimeout(lingering);
        lingering = setTimeout(() => {
          if (listeners.size > 0) return;
          stopLive?.();
          stopLive = undefined;
        }, LINGER_MS);
      };
    },
  };
}
