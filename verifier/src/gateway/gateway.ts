import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "@gpuchain/sdk/daemon";
import { GpuchainError } from "@gpuchain/sdk/daemon";
import {
  challengeRequestSchema,
  type Evidence,
  encodeWire,
  GatewayError,
  type SignatureMessage,
  type SignedVerdictMessage,
  sealedKeySchema,
  sessionRequestSchema,
  signatureMessageSchema,
} from "@gpuchain/sdk/gateway";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { z } from "zod";
import type { HeldOutKeys } from "../keeping/heldOutKeys.ts";
import type { Keeper } from "../keeping/keeper.ts";
import type { KeepingLedger } from "../keeping/keepingLedger.ts";
import type { PulseHub } from "../pulse/hub.ts";
import { addBlobRoutes, requireSession } from "./blobRoutes.ts";
import { errorResponse } from "./errorResponse.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";
import { servePulse } from "./pulseSocket.ts";
import { createRateLimiter } from "./rateLimiter.ts";
import { type BodyLimits, readBody } from "./readBody.ts";
import { createSessions } from "./sessions.ts";

export interface GatewayParameters {
  readonly host: string;
  /** 0 takes a free one */
  readonly port: number;
  /** the public address; left out, `http://host:port` of the socket itself */
  readonly endpoint?: string;
  readonly chainId: number;
  readonly keeper: Keeper;
  readonly ledger: KeepingLedger;
  readonly hub: PulseHub;
  readonly onSignature: (message: SignatureMessage) => Promise<void>;
  readonly evidence: (checkpointId: bigint) => Evidence | undefined;
  /** verdicts on a checkpoint that are known here, own and peers' */
  readonly verdicts: (checkpointId: bigint) => readonly SignedVerdictMessage[];
  /** keys of sealed held-out data: from the client, for seats */
  readonly heldOutKeys?: Pick<HeldOutKeys, "put" | "sealedFor">;
  readonly health: () => { ok: boolean } & Record<string, unknown>;
  readonly metrics?: () => Promise<string>;
  /** GraphQL over fetch, mounted at `/graphql` */
  readonly graphql?: (request: Request) => Response | Promise<Response>;
  readonly onAnswer?: (method: string, status: number) => void;
  readonly log: Logger;
  readonly maxPulses?: number;
  readonly bodyLimits?: BodyLimits;
  readonly requestsPerSecond?: number;
}

export interface Gateway {
  readonly endpoint: string;
  readonly port: number;
  readonly server: Server;
  readonly sessions: number;
  close(): Promise<void>;
}

const MAX_JSON_BYTES = 64 * 1024;

