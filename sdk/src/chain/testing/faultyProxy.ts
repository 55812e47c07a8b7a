// Sits between a client and a chain, and fails on demand as networks and endpoints do.
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export interface FaultyProxy {
  port: number;
  /** Cuts every connection; new ones pass again. */
  drop(): void;
  /** Cuts every connection and refuses new ones until `heal`. */
  refuse(): void;
  /** Keeps connections open and forwards nothing until `heal`. */
  stall(): void;
  /** Silences the connections of this moment for good; new ones pass. */
  freeze(): void;
  heal(): void;
  close(): Promise<void>;
}

/** A TCP proxy to a local port. */
export async function startFaultyProxy(target: number): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  const frozen = new WeakSet<Socket>();
  let stalled = false;
  let refusing = false;
  const server = createServer((near) => {
    if (refusing) return void near.destroy();
    const far = connect(target, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      if (stalled) socket.pause();
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => near.write(bytes));
    if (stalled) for (const socket of [near, far]) socket.pause();
  });
  const port = await listen(server);
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    drop,
    refuse() {
      refusing = true;
      drop();
    },
    stall() {
      stalled = true;
      for (const socket of sockets) socket.pause();
    },
    freeze() {
      for (const socket of sockets) {
        frozen.add(socket);
        socket.pause();
      }
    },
    heal() {
      stalled = false;
      refusing = false;
      for (const socket of sockets) if (!frozen.has(socket)) socket.resume();
    },
    async close() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An HTTP proxy that answers 429 with Retry-After to the next `limit` requests. */
export async function startLimitingProxy(target: string) {
  let left = 0;
  const server = createHttpServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const piece of request) body.push(piece as Buffer);
    if (left > 0) {
      left -= 1;
      response.writeHead(429, { "Retry-After": "1" }).end("slow down");
      return;
    }
    const answer = await fetch(target, {
      method: "POST",
      body: Buffer.concat(body),
      headers: { "content-type": "application/json" },
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    limit(requests: number) {
      left = requests;
    },
    get left() {
      return left;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
