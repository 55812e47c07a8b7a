// Our own WebSocket to the chain rather than viem's: it reconnects for ever, at once on the first drop, says when it
// dropped (so that a feed can look for what it missed), and writes nothing to the console.
import { RpcRequestError, TimeoutError, WebSocketRequestError } from "viem";
import { backoff } from "../daemon/backoff.ts";
import { sleep } from "../daemon/sleep.ts";

export interface RpcSocket {
  request(method: string, params?: unknown): Promise<unknown>;
  /** Calls back with each pushed value; subscribes again after every reconnect. Returns a function that ends it. */
  subscribe(params: readonly unknown[], listener: SubscriptionListener): () => void;
  /** Drops the connection and makes a new one: for a peer that is connected but silent. */
  reset(reason: string): void;
  close(): void;
}

export interface SubscriptionListener {
  onData(value: unknown): void;
  /** The subscription is (again) in place; pushes before this moment may be missing. */
  onReady(): void;
  /** It is gone for now; pushes from here on may be missing. */
  onDrop(): void;
}

interface Waiting {
  method: string;
  params: unknown;
  resolve(value: unknown): void;
  reject(error: Error): void;
  timer: ReturnType<typeof setTimeout>;
}

interface SocketLike {
  readyState: number;
  send(text: string): void;
  close(): void;
  addEventListener(type: "open" | "close" | "error" | "message", listener: (event: { data?: unknown }) => void): void;
}

const open = 1;

async function webSocketClass(): Promise<new (url: string) => SocketLike> {
  const own = (globalThis as { WebSocket?: new (url: string) => SocketLike }).WebSocket;
  if (own !== undefined) return own;
  // Node 20 has none of its own.
  const { WebSocket } = await import("ws");
  return WebSocket as unknown as new (
    url: string,
  ) => SocketLike;
}

