import type { Hash, Log } from "viem";
import { backoff } from "../daemon/backoff.ts";
import { sleep } from "../daemon/sleep.ts";
import type { GpuchainClient } from "./client.ts";
import type { EventFeed, FeedBlock, FeedItem } from "./eventFeedTypes.ts";
import { decodeEvent, type EventContract, eventContracts, type GpuchainEvent } from "./events.ts";
import { getLogsRange } from "./getLogsRange.ts";
import { fromBlock, type Head } from "./heads.ts";
import { inOrder } from "./logOrder.ts";
import { shortMessage } from "./rpcErrors.ts";
import type { ChainLog } from "./sender/types.ts";

export interface EventFeedParameters {
  client: GpuchainClient;
  /** First block to tell of. Default: the deployment's first. */
  fromBlock?: bigint;
  /**
   * What the caller processed last, from its journal: it learns of a reorg that happened while it was away. Takes the
   * place of `fromBlock`.
   */
  after?: { blockNumber: bigint; blockHash: Hash };
  /** Only events of these contracts. Default: all. */
  contracts?: readonly EventContract[];
  signal: AbortSignal;
  log?: ChainLog;
}

/** Blocks nearer to the head than this are read one by one and by hash; older ones in ranges. */
const liveDepth = 32n;
/** How many blocks back a reorg can be followed. */
const rememberedBlocks = 256;
/** A chain must stay shorter than what was told for this long before we believe it. */
const shorterForMs = 500;
/** Items waiting for a slow consumer before reading pauses. */
const queueLimit = 1_024;

/**
 * The chain as a stream: each block once and in order, with this deployment's events in it, also empty ones near the head
 * (so that a daemon has a clock). Logs are asked for by block hash, so they are exactly that block's: a dropped
 * subscription, a reconnect or a lagging endpoint loses and doubles nothing. A reorg comes as one item that says how far
 * back it goes, followed by the new blocks.
 *
 * Ends when the signal aborts. One consumer.
 *
 * @example
 * for await (const item of createEventFeed({ client, signal })) {
 *   if (item.type === "reorg") console.log(`undo everything after block ${item.reorgTo}`);
 *   else for (const event of item.events) console.log(event.eventName, event.args);
 * }
 */
