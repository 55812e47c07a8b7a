import type { SiteConfig } from "../config/config.ts";
import { rpcCall, toHttp } from "./rpc.ts";

export type ChainHealth = "none" | "connecting" | "ok" | "stalled" | "down" | "wrong-chain";

export interface ChainHead {
  readonly health: ChainHealth;
  readonly block: number | undefined;
  /** seconds, the block's own */
  readonly timestamp: number | undefined;
  /** epoch ms of the last answer */
  readonly readAt: number | undefined;
  readonly problem: string | undefined;
  /** the address that answered last: the first configured one that answers and serves the right chain */
  readonly rpc: string | undefined;
}

export interface HeadStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly get: () => ChainHead;
  readonly refresh: () => void;
}

const NOTHING: ChainHead = {
  health: "none",
  block: undefined,
  timestamp: undefined,
  readAt: undefined,
  problem: undefined,
  rpc: undefined,
};

/**
 * Follows the chain's head for as long as anybody looks: one small call per block time (at least 2 s apart), none while
 * the page is hidden, slower while the RPC is down.
 */
export function createHeadStore(config: SiteConfig): HeadStore {
  let head: ChainHead = config.rpc.length > 0 ? { ...NOTHING, health: "connecting" } : NOTHING;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** addresses that serve the right chain, until they fail */
  const checked = new Set<string>();
  let advancedAt = Date.now();
  const listeners = new Set<() => void>();
  const period = Math.max(2_000, config.blockTimeMs);

  const publish = (next: ChainHead) => {
    head = next;
    for (const listener of listeners) listener();
  };

  async function read(): Promise<void> {
    clearTimeout(timer);
    if (document.visibilityState === "visible") await readOnce();
    if (listeners.size > 0) timer = setTimeout(() => void read(), head.health === "down" ? 10_000 : period);
  }

  async function readOnce(): Promise<void> {
    let problem = "";
    let otherChain: string | undefined;
    for (const rpc of config.rpc.map(toHttp)) {
      try {
        otherChain = (await otherChainAt(rpc)) ?? otherChain;
        if (checked.has(rpc)) return publish(await headOf(rpc));
      } catch (error) {
        checked.delete(rpc);
        problem = error instanceof Error ? error.message : String(error);
      }
    }
    if (otherChain) publish({ ...head, health: "wrong-chain", problem: otherChain, readAt: Date.now() });
    else publish({ ...head, health: "down", problem });
  }

  /** Says which chain an address serves, when that isn't the site's. */
  async function otherChainAt(rpc: string): Promise<string | undefined> {
    if (checked.has(rpc)) return undefined;
    const id = Number(await rpcCall<string>(rpc, "eth_chainId", []));
    if (config.chainId !== undefined && id !== config.chainId) {
      return `The RPC serves chain ${id}; this site is set up for ${config.chainId}.`;
    }
    checked.add(rpc);
    return undefined;
  }

  async function headOf(rpc: string): Promise<ChainHead> {
    const block = await rpcCall<{ number: string; timestamp: string }>(rpc, "eth_getBlockByNumber", ["latest", false]);
    const number = Number(block.number);
    if (number !== head.block) advancedAt = Date.now();
    const stalled = Date.now() - advancedAt > Math.max(30_000, 10 * config.blockTimeMs);
    return {
      health: stalled ? "stalled" : "ok",
      block: number,
      timestamp: Number(block.timestamp),
      readAt: Date.now(),
      problem: stalled ? "No new block for a while." : undefined,
      rpc,
    };
  }

  return {
    get: () => head,
    refresh: () => void read(),
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1 && config.rpc.length > 0) {
        document.addEventListener("visibilitychange", onVisible);
        void read();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearTimeout(timer);
        document.removeEventListener("visibilitychange", onVisible);
      };
    },
  };

  function onVisible() {
    if (document.visibilityState === "visible") void read();
  }
}
