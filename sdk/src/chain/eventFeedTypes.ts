import type { Hash } from "viem";
import type { GpuchainEvent } from "./events.ts";

/** One block, in order, each once. */
export interface FeedBlock {
  type: "block";
  blockNumber: bigint;
  blockHash: Hash;
  /** Unix seconds. */
  timestamp: bigint;
  /** Events of this deployment's contracts, in log order; empty for most blocks. */
  events: GpuchainEvent[];
  /** The newest block known at the moment this one was read: equal once the feed has caught up. */
  head: bigint;
}

/** Blocks after `reorgTo` are no longer part of the chain; the replacements follow as ordinary blocks. */
export interface FeedReorg {
  type: "reorg";
  reorgTo: bigint;
}

export type FeedItem = FeedBlock | FeedReorg;

export interface EventFeed extends AsyncIterable<FeedItem> {
  /** When the newest head arrived here, epoch milliseconds; 0 before the first. Old means: the RPC is silent. */
  readonly lastHeadAt: number;
  /** Milliseconds since then; Infinity before the first. */
  readonly lagMs: number;
  readonly head: bigint | undefined;
}