export function createEventFeed(parameters: EventFeedParameters): EventFeed {
  const { client, signal, log } = parameters;
  const deployment = client.deployment;
  const names = parameters.contracts ?? eventContracts;
  const address = names.map((name) => deployment.contracts[name]);
  const queue: FeedItem[] = [];
  let wake: (() => void) | undefined;
  let drained: (() => void) | undefined;
  let started = false;
  let checked = parameters.after === undefined;
  /** Recent blocks, told already, oldest first. */
  const told: { number: bigint; hash: Hash }[] = [];
  let next = parameters.after ? parameters.after.blockNumber + 1n : (parameters.fromBlock ?? deployment.startBlock);
  if (parameters.after) told.push({ number: parameters.after.blockNumber, hash: parameters.after.blockHash });

  /** Blocks after this were undone and the consumer does not know yet. */
  let undone: bigint | undefined;

  const push = (item: FeedItem) => {
    queue.push(item);
    wake?.();
  };

  const decode = (logs: Log[]) =>
    inOrder(logs)
      .map((entry) => decodeEvent(deployment.contracts, entry as Log<bigint, number, false>))
      .filter((event): event is GpuchainEvent => event !== undefined);

  const readHead = async (query: { blockNumber: bigint } | { blockHash: Hash }): Promise<Head> =>
    fromBlock(await client.public.getBlock(query));

  async function tell(block: Head, events: GpuchainEvent[], head: bigint): Promise<void> {
    if (queue.length >= queueLimit) {
      await new Promise<void>((resolve) => {
        drained = resolve;
      });
    }
    const { number: blockNumber, hash: blockHash, timestamp } = block;
    const item: FeedBlock = { type: "block", blockNumber, blockHash, timestamp, events, head };
    told.push({ number: blockNumber, hash: blockHash });
    if (told.length > rememberedBlocks) told.shift();
    next = blockNumber + 1n;
    push(item);
  }

  /** Far behind the head: ranges, and only blocks that hold events. */
  async function catchUp(head: Head): Promise<void> {
    while (head.number - next >= liveDepth && !signal.aborted) {
      const last = head.number - liveDepth;
      const toBlock = last - next > 9_999n ? next + 9_999n : last;
      const logs = await getLogsRange(client.public, { address, fromBlock: next, toBlock });
      const byBlock = new Map<bigint, GpuchainEvent[]>();
      for (const event of decode(logs))
        byBlock.set(event.blockNumber, [...(byBlock.get(event.blockNumber) ?? []), event]);
      for (const [number, events] of byBlock) {
        if (number !== toBlock) await tell(await readHead({ blockNumber: number }), events, head.number);
      }
      await tell(await readHead({ blockNumber: toBlock }), byBlock.get(toBlock) ?? [], head.number);
    }
  }

  /** The blocks from the last told one up to `head`, oldest first; says so when what was told is no longer in the chain. */
  async function branch(head: Head): Promise<Head[]> {
    const blocks: Head[] = [];
    for (let at = head; at.number >= next; ) {
      blocks.unshift(at);
      if (at.number === next && told.length === 0) return blocks;
      const before = told.find(({ number }) => number === at.number - 1n);
      if (before?.hash === at.parentHash) return blocks;
      if (at.number === next && before === undefined) return blocks;
      if (at.number === next) rewind(at.number - 2n);
      at = await readHead({ blockHash: at.parentHash });
    }
    return blocks;
  }

  /** Forgets everything after `number`: those blocks were undone. */
  function rewind(number: bigint) {
    while (told.length > 0 && (told.at(-1)?.number ?? 0n) > number) told.pop();
    next = number + 1n;
    undone = number;
  }

  /** Tells of a reorg once its whole depth is known. */
  function tellUndone() {
    if (undone !== undefined) push({ type: "reorg", reorgTo: undone });
    undone = undefined;
  }

  /** The caller's last block may have been undone while it was away; how far back that went only a margin can tell. */
  async function checkStart(head: Head): Promise<void> {
    const last = told[0];
    if (checked || last === undefined) return;
    const now = head.number < last.number ? undefined : await readHead({ blockNumber: last.number });
    if (now?.hash !== last.hash) {
      const back = last.number - liveDepth;
      rewind(back > deployment.startBlock ? back : deployment.startBlock - 1n);
    }
    checked = true;
  }

  async function follow(head: Head): Promise<void> {
    await checkStart(head);
    if (await isOldNews(head)) return tellUndone();
    if (head.number - next >= liveDepth) tellUndone();
    await catchUp(head);
    const blocks = await branch(head);
    tellUndone();
    for (const block of blocks) {
      if (signal.aborted) return;
      const logs = await client.public.getLogs({ address, blockHash: block.hash });
      await tell(block, decode(logs), head.number);
    }
  }

  /** A head at or below what was told: the same block again, or a chain that became shorter. */
  async function isOldNews(head: Head): Promise<boolean> {
    if (head.number >= next) return false;
    const same = told.find(({ number }) => number === head.number);
    if (same === undefined || same.hash === head.hash) {
      // A lagging endpoint repeats an old head; a chain that was set back to a shorter one has lost our newest block.
      const last = told.at(-1);
      if (last === undefined || last.number === head.number || same === undefined) return true;
      await sleep(shorterForMs, signal);
      const now = await client.public.getBlockNumber({ cacheTime: 0 });
      if (now >= last.number) return true;
      rewind(head.number);
      return true;
    }
    rewind(head.number - 1n);
    return false;
  }

  async function pump(): Promise<void> {
    let newest: Head | undefined;
    let news: (() => void) | undefined;
    const stop = client.heads.listen((head) => {
      newest = head;
      news?.();
    });
    const pauses = backoff({ baseMs: 100, maxMs: 5_000 });
    const onAbort = () => news?.();
    signal.addEventListener("abort", onAbort);
    try {
      while (!signal.aborted) {
        const head = newest;
        if (head === undefined) {
          await new Promise<void>((resolve) => {
            news = resolve;
          });
          continue;
        }
        newest = undefined;
        try {
          await follow(head);
          pauses.reset();
        } catch (error) {
          if (signal.aborted) return;
          // The endpoint may not know a block yet that it (or its neighbour) announced: look again from the newest head.
          log?.debug({ reason: shortMessage(error) }, "could not read new blocks; trying again");
          await sleep(pauses.next(), signal).catch(() => undefined);
          newest ??= await client.public.getBlock({ blockTag: "latest" }).then(fromBlock, () => head);
        }
      }
    } finally {
      stop();
      signal.removeEventListener("abort", onAbort);
      wake?.();
    }
  }

  async function* read(): AsyncGenerator<FeedItem> {
    if (started) throw new TypeError("an event feed has one consumer");
    started = true;
    void pump();
    while (true) {
      const item = queue.shift();
      if (item !== undefined) {
        if (queue.length < queueLimit / 2) drained?.();
        yield item;
      } else if (signal.aborted) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }

  return {
    [Symbol.asyncIterator]: () => read(),
    get lastHeadAt() {
      return client.heads.lastHeadAt;
    },
    get lagMs() {
      const at = client.heads.lastAnswerAt;
      return at === 0 ? Number.POSITIVE_INFINITY : Date.now() - at;
    },
    get head() {
      return client.heads.latest?.number;
    },
  };
}
