import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "@gpuchain/sdk/daemon";
import { encodeWire, MAX_PULSE_FRAME, PULSE_SUBPROTOCOL, pulseUpSchema } from "@gpuchain/sdk/gateway";
import { type WebSocket, WebSocketServer } from "ws";
import type { PulseHub } from "../pulse/hub.ts";
import type { RateLimiter } from "./rateLimiter.ts";
import type { Sessions } from "./sessions.ts";

export interface PulseSocketParameters {
  readonly server: Server;
  readonly path: string;
  /** path under which a proxy mounts the gateway; requests may arrive with or without it */
  readonly basePath: string;
  readonly sessions: Sessions;
  readonly hub: PulseHub;
  readonly limiter: RateLimiter;
  readonly maxConnections: number;
  readonly log: Logger;
}

/** A frame that says nothing we know is answered; this many of them end the connection. */
const MAX_BAD_FRAMES = 5;

/** Takes WebSocket upgrades on the pulse path: session first, then the hub. */
export function servePulse({
  server,
  path,
  basePath,
  sessions,
  hub,
  limiter,
  maxConnections,
  log,
}: PulseSocketParameters): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PULSE_FRAME,
    perMessageDeflate: false,
    clientTracking: false,
  });

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A peer that resets before the upgrade is done must not end the process.
    socket.on("error", (error) => log.debug({ err: error }, "pulse upgrade broke off"));
    const refuse = (status: string): void => {
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    };
    const address = sessions.addressOf(request.headers.authorization ?? bearerOf(request));
    const { pathname } = new URL(request.url ?? "/", "http://gateway");
    if (pathname !== path && pathname !== basePath + path) refuse("404 Not Found");
    else if (address === undefined) refuse("401 Unauthorized");
    else if (hub.connections >= maxConnections) refuse("503 Service Unavailable");
    else sockets.handleUpgrade(request, socket, head, (open) => attach(open, address));
  };

  const attach = (socket: WebSocket, address: string): void => {
    let bad = 0;
    let reason = "connection closed";
    const attached = hub.attach(address, {
      send: (message) => {
        if (socket.readyState === socket.OPEN) socket.send(encodeWire(message));
      },
      close: (why) => {
        if (socket.readyState === socket.OPEN) socket.send(encodeWire({ type: "goodbye", reason: why }));
        socket.close(1001, why.slice(0, 100));
      },
    });
    socket.on("message", (data) => {
      const problem = receive(data.toString());
      if (problem === undefined) return;
      socket.send(encodeWire({ type: "error", code: "BAD_REQUEST", message: problem.slice(0, 400) }));
      if (++bad >= MAX_BAD_FRAMES) socket.close(1008, "too many unreadable messages");
    });
    const receive = (text: string): string | undefined => {
      try {
        limiter.take(`pulse ${address}`);
        const message = pulseUpSchema.safeParse(JSON.parse(text));
        if (!message.success)
          return message.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
        attached.receive(message.data);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    };
    socket.on("error", (error) => {
      reason = error.message;
    });
    socket.on("close", (code, why) => attached.closed(why.length > 0 ? `${code} ${why}` : reason));
  };

  server.on("upgrade", upgrade);
  return () => {
    server.off("upgrade", upgrade);
    hub.closeAll("this verifier is shutting down");
  };
}

/** Browsers cannot set headers on a WebSocket: they offer the token as a second subprotocol, `bearer.<token>`. */
function bearerOf(request: IncomingMessage): string | undefined {
  const offered = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  const bearer = offered.find((name) => name.startsWith("bearer."));
  return bearer !== undefined && offered.includes(PULSE_SUBPROTOCOL) ? `Bearer ${bearer.slice(7)}` : undefined;
}