/** Starts a verifier's public face: sessions, blobs, pulses, peers' signatures, evidence, telemetry, health. */
export async function createGateway(parameters: GatewayParameters): Promise<Gateway> {
  const { hub, keeper, ledger, log } = parameters;
  const server = createServer({
    // Slow-loris: headers must be here in ten seconds; bodies have their own deadlines in readBody.
    headersTimeout: 10_000,
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: 16_384,
  });
  await listen(server, parameters.host, parameters.port);
  const { port } = server.address() as AddressInfo;
  const host = parameters.host.includes(":") ? `[${parameters.host}]` : parameters.host;
  const endpoint = parameters.endpoint ?? `http://${host}:${port}`;
  // Behind a proxy that mounts the gateway under a path, requests arrive with or without that path.
  const base = new URL(endpoint).pathname.replace(/\/+$/, "");

  const sessions = createSessions({ endpoint, chainId: parameters.chainId });
  const perSecond = parameters.requestsPerSecond ?? 100;
  const limiter = createRateLimiter({ perSecond, burst: perSecond * 4 });
  const challengeLimiter = createRateLimiter({ perSecond: perSecond / 5, burst: perSecond * 2 });
  const app = new Hono<GatewayEnv>();

  app.use(async (context, next) => {
    const address = sessions.addressOf(context.req.header("authorization"));
    context.set("address", address);
    context.env.outgoing.once("finish", () =>
      parameters.onAnswer?.(context.req.method, context.env.outgoing.statusCode),
    );
    limiter.take(address ?? remoteOf(context));
    await next();
  });
  app.use("*", async (context, next) => {
    context.header("access-control-allow-origin", "*");
    if (context.req.method !== "OPTIONS") return next();
    context.header("access-control-allow-methods", "GET, HEAD, POST, PUT, OPTIONS");
    context.header("access-control-allow-headers", "authorization, content-type");
    context.header("access-control-max-age", "86400");
    return context.body(null, 204);
  });
  app.onError((error, context) => {
    const { status, body, unexpected } = errorResponse(error);
    if (unexpected) log.error({ err: error, path: context.req.path }, "request failed");
    // A body that was not read would otherwise be taken for the next request.
    if (!context.env.incoming.complete) context.header("connection", "close");
    context.header("access-control-allow-origin", "*");
    return context.newResponse(body, status as 400, { "content-type": "application/json" });
  });
  app.notFound(() => {
    throw new GatewayError("NOT_FOUND", "There is nothing at this path.", { status: 404 });
  });

  app.post("/v1/session/challenge", async (context) => {
    challengeLimiter.take(remoteOf(context));
    const { address } = await readJsonBody(context, challengeRequestSchema);
    return context.json(sessions.challenge(address));
  });
  app.post("/v1/session", async (context) => {
    const { message, signature } = await readJsonBody(context, sessionRequestSchema);
    return context.json(await sessions.open(message, signature));
  });
  addBlobRoutes(app, { keeper, ledger, ...(parameters.bodyLimits ? { bodyLimits: parameters.bodyLimits } : {}) });
  app.post("/v1/signatures", async (context) => {
    const address = requireSession(context);
    const message = await readJsonBody(context, signatureMessageSchema);
    if (!ledger.isVerifier(address))
      throw new GatewayError("FORBIDDEN", `${address} is no registered verifier.`, { status: 403 });
    await parameters.onSignature(message);
    return context.json({ ok: true }, 202);
  });
  app.get("/v1/evidence/:checkpoint", (context) => {
    const id = checkpointOf(context);
    const evidence = parameters.evidence(id);
    if (evidence === undefined)
      throw new GatewayError("NOT_FOUND", `This verifier has judged no checkpoint ${id}.`, { status: 404 });
    return context.json(evidence);
  });
  app.get("/v1/verdicts/:checkpoint", (context) => {
    const body = encodeWire({ verdicts: parameters.verdicts(checkpointOf(context)) });
    return context.body(body, 200, { "content-type": "application/json" });
  });
  app.put("/v1/jobs/:job/key", async (context) => {
    const address = requireSession(context);
    const { sealedKey } = await readJsonBody(context, sealedKeySchema);
    await parameters.heldOutKeys?.put(jobOf(context), address, sealedKey);
    return context.json({ ok: true });
  });
  app.get("/v1/jobs/:job/key", async (context) => {
    const sealedKey = await parameters.heldOutKeys?.sealedFor(jobOf(context), requireSession(context));
    if (sealedKey === undefined) throw new GatewayError("NOT_FOUND", "This verifier keeps no keys.", { status: 404 });
    return context.json({ sealedKey });
  });
  app.get("/healthz", (context) => {
    const health = parameters.health();
    return context.json(health, health.ok ? 200 : 503);
  });
  app.get("/metrics", async (context) => {
    if (parameters.metrics === undefined) return context.notFound();
    return context.body(await parameters.metrics(), 200, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
    });
  });
  app.on(["GET", "POST"], "/graphql", (context) => parameters.graphql?.(context.req.raw) ?? context.notFound());

  const root = base === "" ? app : new Hono<GatewayEnv>().route(base, app).route("/", app);
  server.on(
    "request",
    getRequestListener((request, env) => root.fetch(request, env), { overrideGlobalObjects: false }),
  );
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  });
  const stopPulse = servePulse({
    server,
    path: "/v1/pulse",
    basePath: base,
    sessions,
    hub,
    limiter,
    maxConnections: parameters.maxPulses ?? 5_000,
    log,
  });
  return {
    endpoint,
    port,
    server,
    get sessions() {
      return sessions.size;
    },
    close: async () => {
      stopPulse();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), 500);
      await closed;
      clearTimeout(force);
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === "EADDRINUSE";
      reject(
        new GpuchainError(
          taken ? "PORT_TAKEN" : "LISTEN_FAILED",
          `cannot listen on ${host}:${port}: ${cause.message}`,
          {
            hint: taken ? "stop the program that uses this port, or pass another --listen" : "check --listen",
            cause,
          },
        ),
      );
    });
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}

function jobOf(context: Context<GatewayEnv>): bigint {
  const id = context.req.param("job") ?? "";
  if (!/^\d{1,78}$/.test(id)) throw new GatewayError("BAD_REQUEST", "A job's id is a number.", { status: 400 });
  return BigInt(id);
}

function checkpointOf(context: Context<GatewayEnv>): bigint {
  const id = context.req.param("checkpoint") ?? "";
  if (!/^\d{1,78}$/.test(id)) throw new GatewayError("BAD_REQUEST", "A checkpoint's id is a number.", { status: 400 });
  return BigInt(id);
}

const remoteOf = (context: Context<GatewayEnv>): string => context.env.incoming.socket.remoteAddress ?? "unknown";

async function readJsonBody<T extends z.ZodType>(context: Context<GatewayEnv>, schema: T): Promise<z.output<T>> {
  const { incoming } = context.env;
  if (Number(incoming.headers["content-length"] ?? 0) > MAX_JSON_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readBody(incoming, { idleMs: 5_000, minBytesPerSecond: 256, graceMs: 5_000 })) {
    size += chunk.length;
    if (size > MAX_JSON_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  let json: unknown;
  try {
    json = JSON.parse(Buffer.concat(chunks).toString());
  } catch (cause) {
    throw new GatewayError("BAD_REQUEST", "The body is no JSON.", { status: 400, cause });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`);
  throw new GatewayError("BAD_REQUEST", `The body is not as expected. ${problems.join("; ")}`, { status: 400 });
}

const tooLarge = () =>
  new GatewayError("BLOB_TOO_LARGE", `A JSON body may take ${MAX_JSON_BYTES} bytes.`, { status: 413 });
