import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchChecked } from "./fetchChecked.ts";

const bytes = Buffer.from("a model");
const sha256 = `0x${createHash("sha256").update(bytes).digest("hex")}`;
let servers: { server: Server; url: string }[] = [];

beforeAll(async () => {
  const serve = (body: Buffer, status = 200) =>
    new Promise<{ server: Server; url: string }>((resolve) => {
      const server = createServer((_, response) => response.writeHead(status).end(body));
      server.listen(0, "127.0.0.1", () =>
        resolve({ server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
      );
    });
  servers = await Promise.all([serve(Buffer.from("junk")), serve(Buffer.from(""), 404), serve(bytes)]);
});
afterAll(() => {
  for (const { server } of servers) server.close();
});

test("a gateway that lies or lacks the bytes is passed over; the right bytes come back", async () => {
  const got = await fetchChecked(
    servers.map((s) => s.url),
    sha256,
    100,
  );
  expect(Buffer.from(got).toString()).toBe("a model");
});

test("when nobody has the right bytes the reason is said", async () => {
  await expect(fetchChecked([servers[0]?.url ?? ""], sha256, 100)).rejects.toThrow(/other bytes/);
  await expect(fetchChecked([], sha256, 100)).rejects.toThrow(/no gateway/);
});
