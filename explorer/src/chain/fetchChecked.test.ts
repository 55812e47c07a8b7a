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

test("a gateway that sends without end, and one that falls silent, are passed over", async () => {
  const endless = createServer((_, response) => {
    response.writeHead(200);
    const more = () => {
      while (response.writable && response.write(Buffer.alloc(1_000)));
      response.once("drain", more);
    };
    more();
  });
  const silent = createServer((_, response) => response.writeHead(200).write("a mo"));
  const urls = await Promise.all(
    [endless, silent].map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  try {
    await expect(fetchChecked(urls.slice(0, 1), sha256, 5_000)).rejects.toThrow(/more than 5000 bytes/);
    await expect(fetchChecked(urls.slice(1), sha256, 5_000, undefined, 50)).rejects.toThrow(/fell silent/);
    const got = await fetchChecked([...urls, servers[2]?.url ?? ""], sha256, 5_000, undefined, 50);
    expect(Buffer.from(got).toString()).toBe("a model");
  } finally {
    for (const server of [endless, silent]) {
      server.closeAllConnections();
      server.close();
    }
  }
});
