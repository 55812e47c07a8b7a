import type { SiteConfig } from "../config/config.ts";
import type { ChainAccess } from "./access.ts";
import type { ChainEvent } from "./chainEvent.ts";

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
  let ledgerSeq = -1;
  let ledgerRetryAt = 0;
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
      const problem = await fromLedger(head);
      if (problem !== undefined) await fromChain(problem || undefined);
    } catch (error) {
      const text = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
      publish({ ...log, state: log.events.length > 0 ? "ready" : "failed", problem: text });
    }
    busy = false;
    if (wanted > head) void run();
  }

  /** @returns undefined when the ledger told; else why not ("" when there is none) */
  async function fromLedger(head: number): Promise<string | undefined> {
    if (!config.ledger) return "";
    if (Date.now() < ledgerRetryAt) return log.ledgerProblem ?? "";
    try {
      const { fetchLedgerEvents } = await import("../graphql/fetchLedgerEvents.ts");
      // Coming back from the chain, or for the first time, the ledger is read from its beginning.
      const fresh = log.source !== "ledger";
      const news = await fetchLedgerEvents(config.ledger, fresh ? -1 : ledgerSeq);
      ledgerSeq = news.at(-1)?.seq ?? ledgerSeq;
      const events = fresh ? news : news.length > 0 ? [...log.events, ...news] : log.events;
      publish({
        state: "ready",
        events,
        source: "ledger",
        throughBlock: head,
        problem: undefined,
        ledgerProblem: undefined,
      });
      return undefined;
    } catch (error) {
      ledgerRetryAt = Date.now() + 15_000;
      return error instanceof Error ? error.message : String(error);
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

  return {
    get: () => log,
    extend(head) {
      if (head <= wanted && log.state === "ready" && log.problem === undefined) return;
      wanted = Math.max(head, wanted);
      void run();
    },
    subscribe(listener) {
      listeners.add(listener);
      void run();
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
