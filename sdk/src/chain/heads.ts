import type { Hash, PublicClient } from "viem";
import type { RpcSocket } from "./rpcSocket.ts";
import type { ChainLog } from "./sender/types.ts";

export interface Head {
  number: bigint;
  hash: Hash;
  parentHash: Hash;
  /** Unix seconds. */
  timestamp: bigint;
  baseFeePerGas: bigint;
}

export interface Heads {
  /** Calls back with each new head; the chain is watched while somebody listens. Returns a function that ends it. */
  listen(listener: (head: Head) => void): () => void;
  /** Resolves with the first head that arrives from now on. */
  next(signal?: AbortSignal): Promise<Head>;
  readonly latest: Head | undefined;
  /** When the newest head arrived here, epoch milliseconds; 0 before the first. */
  readonly lastHeadAt: number;
  /** When the endpoint last told us anything about the newest head, also that it is still the same. */
  readonly lastAnswerAt: number;
  close(): void;
}

export interface HeadsParameters {
  client: PublicClient;
  pollingInterval: number;
  socket?: RpcSocket;
  signal?: AbortSignal;
  log?: ChainLog;
}

/** With pushes in place we still look this many times less often, since a push can get lost. */
const pushedPollFactor = 8;

/**
 * New heads, pushed where the endpoint pushes, polled for where it does not or has gone quiet. It can skip blocks and it
 * can repeat a number after a reorg: who needs every block reads them by hash from here backwards (see eventFeed.ts).
 */
export function createHeads(parameters: HeadsParameters): Heads {
  const { client, pollingInterval, socket, signal } = parameters;
  const listeners = new Set<(head: Head) => void>();
  let latest: Head | undefined;
  let lastHeadAt = 0;
  let lastAnswerAt = 0;
  let pushed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsubscribe: (() => void) | undefined;
  let looking = false;
  let closed = false;

  const accept = (head: Head) => {
    lastAnswerAt = Date.now();
    if (head.hash === latest?.hash) return;
    lastHeadAt = lastAnswerAt;
    latest = head;
    for (const listener of [...listeners]) listener(head);
  };

  const look = async () => {
    if (looking || closed || listeners.size === 0) return;
    looking = true;
    try {
      const block = await client.getBlock({ blockTag: "latest" });
      const before = latest;
      accept(fromBlock(block));
      // The push that should have told us did not come in all this time: the connection may be dead without knowing it.
      if (pushed && before !== undefined && block.number > before.number + 2n) socket?.reset("pushes stopped");
    } catch (error) {
      if (!closed && !signal?.aborted) parameters.log?.debug({ err: error }, "could not read the newest block");
    } finally {
      looking = false;
      schedule();
    }
  };

  const schedule = () => {
    clearTimeout(timer);
    if (closed || listeners.size === 0) return;
    timer = setTimeout(look, pushed ? pollingInterval * pushedPollFactor : pollingInterval);
  };

  const start = () => {
    if (socket !== undefined) {
      unsubscribe = socket.subscribe(["newHeads"], {
        onData: (value) => {
          const head = fromPush(value);
          if (head === undefined) return void look();
          accept(head);
          schedule();
        },
        onReady: () => {
          pushed = true;
          void look();
        },
        onDrop: () => {
          pushed = false;
          schedule();
        },
      });
    }
    void look();
  };

  const stop = () => {
    clearTimeout(timer);
    unsubscribe?.();
    unsubscribe = undefined;
    pushed = false;
  };

  const heads: Heads = {
    listen(listener) {
      listeners.add(listener);
      if (listeners.size === 1 && !closed) start();
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop();
      };
    },
    next(abort) {
      return new Promise((resolve, reject) => {
        if (abort?.aborted) return reject(abort.reason);
        const known = latest?.hash;
        const onAbort = () => {
          end();
          reject(abort?.reason);
        };
        const end = heads.listen((head) => {
          if (head.hash === known) return;
          end();
          abort?.removeEventListener("abort", onAbort);
          resolve(head);
        });
        abort?.addEventListener("abort", onAbort, { once: true });
      });
    },
    get latest() {
      return latest;
    },
    get lastHeadAt() {
      return lastHeadAt;
    },
    get lastAnswerAt() {
      return lastAnswerAt;
    },
    close() {
      closed = true;
      listeners.clear();
      stop();
    },
  };
  signal?.addEventListener("abort", () => heads.close(), { once: true });
  return heads;
}

interface BlockFields {
  number: bigint | null;
  hash: Hash | null;
  parentHash: Hash;
  timestamp: bigint;
  baseFeePerGas: bigint | null;
}

/** The part of a block that following the chain needs. */
export function fromBlock(block: BlockFields): Head {
  const { number, hash, parentHash, timestamp, baseFeePerGas } = block;
  if (number === null || hash === null) throw new TypeError("a pending block is no head");
  return { number, hash, parentHash, timestamp, baseFeePerGas: baseFeePerGas ?? 0n };
}

function fromPush(value: unknown): Head | undefined {
  const { number, hash, parentHash, timestamp, baseFeePerGas } = value as Record<string, unknown>;
  const texts = [number, hash, parentHash, timestamp];
  if (!texts.every((text) => typeof text === "string")) return undefined;
  return {
    number: BigInt(number as string),
    hash: hash as Hash,
    parentHash: parentHash as Hash,
    timestamp: BigInt(timestamp as string),
    baseFeePerGas: typeof baseFeePerGas === "string" ? BigInt(baseFeePerGas) : 0n,
  };
}