/** Connects on first use, and keeps the connection while somebody subscribes. */
export function createRpcSocket(url: string, options: { timeoutMs: number; signal?: AbortSignal }): RpcSocket {
  const waiting = new Map<number, Waiting>();
  const subscriptions = new Map<object, { params: readonly unknown[]; listener: SubscriptionListener; id?: string }>();
  const pauses = backoff({ baseMs: 50, maxMs: 5_000 });
  const closed = new AbortController();
  let socket: SocketLike | undefined;
  let connecting: Promise<SocketLike> | undefined;
  let nextId = 1;
  let lastReceivedAt = 0;

  const failure = (text: string, body: object = {}) =>
    new WebSocketRequestError({ url, body: body as never, details: text, cause: new Error(text) });

  function drop(from: SocketLike, reason: string) {
    if (socket !== from) return;
    socket = undefined;
    for (const [id, one] of waiting) {
      clearTimeout(one.timer);
      waiting.delete(id);
      one.reject(failure(reason, { method: one.method }));
    }
    for (const one of subscriptions.values()) {
      if (one.id === undefined) continue;
      delete one.id;
      one.listener.onDrop();
    }
    if (subscriptions.size > 0) void keepConnected();
  }

  function receive(text: unknown) {
    lastReceivedAt = Date.now();
    const message = JSON.parse(String(text)) as {
      id?: number;
      result?: unknown;
      error?: { code: number; message: string; data?: unknown };
      method?: string;
      params?: { subscription: string; result: unknown };
    };
    if (message.method === "eth_subscription" && message.params !== undefined) {
      const { subscription, result } = message.params;
      for (const one of subscriptions.values()) if (one.id === subscription) one.listener.onData(result);
      return;
    }
    const one = message.id === undefined ? undefined : waiting.get(message.id);
    if (one === undefined || message.id === undefined) return;
    waiting.delete(message.id);
    clearTimeout(one.timer);
    if (message.error === undefined) one.resolve(message.result);
    else
      one.reject(new RpcRequestError({ body: { method: one.method, params: one.params }, error: message.error, url }));
  }

  async function connect(): Promise<SocketLike> {
    const Class = await webSocketClass();
    closed.signal.throwIfAborted();
    const fresh = new Class(url);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(failure("no connection in time"));
        fresh.close();
      }, options.timeoutMs);
      fresh.addEventListener("open", () => {
        clearTimeout(timer);
        resolve();
      });
      fresh.addEventListener("error", () => reject(failure("no connection")));
      fresh.addEventListener("close", () => {
        clearTimeout(timer);
        reject(failure("connection closed"));
        drop(fresh, "connection closed");
      });
      fresh.addEventListener("message", ({ data }) => receive(data));
    });
    if (closed.signal.aborted) {
      fresh.close();
      throw closed.signal.reason;
    }
    socket = fresh;
    pauses.reset();
    for (const one of subscriptions.values()) void establish(one);
    return fresh;
  }

  function connected(): Promise<SocketLike> {
    if (closed.signal.aborted) return Promise.reject(closed.signal.reason);
    if (socket !== undefined && socket.readyState === open) return Promise.resolve(socket);
    connecting ??= connect().finally(() => {
      connecting = undefined;
    });
    return connecting;
  }

  let keeping = false;
  async function keepConnected(): Promise<void> {
    if (keeping) return;
    keeping = true;
    try {
      while (subscriptions.size > 0 && !closed.signal.aborted && socket === undefined) {
        const done = await connected().then(
          () => true,
          () => false,
        );
        if (!done) await sleep(pauses.next(), closed.signal).catch(() => undefined);
      }
    } finally {
      keeping = false;
    }
  }

  async function establish(one: { params: readonly unknown[]; listener: SubscriptionListener; id?: string }) {
    try {
      one.id = String(await request("eth_subscribe", one.params));
      one.listener.onReady();
    } catch {
      // The connection went while subscribing: `drop` has started the next one. An endpoint without subscriptions ends
      // here too, and the listener's owner polls on.
      one.listener.onDrop();
    }
  }

  async function request(method: string, params?: unknown): Promise<unknown> {
    const at = await connected();
    // Dropped in the meantime: nobody would answer, and its timer would keep the process from ending.
    if (socket !== at) throw failure("connection closed", { method });
    return new Promise((resolve, reject) => {
      const id = nextId++;
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new TimeoutError({ body: { method, params }, url }));
        // Nothing at all came in this time: the connection is dead and does not know it (a cut cable, a lost NAT entry).
        if (socket === at && Date.now() - lastReceivedAt >= options.timeoutMs) api.reset("silent");
      }, options.timeoutMs);
      waiting.set(id, { method, params, resolve, reject, timer });
      try {
        at.send(JSON.stringify({ jsonrpc: "2.0", id, method, params: params ?? [] }));
      } catch (error) {
        clearTimeout(timer);
        waiting.delete(id);
        reject(failure(error instanceof Error ? error.message : String(error), { method }));
      }
    });
  }

  const api: RpcSocket = {
    request,
    subscribe(params, listener) {
      const key = {};
      const one: { params: readonly unknown[]; listener: SubscriptionListener; id?: string } = { params, listener };
      subscriptions.set(key, one);
      if (socket === undefined) void keepConnected();
      else void establish(one);
      return () => {
        subscriptions.delete(key);
        if (one.id !== undefined && socket !== undefined) request("eth_unsubscribe", [one.id]).catch(() => undefined);
      };
    },
    reset(reason) {
      const old = socket;
      if (old === undefined) return;
      drop(old, reason);
      old.close();
    },
    close() {
      if (closed.signal.aborted) return;
      subscriptions.clear();
      closed.abort(failure("connection closed by us"));
      const old = socket;
      if (old !== undefined) {
        drop(old, "connection closed by us");
        old.close();
      }
    },
  };
  options.signal?.addEventListener("abort", () => api.close(), { once: true });
  return api;
}
