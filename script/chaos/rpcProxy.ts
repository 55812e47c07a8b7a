// Stands between one daemon and the chain and answers as bad RPC endpoints do. It reads the messages, unlike a plain TCP proxy: rate limits,
// lost subscriptions, and repeated or reordered events can only be made where they are understood.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import type { RpcTrouble } from "./plan.ts";

export interface RpcProxy {
  readonly httpUrl: string;
  readonly wsUrl: string;
  trouble(kind: RpcTrouble): void;
  heal(): void;
  close(): void;
}

interface Message {
  id?: unknown;
  method?: string;
  result?: unknown;
}

const LAG_MS = 1_500;

/** @param target the chain's own port */
export async function startRpcProxy(target: number): Promise<RpcProxy> {
  let now: RpcTrouble | undefined;
  let held: (() => void)[] = [];
  const sockets = new Set<WebSocket>();

  /** Passes a message on as the trouble of the moment allows; messages of one connection stay in order. */
  const pass = (act: () => void): void => {
    if (now === "stall") held.push(act);
    else if (now === "lag") setTimeout(act, LAG_MS);
    else act();
  };

  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (now === "refuse") return void request.socket.destroy();
    if (now === "limit") {
      response.writeHead(429, { "Retry-After": "1" }).end("slow down");
      return;
    }
    pass(async () => {
      try {
        const body = Buffer.concat(pieces);
        const answer = await fetch(`http://127.0.0.1:${target}`, {
          method: "POST",
          body,
          headers: { "content-type": "application/json" },
        });
        const text = await answer.text();
        pass(() => {
          response.writeHead(answer.status, { "content-type": "application/json" });
          response.end(asked(body.toString(), "eth_getLogs") ? troubled(text) : text);
        });
      } catch {
        response.destroy(); // The chain is being ended.
      }
    });
  });

  /** An answer to `eth_getLogs` as an endpoint gives it that stitches its shards together badly. */
  const troubled = (text: string): string => {
    if (now !== "repeat" && now !== "reorder") return text;
    const message = JSON.parse(text) as Message;
    if (!Array.isArray(message.result)) return text;
    message.result = now === "repeat" ? [...message.result, ...message.result] : message.result.toReversed();
    return JSON.stringify(message);
  };

  const upgrade = new WebSocketServer({ server });
  upgrade.on("connection", (near) => {
    if (now === "refuse") return near.terminate();
    const far = new WebSocket(`ws://127.0.0.1:${target}`);
    const early: string[] = [];
    const logQueries = new Set<unknown>();
    let kept: string | undefined;
    sockets.add(near);
    far.on("open", () => {
      for (const text of early.splice(0)) far.send(text);
    });
    near.on("message", (data) => {
      const text = String(data);
      const { id } = JSON.parse(text) as Message;
      if (now === "limit") {
        const error = { code: -32005, message: "rate limit exceeded" };
        near.send(JSON.stringify({ jsonrpc: "2.0", id, error }));
        return;
      }
      if (asked(text, "eth_getLogs")) logQueries.add(id);
      pass(() => {
        if (far.readyState === WebSocket.OPEN) far.send(text);
        else early.push(text);
      });
    });
    const give = (text: string) =>
      pass(() => {
        if (near.readyState === WebSocket.OPEN) near.send(text);
      });
    far.on("message", (data) => {
      const text = String(data);
      const message = JSON.parse(text) as Message;
      if (message.method !== "eth_subscription") {
        give(logQueries.delete(message.id) ? troubled(text) : text);
        return;
      }
      if (now === "drop") return; // The subscription is gone and nobody says so.
      if (now === "reorder") {
        if (kept === undefined) kept = text;
        else {
          give(text);
          give(kept);
          kept = undefined;
        }
        return;
      }
      give(text);
      if (now === "repeat") give(text);
    });
    const end = () => {
      sockets.delete(near);
      near.terminate();
      far.terminate();
    };
    for (const socket of [near, far]) socket.on("close", end).on("error", end);
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.terminate();
    server.closeAllConnections();
  };
  return {
    httpUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    trouble(kind) {
      now = kind;
      if (kind === "refuse") cut();
    },
    heal() {
      now = undefined;
      const waiting = held;
      held = [];
      for (const act of waiting) act();
    },
    close() {
      upgrade.close();
      server.close();
      cut();
    },
  };
}

/** Whether a request, alone or in a batch, is for this method. */
const asked = (text: string, method: string): boolean => text.includes(`"${method}"`);
