// A gateway's client-facing part over real HTTP: sessions and blobs, kept in memory. It can be told to fail.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyMessage } from "viem";
import { createSiweMessage, generateSiweNonce, parseSiweMessage } from "viem/siwe";
import { sha256Hex } from "../../blobs/index.ts";

export interface TestGateway {
  url: string;
  blobs: Map<string, Uint8Array>;
  /** Keys of held-out data by job, as sealed to this gateway's verifier. */
  keys: Map<string, `0x${string}`>;
  /** Steps that providers have reported, by fence. */
  steps: Map<number, TestStep[]>;
  /** Receipts of hand-overs. */
  receipts: object[];
  /** From now on answers to this path stop halfway; the promise fulfils when one does. */
  hold(path: string): Promise<void>;
  /** Answers everything again. */
  release(): void;
  /** Cuts the connection of the next questions for telemetry. */
  failQueries(count: number): void;
  /** How many uploads were taken. */
  uploads: number;
  /** Answers the next uploads with 503. */
  failUploads(count: number): void;
  close(): Promise<void>;
}

/** One step as a gateway tells it. */
export interface TestStep {
  step: number;
  loss: number;
}

export async function startTestGateway(chainId = 31337): Promise<TestGateway> {
  const blobs = new Map<string, Uint8Array>();
  const keys = new Map<string, `0x${string}`>();
  const steps = new Map<number, TestStep[]>();
  const receipts: object[] = [];
  const state = { uploads: 0, failing: 0, failingQueries: 0 };
  const stopped = new Map<string, () => void>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const send = (status: number, value?: object) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(value && JSON.stringify(value));
    if (request.method !== "HEAD" && stopped.has(url.pathname)) {
      const half = blobs.get(url.pathname.slice("/v1/blobs/".length));
      if (half !== undefined) {
        response.writeHead(200, { "content-length": half.length });
        await new Promise((resolve) => response.write(half.subarray(0, half.length / 2), resolve));
      }
      if (half !== undefined || !url.pathname.startsWith("/v1/blobs/")) return stopped.get(url.pathname)?.();
    }
    const refuse = (status: number, code: string) => send(status, { error: { code, message: code } });

    if (url.pathname === "/v1/session/challenge") {
      const { address } = JSON.parse(body.toString());
      const issuedAt = new Date();
      const expirationTime = new Date(issuedAt.getTime() + 60_000);
      const message = createSiweMessage({
        ...{ address, chainId, domain: url.host, uri: url.origin, version: "1" },
        ...{ nonce: generateSiweNonce(), issuedAt, expirationTime },
      });
      return send(200, { message, expiresAt: expirationTime.getTime() });
    }
    if (url.pathname === "/v1/session") {
      const { message, signature } = JSON.parse(body.toString());
      const { address } = parseSiweMessage(message);
      if (address === undefined || !(await verifyMessage({ address, message, signature })))
        return refuse(401, "BAD_SIGNATURE");
      return send(200, { token: "test-token", address, expiresAt: Date.now() + 60_000 });
    }
    const job = /^\/v1\/jobs\/(\d+)\/key$/.exec(url.pathname)?.[1];
    if (job !== undefined && request.method === "PUT") {
      if (request.headers.authorization !== "Bearer test-token") return refuse(401, "NO_SESSION");
      keys.set(job, JSON.parse(body.toString()).sealedKey);
      return send(204);
    }
    if (url.pathname === "/graphql") {
      if (state.failingQueries > 0) {
        state.failingQueries -= 1;
        return void request.socket.destroy();
      }
      const { fence, after } = JSON.parse(body.toString()).variables;
      const told = (steps.get(fence) ?? []).filter(({ step }) => step > after).slice(0, 3);
      const rest = { fence, learningRate: 1e-3, ms: 50, at: 0 };
      return send(200, { data: { steps: told.map((step) => ({ ...rest, ...step })), receipts } });
    }
    const hash = /^\/v1\/blobs\/(0x[0-9a-f]{64})$/.exec(url.pathname)?.[1];
    if (hash === undefined) return refuse(404, "NOT_FOUND");
    const held = blobs.get(hash);
    if (request.method === "PUT") {
      if (request.headers.authorization !== "Bearer test-token") return refuse(401, "NO_SESSION");
      if (state.failing > 0) {
        state.failing -= 1;
        return refuse(503, "BUSY");
      }
      if (`0x${sha256Hex(body)}` !== hash) return refuse(400, "BLOB_HASH_MISMATCH");
      state.uploads += 1;
      blobs.set(hash, new Uint8Array(body));
      return send(201);
    }
    if (held === undefined) return refuse(404, "BLOB_NOT_FOUND");
    response.writeHead(200, { "content-length": held.length }).end(request.method === "HEAD" ? undefined : held);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    blobs,
    keys,
    steps,
    receipts,
    hold: (path) => new Promise((resolve) => stopped.set(path, resolve)),
    release: () => stopped.clear(),
    failQueries(count) {
      state.failingQueries = count;
    },
    get uploads() {
      return state.uploads;
    },
    failUploads(count) {
      state.failing = count;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
