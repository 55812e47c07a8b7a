import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sendBytes } from "./sendBytes.ts";

let server: Server;
let url: string;
let received: { method: string | undefined; type: string | undefined; bytes: number };
beforeEach(async () => {
  server = createServer((request, response) => {
    received = { method: request.method, type: request.headers["content-type"], bytes: 0 };
    if (request.url === "/early") return void response.writeHead(413, { connection: "close" }).end("too large");
    if (request.url === "/cut") return void request.socket.destroy();
    if (request.url === "/never") return;
    request.on("data", (chunk: Buffer) => {
      received.bytes += chunk.length;
    });
    request.on("end", () => response.writeHead(201, { "content-type": "application/json" }).end('{"ok":true}'));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const body = new Uint8Array(5_000_000).fill(7);

describe("sendBytes", () => {
  it("sends the bytes and gives the answer as fetch would", async () => {
    const response = await sendBytes(url, {
      method: "PUT",
      headers: { "content-type": "application/octet-stream" },
      body,
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ ok: true });
    expect(received).toEqual({ method: "PUT", type: "application/octet-stream", bytes: body.length });
  });

  it("hears a refusal that comes before all is sent", async () => {
    // Either the answer arrives, or the closed connection is told as such: never a hang, never a success.
    const outcome = await sendBytes(`${url}/early`, { method: "PUT", body }).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof TypeError ? "broke off" : error),
    );
    expect([413, "broke off"]).toContain(outcome);
  });

  it("fails as fetch does: TypeError with the socket's cause, or the signal's reason", async () => {
    await expect(sendBytes(`${url}/cut`, { method: "PUT", body })).rejects.toMatchObject({
      name: "TypeError",
      cause: { code: expect.stringMatching(/ECONNRESET|EPIPE/) },
    });
    const abort = new AbortController();
    const waiting = sendBytes(`${url}/never`, { method: "PUT", body, signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});
